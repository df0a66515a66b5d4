#include "kernels/row_numbers.h"

#include "kernels/numbers.h"

namespace pto::kernels {

bool pick_rows(unsigned bytes, const std::uint8_t* values, std::size_t stride, std::uint32_t rows,
               unsigned index_bytes, const std::uint8_t* indices, std::uint8_t* out, std::size_t count) {
  return with_carrier(bytes, [&](auto value_carrier) {
    return with_carrier(index_bytes, [&](auto index_carrier) {
      using T = decltype(value_carrier);
      using Index = decltype(index_carrier);
      for (std::size_t column = 0; column < count; ++column) {
        const std::uint64_t row = load_carrier<Index>(indices + column * sizeof(Index));
        if (row >= rows) return false;
        store_carrier(out + column * sizeof(T),
                      load_carrier<T>(values + (row * stride + column) * sizeof(T)));
      }
      return true;
    });
  });
}

bool place_rows(unsigned bytes, const std::uint8_t* values, unsigned index_bytes, const std::uint8_t* indices,
                std::uint32_t rows, std::uint8_t* taken, std::uint8_t* out, std::size_t count) {
  return with_carrier(bytes, [&](auto value_carrier) {
    return with_carrier(index_bytes, [&](auto index_carrier) {
      using T = decltype(value_carrier);
      using Index = decltype(index_carrier);
      for (std::size_t column = 0; column < count; ++column) {
        const std::uint64_t row = load_carrier<Index>(indices + column * sizeof(Index));
        if (row >= rows) return false;
        const std::size_t place = row * count + column;
        if (taken[place] != 0) return false;
        taken[place] = 1;
        store_carrier(out + place * sizeof(T), load_carrier<T>(values + column * sizeof(T)));
      }
      return true;
    });
  });
}

}  // namespace pto::kernels
