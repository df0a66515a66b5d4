#include "state/tile.h"

#include <algorithm>
#include <cstring>

#include "base/bits.h"

namespace pto::state {

namespace {
std::size_t words_for(std::size_t elements) { return divide_up<std::size_t>(elements, 64); }
}  // namespace

std::shared_ptr<TileStorage::Data> TileStorage::make(std::size_t payload_bytes, std::size_t elements) {
  auto data = std::make_shared<Data>();
  data->payload_bytes = payload_bytes;
  data->elements = elements;
  // Payload bytes stay unspecified: producers write them, and what they leave out is undefined.
  data->payload = std::make_unique_for_overwrite<std::uint8_t[]>(payload_bytes + slack);
  data->defined = std::make_unique<std::uint64_t[]>(words_for(elements) + 1);
  return data;
}

TileStorage::TileStorage(std::size_t payload_bytes, std::size_t elements)
    : data_(make(payload_bytes, elements)) {}

std::span<const std::uint8_t> TileStorage::payload() const {
  if (!data_) return {};
  return {data_->payload.get(), data_->payload_bytes};
}

std::span<const std::uint64_t> TileStorage::defined() const {
  if (!data_) return {};
  return {data_->defined.get(), words_for(data_->elements)};
}

void TileStorage::own() {
  if (!data_ || data_.use_count() == 1) return;
  auto copy = make(data_->payload_bytes, data_->elements);
  std::memcpy(copy->payload.get(), data_->payload.get(), data_->payload_bytes);
  std::copy_n(data_->defined.get(), words_for(data_->elements), copy->defined.get());
  data_ = std::move(copy);
}

std::span<std::uint8_t> TileStorage::mutable_payload() {
  own();
  if (!data_) return {};
  return {data_->payload.get(), data_->payload_bytes};
}

std::span<std::uint64_t> TileStorage::mutable_defined() {
  own();
  if (!data_) return {};
  return {data_->defined.get(), words_for(data_->elements)};
}

void TileStorage::grow(std::size_t payload_bytes, std::size_t elements) {
  if (payload_bytes <= this->payload_bytes() && elements <= this->elements()) return;
  auto bigger = make(std::max(payload_bytes, this->payload_bytes()), std::max(elements, this->elements()));
  std::memset(bigger->payload.get(), 0, bigger->payload_bytes);
  if (data_) {
    std::memcpy(bigger->payload.get(), data_->payload.get(), data_->payload_bytes);
    std::copy_n(data_->defined.get(), words_for(data_->elements), bigger->defined.get());
  }
  data_ = std::move(bigger);
}

bool Tile::defined(std::uint64_t index) const {
  if (index >= storage.elements()) return false;
  return (storage.defined()[index / 64] >> (index % 64) & 1) != 0;
}

std::uint64_t Tile::element(std::uint64_t index) const {
  const unsigned bits = storage_bits();
  const std::span<const std::uint8_t> bytes = storage.payload();
  const std::uint64_t first = index * bits / 8;
  if (bits < 8) {
    if (first >= bytes.size()) return 0;
    return bytes[first] >> (index * bits % 8) & mask_of(bits);
  }
  if (first + bits / 8 > bytes.size()) return 0;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + first, bits / 8);
  return value;
}

void Tile::set_element(std::uint64_t index, std::uint64_t value) {
  const unsigned bits = storage_bits();
  const std::uint64_t first = index * bits / 8;
  storage.grow(first + std::max(1u, bits / 8), index + 1);
  std::uint8_t* byte = storage.mutable_payload().data() + first;
  if (bits < 8) {
    const unsigned shift = index * bits % 8;
    const auto field = static_cast<std::uint8_t>(mask_of(bits) << shift);
    *byte = static_cast<std::uint8_t>((*byte & ~field) | ((value << shift) & field));
  } else {
    std::memcpy(byte, &value, bits / 8);
  }
  storage.mutable_defined()[index / 64] |= std::uint64_t{1} << (index % 64);
}

void Tile::fresh_storage() {
  const std::uint64_t bits = storage_bits();
  const std::uint64_t shaped = std::uint64_t{rows} * columns;
  const std::uint64_t held =
      storage_kind == StorageKind::Predicate ? 0 : std::uint64_t{capacity_bytes} * 8 / bits;
  // A descriptor set by hand can name any shape; no tile has more elements than this.
  const std::uint64_t elements = std::min<std::uint64_t>(std::max(shaped, held), max_tile_elements);
  storage = TileStorage(divide_up<std::uint64_t>(elements * bits, 8), elements);
}

}  // namespace pto::state
