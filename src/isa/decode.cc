// Decoding in two steps: a few bits of the word, chosen per length, find a short list of candidates that is
// sorted from the most specific form to the least; the first whose mask and match fit is the form.
// Constraints never take part in choosing: a word whose most specific form forbids its operands is illegal,
// not another form.
#include "isa/decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace pto::isa {

namespace {

// The ten bits of a word that tell most forms of its length apart.
constexpr unsigned key_bits = 10;

constexpr unsigned key_of(Word word, unsigned bits) {
  switch (bits) {
    case 16: return static_cast<unsigned>(bits_of(word, 0, 6) | bits_of(word, 11, 4) << 6);
    case 48: return static_cast<unsigned>(bits_of(word, 16, 7) | bits_of(word, 28, 3) << 7);
    default: return static_cast<unsigned>(bits_of(word, 0, 7) | bits_of(word, 12, 3) << 7);
  }
}

// The bits of the word that key_of looks at.
constexpr Word key_mask(unsigned bits) {
  switch (bits) {
    case 16: return mask_of(6) | mask_of(4) << 11;
    case 48: return mask_of(7) << 16 | mask_of(3) << 28;
    default: return mask_of(7) | mask_of(3) << 12;
  }
}

struct Candidate {
  Word mask = 0;
  Word match = 0;
  const Form* form = nullptr;
};

// The candidates of one surface, length and release, grouped by key.
class Index {
 public:
  void build(Surface surface, unsigned bits, Release release) {
    bits_ = bits;
    std::vector<const Form*> forms;
    for (const Form* form : forms_of(surface)) {
      if (form->bits.bits == bits && form->in(release)) forms.push_back(form);
    }
    std::stable_sort(forms.begin(), forms.end(), [](const Form* a, const Form* b) {
      const int fixed_a = std::popcount(a->bits.mask);
      const int fixed_b = std::popcount(b->bits.mask);
      return fixed_a != fixed_b ? fixed_a > fixed_b : a->id < b->id;
    });
    for (unsigned key = 0; key < begin_.size() - 1; ++key) {
      begin_[key] = static_cast<std::uint32_t>(candidates_.size());
      for (const Form* form : forms) {
        if (agrees(*form, key)) candidates_.push_back({form->bits.mask, form->bits.match, form});
      }
    }
    begin_.back() = static_cast<std::uint32_t>(candidates_.size());
  }

  [[nodiscard]] const Form* find(Word word) const {
    const unsigned key = key_of(word, bits_);
    for (std::uint32_t index = begin_[key]; index < begin_[key + 1]; ++index) {
      const Candidate& candidate = candidates_[index];
      if ((word & candidate.mask) == candidate.match) return candidate.form;
    }
    return nullptr;
  }

 private:
  // Whether some word of the form has this key.
  [[nodiscard]] bool agrees(const Form& form, unsigned key) const {
    const unsigned fixed = key_of(form.bits.mask & key_mask(bits_), bits_);
    return ((key ^ key_of(form.bits.match, bits_)) & fixed) == 0;
  }

  unsigned bits_ = 0;
  std::array<std::uint32_t, (1u << key_bits) + 1> begin_{};
  std::vector<Candidate> candidates_;
};

constexpr std::array<unsigned, 4> lengths{16, 32, 48, 64};

struct Indexes {
  std::array<std::array<std::array<Index, lengths.size()>, all_releases.size()>, 2> by;

  Indexes() {
    for (const Surface surface : {Surface::Block, Surface::Scalar}) {
      for (const Release release : all_releases) {
        for (std::size_t length = 0; length < lengths.size(); ++length) {
          by[static_cast<std::size_t>(surface)][static_cast<std::size_t>(release)][length].build(
              surface, lengths[length], release);
        }
      }
    }
  }
};

const Indexes& indexes() {
  static const Indexes once;
  return once;
}

Decoded decode_on(Surface surface, Word word, unsigned bits, Release release) {
  const std::size_t length = bits / 16 - 1;
  if (bits % 16 != 0 || length >= lengths.size()) return {};
  word &= mask_of(bits);
  const Form* form =
      indexes().by[static_cast<std::size_t>(surface)][static_cast<std::size_t>(release)][length].find(word);
  if (form == nullptr) return {};
  return {.form = form, .violated = form->violated(word, release)};
}

}  // namespace

Decoded decode_command(Word word, unsigned bits, Release release) {
  return decode_on(Surface::Block, word, bits, release);
}

Decoded decode_scalar(Word word, unsigned bits, Release release) {
  return decode_on(Surface::Scalar, word, bits, release);
}

Decoded decode(Word word, unsigned bits, Release release) {
  const Decoded command = decode_command(word, bits, release);
  return command.form != nullptr ? command : decode_scalar(word, bits, release);
}

unsigned length_bits(std::uint16_t first_halfword) {
  switch (first_halfword & 0xf) {
    case 0xe: return 48;
    case 0xf: return 64;
    default: return (first_halfword & 1) == 0 ? 16 : 32;
  }
}

}  // namespace pto::isa
