#include "kernel_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/bits.h"
#include "kernels/combine.h"
#include "kernels/convert.h"
#include "kernels/fold.h"
#include "kernels/lanes.h"
#include "kernels/matrix_product.h"
#include "kernels/numbers.h"
#include "kernels/order.h"
#include "kernels/predicate.h"
#include "kernels/row_numbers.h"
#include "kernels/rows.h"
#include "kernels/transform.h"
#include "kernels/words.h"

namespace pto::test {

namespace {

using namespace kernels;  // NOLINT
using numeric::BinaryOperation;
using numeric::Comparison;
using numeric::Rounding;
using numeric::StatusFlags;
using numeric::UnaryOperation;
using numeric::Valued;
using Bytes = std::vector<std::uint8_t>;

// Bytes to make choices and numbers of; zeros when they run out.
class Stream {
 public:
  explicit Stream(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint8_t byte() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }
  unsigned below(unsigned limit) { return (byte() | unsigned{byte()} << 8) % limit; }
  Word word() {
    Word value = 0;
    for (unsigned i = 0; i < 8; ++i) value |= Word{byte()} << (8 * i);
    return value;
  }
  template <class T>
  T one_of(std::span<const T> choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

ElementType type_of(Stream& in, const numeric::TypeSet& types) {
  std::vector<ElementType> members;
  for (const ElementTypeRow& row : element_type_rows) {
    if (types.has(row.type)) members.push_back(row.type);
  }
  return in.one_of<ElementType>(members);
}

// Numbers that matter: often zeros, infinities, NaNs and the ends of integer ranges.
Word number_of(Stream& in, ElementType type) {
  const unsigned bits = element_bits(type);
  const Word sign = Word{1} << (bits - 1);
  const Word random = in.word() & mask_of(bits);
  if (in.byte() % 4 != 0) return random;
  std::array<Word, 8> special{0, sign, mask_of(bits), sign - 1, 1, sign | 1, 0, 0};
  if (numeric::type_sets::arithmetic_floats.has(type)) {
    const Word infinity = numeric::reference::unbounded(type, false);
    special[5] = infinity;
    special[6] = infinity | sign;
    special[7] = (infinity + 1) & mask_of(bits);
  }
  return special[in.byte() % special.size()];
}

Word at(const Bytes& row, unsigned bytes, std::size_t index) {
  Word value = 0;
  std::memcpy(&value, row.data() + index * bytes, bytes);
  return value;
}
void put(Bytes& row, unsigned bytes, std::size_t index, Word value) {
  std::memcpy(row.data() + index * bytes, &value, bytes);
}

Bytes row_of(Stream& in, ElementType type, std::size_t count) {
  const unsigned bytes = carrier_bytes(type);
  // Some distinct numbers, repeated: rows are long and streams short.
  std::array<Word, 19> numbers;
  for (Word& number : numbers) number = number_of(in, type);
  Bytes row(count * bytes);
  const Word spread = in.word() | 1;
  for (std::size_t i = 0; i < count; ++i) put(row, bytes, i, numbers[(i * spread >> 7) % numbers.size()]);
  return row;
}

std::string differs(std::string_view what, ElementType type, std::size_t index, Word is, Word wanted) {
  return fmt::format("{} of {}: number {} is {:#x}, must be {:#x}", what, name_of(type), index, is, wanted);
}

// Compares a row and a status with what make(i) gives.
template <class Make>
std::string compare_row(std::string_view what, ElementType type, const Bytes& row, std::size_t count,
                        StatusFlags status, Make make) {
  const unsigned bytes = carrier_bytes(type);
  StatusFlags wanted_status = numeric::status::none;
  for (std::size_t i = 0; i < count; ++i) {
    const Valued wanted = make(i);
    wanted_status |= wanted.flags;
    const Word mask = mask_of(numeric::is_four_bit(type) ? 4 : 8 * bytes);
    if ((at(row, bytes, i) & mask) != (wanted.value & mask))
      return differs(what, type, i, at(row, bytes, i) & mask, wanted.value & mask);
  }
  if (status == wanted_status) return {};
  return fmt::format("{} of {}: status {:#x}, must be {:#x}", what, name_of(type), status, wanted_status);
}

constexpr BinaryOperation binary_operations[] = {
    BinaryOperation::Add, BinaryOperation::Sub, BinaryOperation::Mul, BinaryOperation::Div,
    BinaryOperation::Rem, BinaryOperation::And, BinaryOperation::Or,  BinaryOperation::Xor,
    BinaryOperation::Shl, BinaryOperation::Shr, BinaryOperation::Max, BinaryOperation::Min};
constexpr UnaryOperation unary_operations[] = {
    UnaryOperation::Abs,  UnaryOperation::Not,   UnaryOperation::Neg,
    UnaryOperation::Exp,  UnaryOperation::Log,   UnaryOperation::Recip,
    UnaryOperation::Sqrt, UnaryOperation::Rsqrt, UnaryOperation::Relu};
constexpr Rounding roundings[] = {Rounding::RNE, Rounding::RTM, Rounding::RTP, Rounding::RTZ,
                                  Rounding::RNA, Rounding::RTO, Rounding::RHB};

bool divides(BinaryOperation operation) {
  return operation == BinaryOperation::Div || operation == BinaryOperation::Rem;
}

std::size_t count_of(Stream& in) { return in.below(300) + 1; }

std::string check_combine(Stream& in) {
  const auto operation = in.one_of<BinaryOperation>(binary_operations);
  const ElementType type = type_of(in, numeric::type_sets::all);
  if (!combines(operation, type)) return {};
  const std::size_t count = count_of(in);
  const unsigned bytes = carrier_bytes(type);
  const Bytes left = row_of(in, type, count);
  Bytes right = row_of(in, type, count);
  if (divides(operation) && numeric::is_integer(type)) {
    for (std::size_t i = 0; i < count; ++i) put(right, bytes, i, std::max<Word>(at(right, bytes, i), 1));
  }
  Bytes out(count * bytes);
  const StatusFlags status = combine(operation, type, left.data(), right.data(), out.data(), count);
  const auto reference = [&](Word a, Word b) { return numeric::reference::binary(operation, type, a, b); };
  std::string wrong = compare_row("combine", type, out, count, status, [&](std::size_t i) {
    return reference(at(left, bytes, i), at(right, bytes, i));
  });
  if (!wrong.empty()) return wrong;
  const Word scalar = at(right, bytes, 0);
  const StatusFlags scalar_status = combine_scalar(operation, type, left.data(), scalar, out.data(), count);
  wrong = compare_row("combine_scalar", type, out, count, scalar_status,
                      [&](std::size_t i) { return reference(at(left, bytes, i), scalar); });
  const bool folds = operation == BinaryOperation::Add || operation == BinaryOperation::Mul ||
                     operation == BinaryOperation::Max || operation == BinaryOperation::Min;
  if (!wrong.empty() || !folds) return wrong;
  out = left;
  const StatusFlags into_status = accumulate(operation, type, out.data(), right.data(), count);
  return compare_row("accumulate", type, out, count, into_status,
                     [&](std::size_t i) { return reference(at(left, bytes, i), at(right, bytes, i)); });
}

std::string check_transform(Stream& in) {
  const auto operation = in.one_of<UnaryOperation>(unary_operations);
  const ElementType type = type_of(in, numeric::type_sets::arithmetic);
  if (operation == UnaryOperation::Not && numeric::is_float(type)) return {};
  const std::size_t count = count_of(in);
  const unsigned bytes = carrier_bytes(type);
  const Bytes row = row_of(in, type, count);
  Bytes out(count * bytes);
  const StatusFlags status = transform(operation, type, row.data(), out.data(), count);
  return compare_row(
      fmt::format("transform {}", static_cast<int>(operation)), type, out, count, status,
      [&](std::size_t i) { return numeric::reference::unary(operation, type, at(row, bytes, i)); });
}

std::string check_multiply_add(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::arithmetic);
  const std::size_t count = count_of(in);
  const unsigned bytes = carrier_bytes(type);
  const Bytes a = row_of(in, type, count), b = row_of(in, type, count), c = row_of(in, type, count);
  Bytes out(count * bytes);
  const StatusFlags status = multiply_add(type, a.data(), b.data(), c.data(), out.data(), count);
  return compare_row("multiply_add", type, out, count, status, [&](std::size_t i) {
    return numeric::reference::multiply_add(type, at(a, bytes, i), at(b, bytes, i), at(c, bytes, i));
  });
}

std::string check_compare(Stream& in) {
  constexpr Comparison comparisons[] = {Comparison::EQ, Comparison::NE, Comparison::LT,
                                        Comparison::LE, Comparison::GT, Comparison::GE};
  const auto comparison = in.one_of<Comparison>(comparisons);
  const ElementType type = type_of(in, numeric::type_sets::arithmetic);
  const std::size_t count = count_of(in);
  const unsigned bytes = carrier_bytes(type);
  const Bytes left = row_of(in, type, count), right = row_of(in, type, count);
  const std::uint64_t first = in.below(20);
  const bool scalar = in.byte() % 2 != 0;
  const Bytes before((first + count) / 8 + 1, 0xa5);
  Bytes bits = before;
  const StatusFlags status =
      scalar ? compare_scalar(comparison, type, left.data(), at(right, bytes, 0), count, bits.data(), first)
             : compare(comparison, type, left.data(), right.data(), count, bits.data(), first);
  const auto bit = [](const Bytes& of, std::uint64_t number) { return of[number / 8] >> number % 8 & 1; };
  StatusFlags wanted = numeric::status::none;
  for (std::size_t i = 0; i < count; ++i) {
    const numeric::Compared made =
        numeric::compare(comparison, type, at(left, bytes, i), at(right, bytes, scalar ? 0 : i));
    wanted |= made.flags;
    if (bit(bits, first + i) != (made.holds ? 1 : 0))
      return fmt::format("compare of {}: bit {} is {}", name_of(type), i, bit(bits, first + i));
  }
  if (status != wanted) return fmt::format("compare of {}: status {:#x}", name_of(type), status);
  for (std::uint64_t number = 0; number < bits.size() * 8; ++number) {
    if ((number < first || number >= first + count) && bit(bits, number) != bit(before, number))
      return fmt::format("compare of {} changed bit {} outside", name_of(type), number);
  }
  return {};
}

std::string check_choose(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::all);
  const std::size_t count = count_of(in);
  const unsigned bytes = carrier_bytes(type);
  const Bytes set = row_of(in, type, count), clear = row_of(in, type, count);
  const std::uint64_t first = in.below(20);
  const Bytes bits = row_of(in, ElementType::U8, (first + count) / 8 + 1);
  const bool scalar = in.byte() % 2 != 0;
  Bytes out(count * bytes);
  if (scalar) {
    choose_scalar(bytes, bits.data(), first, set.data(), at(clear, bytes, 0), out.data(), count);
  } else {
    choose(bytes, bits.data(), first, set.data(), clear.data(), out.data(), count);
  }
  return compare_row("choose", type, out, count, numeric::status::none, [&](std::size_t i) {
    const bool is_set = (bits[(first + i) / 8] >> (first + i) % 8 & 1) != 0;
    return Valued{is_set ? at(set, bytes, i) : at(clear, bytes, scalar ? 0 : i), numeric::status::none};
  });
}

std::string check_convert(Stream& in) {
  const ElementType from = type_of(in, numeric::type_sets::all);
  ElementType to = type_of(in, numeric::type_sets::all);
  const bool exponents = from == ElementType::FP16 || from == ElementType::BF16 || from == ElementType::FP32;
  if (to == ElementType::E8M0 && !exponents) to = ElementType::U16;
  const numeric::reference::Control control{in.one_of<Rounding>(roundings), in.byte() % 2 != 0};
  const std::size_t count = count_of(in);
  const Bytes row = row_of(in, from, count);
  Bytes out(count * carrier_bytes(to));
  const StatusFlags status = convert(from, to, control, row.data(), out.data(), count);
  return compare_row(fmt::format("convert from {}", name_of(from)), to, out, count, status,
                     [&](std::size_t i) {
                       return numeric::reference::convert(at(row, carrier_bytes(from), i), from, to, control);
                     });
}

std::string check_quantize(Stream& in) {
  const ElementType byte_type = in.byte() % 2 != 0 ? ElementType::S8 : ElementType::U8;
  const numeric::reference::Control control{in.one_of<Rounding>(roundings), in.byte() % 2 != 0};
  constexpr Word multipliers[] = {0x3f800000, 0x3f000000, 0x3e800000, 0x40490fdb, 0x00000001,
                                  0x7f7fffff, 0xbf000000, 0x3dcccccd, 0x0d000000};
  const Word drawn = in.byte() % 3 != 0 ? in.one_of<Word>(multipliers) : in.word() & 0x7f7fffff;
  const Word multiplier = drawn == 0 ? multipliers[0] : drawn;
  const Word zero_point = in.byte();
  const std::size_t count = count_of(in);
  Bytes row = row_of(in, ElementType::FP32, count);
  // Most numbers of a size that lands near the range, halves among them.
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 7 == 3 && control.saturating) continue;
    const float value = static_cast<float>(static_cast<std::int16_t>(at(row, 4, i))) / 64.0f;
    std::memcpy(row.data() + i * 4, &value, 4);
  }
  Bytes out(count);
  StatusFlags status = quantize(multiplier, zero_point, byte_type, control, row.data(), out.data(), count);
  std::string wrong = compare_row("quantize", byte_type, out, count, status, [&](std::size_t i) {
    return numeric::reference::quantize(at(row, 4, i), multiplier, zero_point, byte_type, control);
  });
  if (!wrong.empty()) return wrong;
  const Bytes codes = row_of(in, byte_type, count);
  Bytes numbers(count * 4);
  status = dequantize(multiplier, zero_point, byte_type, control, codes.data(), numbers.data(), count);
  return compare_row("dequantize", ElementType::FP32, numbers, count, status, [&](std::size_t i) {
    return numeric::reference::dequantize(codes[i], multiplier, zero_point, byte_type, control);
  });
}

std::string check_nibbles(Stream& in) {
  const std::size_t count = count_of(in);
  const std::uint64_t first = in.below(5);
  const Bytes packed = row_of(in, ElementType::U8, (first + count) / 2 + 1);
  Bytes unpacked(count);
  unpack_nibbles(packed.data(), first, count, unpacked.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (unpacked[i] != (packed[(first + i) / 2] >> (first + i) % 2 * 4 & 0xf))
      return fmt::format("unpack_nibbles: element {}", i);
  }
  Bytes again(packed.size(), 0x5a);
  const Bytes before = again;
  pack_nibbles(unpacked.data(), count, again.data(), first);
  for (std::uint64_t nibble = 0; nibble < again.size() * 2; ++nibble) {
    const Bytes& wanted = nibble >= first && nibble < first + count ? packed : before;
    if ((again[nibble / 2] >> nibble % 2 * 4 & 0xf) != (wanted[nibble / 2] >> nibble % 2 * 4 & 0xf))
      return fmt::format("pack_nibbles: element {}", nibble);
  }
  return {};
}

// A chain of the reference, as the architecture folds; with the place an index fold names.
struct Chain {
  Valued value;
  std::size_t place = 0;
};
// Under StayBehind the winner is recognised by its carrier, under MovePlaces by its number.
Chain chain(BinaryOperation operation, ElementType type, const Bytes& row, std::size_t count,
            std::size_t first, std::size_t step, Negatives negatives) {
  const unsigned bytes = carrier_bytes(type);
  const bool neutral = operation == BinaryOperation::Add || operation == BinaryOperation::Mul;
  const bool extends = negatives == Negatives::MovePlaces && numeric::is_integer(type);
  const auto kept = [&](Word value) { return extends ? numeric::widened(type, value) : value; };
  Chain folded{{operation == BinaryOperation::Add   ? 0
                : operation == BinaryOperation::Mul ? numeric::reference::one(type)
                                                    : at(row, bytes, first),
                numeric::status::none},
               0};
  for (std::size_t i = neutral ? 0 : 1; i < count; ++i) {
    const Word candidate = at(row, bytes, first + i * step);
    const Valued next = numeric::reference::binary(operation, type, folded.value.value, candidate);
    if (next.value == kept(candidate) && next.value != kept(folded.value.value)) folded.place = i;
    folded.value.value = next.value;
    folded.value.flags |= next.flags;
  }
  return folded;
}

std::string check_fold(Stream& in) {
  constexpr BinaryOperation operations[] = {BinaryOperation::Add, BinaryOperation::Mul, BinaryOperation::Max,
                                            BinaryOperation::Min};
  const auto operation = in.one_of<BinaryOperation>(operations);
  const ElementType type = type_of(in, numeric::type_sets::arithmetic);
  const unsigned bytes = carrier_bytes(type);
  const std::size_t count = count_of(in);
  const Bytes row = row_of(in, type, count);
  constexpr Negatives ways[] = {Negatives::MovePlaces, Negatives::StayBehind};
  const auto negatives = in.one_of<Negatives>(ways);
  const Chain wanted = chain(operation, type, row, count, 0, 1, negatives);
  const Valued made = fold(operation, type, row.data(), count);
  const Word mask = mask_of(8 * bytes);
  if ((made.value & mask) != (wanted.value.value & mask) || made.flags != wanted.value.flags)
    return differs("fold", type, count, made.value & mask, wanted.value.value & mask);
  const Survey survey = kernels::survey(type, row.data(), count);
  bool zero = false, nan = false, encodings = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Word value = at(row, bytes, i);
    zero |= value == 0;
    nan |= numeric::is_float(type) && numeric::classify(type, value).is_nan();
    encodings &= numeric::encoding_valid(type, value);
  }
  if (survey.any_zero != zero || survey.any_nan != nan || survey.all_encodings != encodings)
    return fmt::format("survey of {}", name_of(type));
  const bool extreme = operation == BinaryOperation::Max || operation == BinaryOperation::Min;
  if (!extreme || nan) return {};
  const std::size_t place = place_of_extreme(operation, type, row.data(), count, negatives);
  if (place != wanted.place) return differs("place_of_extreme", type, count, place, wanted.place);
  // The same numbers as columns of three.
  const std::size_t rows = count / 3;
  if (rows == 0) return {};
  Bytes best(row.begin(), row.begin() + 3 * bytes);
  std::array<std::uint32_t, 3> places{};
  for (std::size_t line = 1; line < rows; ++line)
    accumulate_places(operation, type, best.data(), places.data(), row.data() + line * 3 * bytes,
                      static_cast<std::uint32_t>(line), 3, negatives);
  for (std::size_t column = 0; column < 3; ++column) {
    const Chain down = chain(operation, type, row, rows, column, 3, negatives);
    if (places[column] != down.place)
      return differs("accumulate_places", type, column, places[column], down.place);
  }
  return {};
}

std::string check_order(Stream& in) {
  const RowOrder order{in.byte() % 2 != 0 ? ElementType::FP16 : ElementType::FP32, in.byte() % 2 != 0};
  const unsigned bytes = carrier_bytes(order.type);
  const std::size_t count = count_of(in);
  const std::size_t group = in.below(largest_sort_group) + 1;
  const Bytes row = row_of(in, order.type, count);
  Bytes sorted(count * bytes), places(count * 4);
  sort_groups(order, row.data(), count, group, sorted.data(), places.data());
  for (std::size_t first = 0; first < count; first += group) {
    std::vector<std::uint32_t> wanted(std::min(group, count - first));
    std::iota(wanted.begin(), wanted.end(), 0u);
    std::stable_sort(wanted.begin(), wanted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return strictly_before(order, at(row, bytes, first + a), at(row, bytes, first + b));
    });
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (at(places, 4, first + i) != wanted[i] ||
          at(sorted, bytes, first + i) != at(row, bytes, first + wanted[i]))
        return differs("sort_groups", order.type, first + i, at(places, 4, first + i), wanted[i]);
    }
  }
  std::size_t prefix = 1;
  while (prefix < count && !strictly_before(order, at(row, bytes, prefix), at(row, bytes, prefix - 1)))
    ++prefix;
  if (ordered_prefix(order, row.data(), count) != prefix) return "ordered_prefix";
  // Merged are two rows in order, one of them often much shorter.
  const std::size_t split = in.below(3) == 0 ? count / 2 : in.below(static_cast<unsigned>(count) + 1);
  std::vector<Word> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = at(row, bytes, i);
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(split);
  const auto before = [&](Word left, Word right) { return strictly_before(order, left, right); };
  std::stable_sort(numbers.begin(), middle, before);
  std::stable_sort(middle, numbers.end(), before);
  Bytes ordered(count * bytes), merged(count * bytes), wanted(count * bytes);
  for (std::size_t i = 0; i < count; ++i) put(ordered, bytes, i, numbers[i]);
  merge_rows(order, ordered.data(), split, ordered.data() + split * bytes, count - split, merged.data());
  std::inplace_merge(numbers.begin(), middle, numbers.end(), before);
  for (std::size_t i = 0; i < count; ++i) put(wanted, bytes, i, numbers[i]);
  return merged == wanted ? std::string() : "merge_rows";
}

std::string check_products(Stream& in) {
  const Product shape{in.below(9) + 1, in.below(70) + 1, in.below(40) + 1};
  const auto words = [&](std::size_t count) {
    const Bytes row = row_of(in, ElementType::U32, count);
    std::vector<std::uint32_t> made(count);
    std::memcpy(made.data(), row.data(), row.size());
    return made;
  };
  const std::vector<std::uint32_t> left = words(shape.m * shape.k), right = words(shape.k * shape.n);
  std::vector<std::uint32_t> sums = words(shape.m * shape.n);
  std::vector<std::uint32_t> wanted = sums;
  accumulate_products(shape, left.data(), right.data(), sums.data());
  accumulate_products_plain(shape, left.data(), right.data(), wanted.data());
  return sums == wanted ? std::string()
                        : fmt::format("accumulate_products {}x{}x{}", shape.m, shape.n, shape.k);
}

std::string check_rows(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::all);
  const unsigned bytes = carrier_bytes(type);
  const std::size_t count = in.below(100) + 1;
  const std::uint32_t column = in.below(40);
  RowPlaces places{.first = in.below(10), .width = in.below(20) + 1, .stride = in.below(4) + 1, .jump = 0};
  places.jump = places.width * places.stride + in.below(5);
  const auto index = [&](std::size_t c) {
    return places.first + c / places.width * places.jump + c % places.width * places.stride;
  };
  const Bytes storage = row_of(in, type, index(column + count) + 1);
  Bytes out(count * bytes);
  gather_row(bytes, storage.data(), places, column, count, out.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (at(out, bytes, i) != at(storage, bytes, index(column + i)))
      return fmt::format("gather_row: column {}", i);
  }
  Bytes again(storage.size(), 0x77), wanted(storage.size(), 0x77);
  scatter_row(bytes, out.data(), places, column, count, again.data());
  for (std::size_t i = 0; i < count; ++i) put(wanted, bytes, index(column + i), at(out, bytes, i));
  if (again != wanted) return "scatter_row";
  const std::size_t size = in.below(70) + 1, gap = in.below(9), pieces = in.below(9) + 1;
  const Bytes scattered = row_of(in, ElementType::U8, pieces * (size + gap));
  Bytes packed(pieces * size);
  copy_pieces(size, scattered.data(), size + gap, packed.data(), size, pieces);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (packed[i] != scattered[i / size * (size + gap) + i % size])
      return fmt::format("copy_pieces: byte {}", i);
  }
  const std::size_t rows = in.below(40) + 1, columns = in.below(40) + 1;
  const Bytes matrix = row_of(in, type, rows * columns);
  Bytes turned(matrix.size());
  transpose(bytes, matrix.data(), columns, turned.data(), rows, rows, columns);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    if (at(turned, bytes, i % columns * rows + i / columns) != at(matrix, bytes, i))
      return fmt::format("transpose: element {}", i);
  }
  return {};
}

std::string check_cells(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::all);
  const unsigned bytes = carrier_bytes(type);
  const std::size_t height = 16 / bytes;
  const std::size_t rows = in.below(static_cast<unsigned>(height)) + 1, columns = in.below(40) + 1;
  const std::size_t step = 128 * (in.below(3) + 1), stride = (columns + in.below(4)) * bytes;
  const Bytes cells = row_of(in, ElementType::U8, (columns + 7) / 8 * step);
  Bytes out(rows * stride, 0x3c), wanted = out;
  turn_cells(bytes, cells.data(), step, rows, columns, out.data(), stride);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      std::memcpy(wanted.data() + row * stride + column * bytes,
                  cells.data() + column / 8 * step + column % 8 * 16 + row * bytes, bytes);
    }
  }
  return out == wanted ? std::string() : fmt::format("turn_cells of {}", name_of(type));
}

std::string check_words(Stream& in) {
  const std::size_t count = count_of(in);
  const Bytes a = row_of(in, ElementType::U32, count), b = row_of(in, ElementType::U32, count);
  WordFields fields{.shift = 8 * in.below(4), .low_bits = 8 * (in.below(4) + 1), .high_bits = 0};
  if (fields.low_bits < 32) fields.high_bits = 8 * in.below((32 - fields.low_bits) / 8 + 1);
  Bytes out(count * 4);
  join_words(a.data(), b.data(), fields, out.data(), count);
  std::string wrong = compare_row("join_words", ElementType::U32, out, count, 0, [&](std::size_t i) {
    const Word low = at(a, 4, i) >> fields.shift & mask_of(fields.low_bits);
    return Valued{low | (at(b, 4, i) & mask_of(fields.high_bits)) << fields.low_bits, 0};
  });
  if (!wrong.empty()) return wrong;
  const ElementType type = type_of(in, numeric::type_sets::whole_integers);
  const Word start = in.word(), step = in.word();
  Bytes numbers(count * carrier_bytes(type));
  count_up(carrier_bytes(type), start, step, numbers.data(), count);
  return compare_row("count_up", type, numbers, count, 0, [&](std::size_t i) {
    return Valued{start + i * step, 0};
  });
}

std::string check_shuffle(Stream& in) {
  const unsigned lanes = in.byte() % 2 != 0 ? 16 : 32;
  const std::size_t cells = in.below(4) + 1;
  const Bytes words = row_of(in, ElementType::U32, cells * 32),
              amounts = row_of(in, ElementType::U32, cells * 32);
  std::array<std::array<std::uint8_t, 32>, 32> lane_of{};
  for (auto& lane : lane_of) {
    for (std::uint8_t& from : lane) {
      const std::uint8_t byte = in.byte();
      from = byte % 3 == 0 ? no_lane : static_cast<std::uint8_t>(byte % lanes);
    }
  }
  const bool zero_outside = in.byte() % 2 != 0;
  Bytes out(words.size());
  shuffle_words({words.data(), amounts.data(), out.data(), cells, lanes, lane_of, zero_outside});
  const std::size_t row_words = 32 / lanes;
  return compare_row("shuffle_words", ElementType::U32, out, cells * 32, 0, [&](std::size_t i) {
    const std::uint8_t from = lane_of[i % 32 / row_words][at(amounts, 4, i) & 31];
    const std::size_t source = i - i % 32 + from * row_words + i % row_words;
    return Valued{from != no_lane ? at(words, 4, source) : zero_outside ? 0 : at(words, 4, i), 0};
  });
}

std::string check_row_numbers(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::byte_addressed);
  const unsigned bytes = carrier_bytes(type);
  const std::uint32_t rows = in.below(12) + 1;
  const std::size_t columns = in.below(30) + 1;
  const Bytes values = row_of(in, type, rows * columns);
  Bytes indices(columns * 2);
  bool legal = true;
  for (std::size_t i = 0; i < columns; ++i) {
    const Word index = in.byte() % 50 == 0 ? 0xffff : in.byte() % rows;
    legal = legal && index < rows;
    put(indices, 2, i, index);
  }
  Bytes out(columns * bytes);
  if (pick_rows(bytes, values.data(), columns, rows, 2, indices.data(), out.data(), columns) != legal)
    return "pick_rows: range";
  for (std::size_t i = 0; legal && i < columns; ++i) {
    if (at(out, bytes, i) != at(values, bytes, at(indices, 2, i) * columns + i)) return "pick_rows";
  }
  Bytes taken(rows * columns), spread(rows * columns * bytes);
  if (place_rows(bytes, values.data(), 2, indices.data(), rows, taken.data(), spread.data(), columns) !=
      legal)
    return "place_rows: range";
  for (std::size_t i = 0; legal && i < columns; ++i) {
    if (at(spread, bytes, at(indices, 2, i) * columns + i) != at(values, bytes, i)) return "place_rows";
  }
  if (legal &&
      place_rows(bytes, values.data(), 2, indices.data(), rows, taken.data(), spread.data(), columns))
    return "place_rows: a place taken twice";
  return {};
}

// Displacements into a piece of memory, and the lanes that take part.
struct LaneCase {
  Bytes numbers, memory, mask;
  Displacements displacements;
  LaneMask enabled;
  std::int64_t least = 0;

  [[nodiscard]] std::int64_t displacement(std::size_t lane) const {
    const unsigned width = 8 * displacements.bytes;
    const Word number = at(numbers, displacements.bytes, lane);
    return static_cast<std::int64_t>(displacements.with_sign ? sign_extend(number, width) : number);
  }
  [[nodiscard]] bool takes_part(std::size_t lane) const {
    return enabled.bits == nullptr ||
           (mask[(enabled.first + lane) / 8] >> (enabled.first + lane) % 8 & 1) != 0;
  }
  // Where a lane's element lies in memory.
  [[nodiscard]] std::size_t place(std::size_t lane) const {
    return static_cast<std::size_t>(displacement(lane) - least);
  }
};

LaneCase lanes_of(Stream& in, unsigned bytes, std::size_t count, bool may_mask) {
  LaneCase made;
  made.displacements = {nullptr, 1u << in.below(4), in.byte() % 2 != 0};
  const bool negative = made.displacements.with_sign || made.displacements.bytes == 8;
  made.numbers.resize(count * made.displacements.bytes);
  for (std::size_t i = 0; i < count; ++i)
    put(made.numbers, made.displacements.bytes, i, Word{in.below(100)} - (negative ? 50 : 0));
  made.displacements.numbers = made.numbers.data();
  made.least = negative ? -50 : 0;
  made.memory = row_of(in, ElementType::U8, 100 + bytes);
  made.mask = row_of(in, ElementType::U8, count / 8 + 16);
  if (may_mask && in.byte() % 2 != 0) made.enabled = {made.mask.data(), in.below(20)};
  return made;
}

std::string check_reach(const LaneCase& lanes, Word base, std::size_t count) {
  Reach reach, wanted;
  const std::size_t half = count / 2;
  widen(reach, base, lanes.displacements, lanes.enabled, half);
  const Displacements rest{lanes.displacements.numbers + half * lanes.displacements.bytes,
                           lanes.displacements.bytes, lanes.displacements.with_sign};
  widen(reach, base, rest, {lanes.enabled.bits, lanes.enabled.first + half}, count - half);
  for (std::size_t i = 0; i < count; ++i) {
    if (!lanes.takes_part(i)) continue;
    wanted.least = std::min(wanted.least, lanes.displacement(i));
    wanted.greatest = std::max(wanted.greatest, lanes.displacement(i));
    wanted.low_bits |= base + static_cast<Word>(lanes.displacement(i));
  }
  const bool same = reach.empty() == wanted.empty() &&
                    (reach.empty() || (reach.least == wanted.least && reach.greatest == wanted.greatest));
  return same && (reach.low_bits & 7) == (wanted.low_bits & 7) ? std::string() : "widen";
}

std::string check_lanes(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::byte_addressed);
  const unsigned bytes = carrier_bytes(type);
  const std::size_t count = count_of(in);
  LaneCase lanes = lanes_of(in, bytes, count, true);
  if (std::string wrong = check_reach(lanes, in.word(), count); !wrong.empty()) return wrong;
  Bytes out(count * bytes, 0x5a), wanted = out;
  gather_lanes(bytes, {lanes.memory.data(), lanes.least}, lanes.displacements, lanes.enabled, count,
               out.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (lanes.takes_part(i))
      std::memcpy(wanted.data() + i * bytes, lanes.memory.data() + lanes.place(i), bytes);
  }
  if (out != wanted) return "gather_lanes";
  const Bytes values = row_of(in, type, count);
  Bytes after = lanes.memory;
  scatter_lanes(bytes, {lanes.memory.data(), lanes.least}, lanes.displacements, lanes.enabled, count,
                values.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (lanes.takes_part(i)) std::memcpy(after.data() + lanes.place(i), values.data() + i * bytes, bytes);
  }
  return lanes.memory == after ? std::string() : "scatter_lanes";
}

std::string check_exchange(Stream& in) {
  const ElementType type = type_of(in, numeric::type_sets::byte_addressed);
  const unsigned bytes = carrier_bytes(type);
  const std::size_t count = count_of(in);
  LaneCase lanes = lanes_of(in, bytes, count, false);
  const Bytes replacement = row_of(in, type, count);
  Bytes expected = row_of(in, type, count), out(count * bytes), seen(count * bytes);
  // Many lanes expect what memory holds at first, some what an earlier lane puts there.
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 3 != 0) std::memcpy(expected.data() + i * bytes, lanes.memory.data() + lanes.place(i), bytes);
  }
  Bytes after = lanes.memory;
  exchange_lanes(bytes, {lanes.memory.data(), lanes.least}, lanes.displacements, count, expected.data(),
                 replacement.data(), out.data());
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* place = after.data() + lanes.place(i);
    std::memcpy(seen.data() + i * bytes, place, bytes);
    if (at(seen, bytes, i) == at(expected, bytes, i))
      std::memcpy(place, replacement.data() + i * bytes, bytes);
  }
  if (out != seen) return "exchange_lanes: numbers";
  return lanes.memory == after ? std::string() : "exchange_lanes: memory";
}

constexpr std::string (*checks[])(Stream&) = {
    check_combine,  check_transform, check_multiply_add, check_compare, check_choose,   check_convert,
    check_quantize, check_nibbles,   check_fold,         check_order,   check_products, check_rows,
    check_words,    check_shuffle,   check_row_numbers,  check_lanes,   check_exchange, check_cells};

}  // namespace

std::string check_kernel_case(std::span<const std::uint8_t> bytes) {
  Stream in(bytes);
  return checks[in.byte() % std::size(checks)](in);
}

}  // namespace pto::test
