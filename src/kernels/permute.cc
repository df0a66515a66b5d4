#include "kernels/permute.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/permute.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pto::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Two table look-ups per vector, one per source, and a select. Groups of 4 and 8 bytes never cross the
// 16-byte blocks a look-up works in, so the index within the block is the index within the group plus the
// group's place.
std::uint8_t PermuteBytes(const std::uint8_t* HWY_RESTRICT first, const std::uint8_t* HWY_RESTRICT second,
                          const std::uint8_t* HWY_RESTRICT indices, std::uint8_t* HWY_RESTRICT out,
                          std::size_t bytes, unsigned group) {
#if HWY_TARGET == HWY_SCALAR
  // One-byte vectors hold no group to look up in.
  return permute_bytes_plain(first, second, indices, out, bytes, group);
#else
  const hn::CappedTag<std::uint8_t, 128> d;
  const auto place = hn::And(hn::Iota(d, 0), hn::Set(d, static_cast<std::uint8_t>(0x10u - group)));
  const auto within = hn::Set(d, static_cast<std::uint8_t>(group - 1));
  const auto which = hn::Set(d, static_cast<std::uint8_t>(group));
  auto seen = hn::Zero(d);
  for (std::size_t i = 0; i < bytes; i += hn::Lanes(d)) {
    const auto index = hn::LoadU(d, indices + i);
    seen = hn::Or(seen, index);
    const auto at = hn::Or(hn::And(index, within), place);
    const auto from_first = hn::TableLookupBytes(hn::LoadU(d, first + i), at);
    const auto from_second = hn::TableLookupBytes(hn::LoadU(d, second + i), at);
    const auto take_second = hn::TestBit(index, which);
    hn::StoreU(hn::IfThenElse(take_second, from_second, from_first), d, out + i);
  }
  HWY_ALIGN std::uint8_t lanes[HWY_MAX_BYTES];
  hn::Store(seen, d, lanes);
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) all = static_cast<std::uint8_t>(all | lanes[i]);
  return all;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::kernels {
HWY_EXPORT(PermuteBytes);

std::uint8_t permute_bytes(const std::uint8_t* first, const std::uint8_t* second, const std::uint8_t* indices,
                           std::uint8_t* out, std::size_t bytes, unsigned group) {
  return HWY_DYNAMIC_DISPATCH(PermuteBytes)(first, second, indices, out, bytes, group);
}

std::uint8_t permute_bytes_plain(const std::uint8_t* first, const std::uint8_t* second,
                                 const std::uint8_t* indices, std::uint8_t* out, std::size_t bytes,
                                 unsigned group) {
  std::uint8_t all = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint8_t index = indices[i];
    const std::size_t at = i / group * group + index % group;
    out[i] = (index & group) != 0 ? second[at] : first[at];
    all = static_cast<std::uint8_t>(all | index);
  }
  return all;
}
}  // namespace pto::kernels
#endif
