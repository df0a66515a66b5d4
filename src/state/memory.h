// Memory: 64-bit byte addresses, sparse, with permissions per 4 KiB page.
//
// Storage comes in chunks of 64 KiB that exist once something in them is mapped. A small direct-mapped table
// of recently used chunks makes the common access a compare and an add.
//
// Two configurations exist. An *open* memory grants what was mapped. A *bounded* memory reproduces the model
// of the conformance vectors: addresses 0..size-1 are readable and writable, rings 2..15 only below
// `application_size`, nothing else exists.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bits.h"

namespace pto::state {

enum class Access : std::uint8_t { Read = 1, Write = 2, Execute = 4 };

struct Permissions {
  bool read = false;
  bool write = false;
  bool execute = false;
};

class Memory {
 public:
  static constexpr unsigned page_bits = 12;
  static constexpr unsigned chunk_bits = 16;
  static constexpr std::size_t page_bytes = std::size_t{1} << page_bits;
  static constexpr std::size_t chunk_bytes = std::size_t{1} << chunk_bits;

  struct Bounds {
    Word size = 0;
    Word application_size = 0;
  };

  Memory() = default;
  explicit Memory(Bounds bounds);

  Memory(Memory&&) noexcept = default;  // chunks stay where they are, so the table stays true
  Memory& operator=(Memory&&) noexcept = default;
  Memory(const Memory& other);
  Memory& operator=(const Memory& other);

  // Whether ring `ring` may access [address, address+size); size 0 is always allowed.
  [[nodiscard]] bool permitted(Word address, Word size, Access access, unsigned ring) const;

  // The bytes at `address` when [address, address+size) lies in one page that recently granted `access` to
  // every ring, else null: ask `permitted` and use `load` or `store`. What loads and stores of programs go
  // through.
  [[nodiscard]] std::uint8_t* granted(Word address, Word size, Access access) const {
    const Granted& entry = granted_[access == Access::Write][address >> page_bits & (granted_entries - 1)];
    const Word offset = address & (page_bytes - 1);
    return entry.page == address >> page_bits && offset + size <= page_bytes ? entry.bytes + offset : nullptr;
  }

  // Grants `permissions` on every page that [address, address+size) touches; pages new to the memory read as
  // zero. Permissions add up. Has no effect on a bounded memory. False: the range wraps around.
  [[nodiscard]] bool map(Word address, Word size, Permissions permissions);

  // Gives every page that [address, address+size) touches exactly `permissions`, whatever it had. Else as
  // `map`.
  [[nodiscard]] bool protect(Word address, Word size, Permissions permissions);

  [[nodiscard]] bool mapped(Word address) const;
  // What is mapped: maximal runs of pages of equal permissions, ascending. Nothing of a bounded memory.
  struct Pages {
    Word address = 0;
    Word size = 0;
    Permissions permissions;
  };
  [[nodiscard]] std::vector<Pages> mapped_pages() const;

  // Accesses below do not check permissions: ask `permitted` first. Reading what does not exist gives zero.
  [[nodiscard]] Word load(Word address, unsigned size) const {
    if (const std::uint8_t* at = contiguous(address, size)) {
      Word value = 0;
      std::memcpy(&value, at, size);
      return value;
    }
    return load_slowly(address, size);
  }
  void store(Word address, unsigned size, Word value) {
    if (std::uint8_t* at = contiguous(address, size)) {
      std::memcpy(at, &value, size);
      return;
    }
    store_slowly(address, size, value);
  }
  void read(Word address, std::span<std::uint8_t> out) const;
  void write(Word address, std::span<const std::uint8_t> bytes);
  void clear(Word address, Word size);

  // The bytes at `address` if [address, address+size) lies in one existing chunk, else null. Bulk users (tile
  // loads, gathers) take a span from here and fall back to load/store.
  [[nodiscard]] const std::uint8_t* contiguous(Word address, Word size) const {
    const Word offset = address & (chunk_bytes - 1);
    if (size > chunk_bytes) return nullptr;
    const Chunk* chunk = find(address >> chunk_bits);
    return chunk && offset + size <= chunk->bytes.size() ? chunk->bytes.data() + offset : nullptr;
  }
  [[nodiscard]] std::uint8_t* contiguous(Word address, Word size) {
    return const_cast<std::uint8_t*>(std::as_const(*this).contiguous(address, size));
  }

  // Like `contiguous`, and null too unless the whole chunk grants `access` to `ring`: the caller may then
  // access anything in [address & ~0xffff, +64 KiB) without asking again.
  [[nodiscard]] const std::uint8_t* permitted_chunk(Word address, Access access, unsigned ring) const;

  // The bytes of [address, address+size) when they lie in one piece and ring `ring` may access all of them
  // without anybody being told; else null: ask `permitted`, access by access. Looks at every page, for reads
  // only the first time.
  [[nodiscard]] const std::uint8_t* readable_piece(Word address, Word size, unsigned ring) const {
    return piece(address, size, Access::Read, ring);
  }
  [[nodiscard]] std::uint8_t* writable_piece(Word address, Word size, unsigned ring) {
    return piece(address, size, Access::Write, ring);
  }
  [[nodiscard]] bool has_writable_piece(Word address, Word size, unsigned ring) const {
    return piece(address, size, Access::Write, ring) != nullptr;
  }

  // Watches a page whose instructions someone has decoded: the next permitted write to it is noted in
  // `watched_writes` and ends the watch. Whoever decoded must then forget. An unwatched page costs nothing. A
  // page that may not be written is watched too: it may become writable.
  void watch_page(Word page);
  [[nodiscard]] bool has_watched_writes() const { return watched_write_pending_; }
  std::vector<Word> take_watched_writes() {
    watched_write_pending_ = false;
    return std::exchange(watched_writes_, {});
  }

  // What a watched run wrote: ranges in the order they were asked for, with the bytes that stood there
  // before.
  struct WriteLog {
    struct Range {
      Word address = 0;
      Word size = 0;
      std::size_t old_bytes = 0;  // where they begin in `bytes`
    };
    std::vector<Range> ranges;
    std::vector<std::uint8_t> bytes;
    void clear() {
      ranges.clear();
      bytes.clear();
    }
  };
  // Keeps `log` until called with null. Meanwhile every page asks before each write, as a watched one does; a
  // memory without a log costs nothing. The log outlives its use here.
  void log_writes(WriteLog* log);

  // Maximal runs of non-zero bytes, ascending.
  struct Run {
    Word address;
    std::vector<std::uint8_t> bytes;
  };
  [[nodiscard]] std::vector<Run> nonzero_runs() const;

  [[nodiscard]] bool bounded() const { return bounds_.size != 0; }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] std::size_t mapped_bytes() const { return chunks_.size() * chunk_bytes; }

  // First address where the two differ, comparing contents only.
  [[nodiscard]] static bool first_difference(const Memory& left, const Memory& right, Word& address);

 private:
  // Consecutive chunks that were mapped together share one piece of host memory.
  struct Slab {
    Word start = 0;
    std::size_t size = 0;
    std::unique_ptr<std::uint8_t[], decltype(&std::free)> data{nullptr, &std::free};
    // Whether all of it may be read, once somebody asked; new permissions bring the question up again.
    mutable bool judged = false;
    mutable bool readable = false;
  };
  struct Chunk {
    std::array<std::uint8_t, chunk_bytes / page_bytes> permissions{};
    std::span<std::uint8_t> bytes;  // chunk_bytes, fewer only in a bounded memory
    const Slab* slab = nullptr;
  };

  [[nodiscard]] Chunk* find(Word index) const {
    const std::size_t slot = index % recent_.size();
    if (recent_[slot].index == index && recent_[slot].chunk != nullptr) return recent_[slot].chunk;
    return find_slowly(index);
  }
  // Whether every page of the chunk grants `access`.
  static bool grants(const Chunk& chunk, Access access);
  Chunk* find_slowly(Word index) const;
  Chunk& make(Word index);
  // Whether all of the slab may be read.
  [[nodiscard]] bool readable(const Slab& slab) const;
  [[nodiscard]] std::uint8_t* piece(Word address, Word size, Access access, unsigned ring) const;
  // Gives storage to chunks first..last where they have none.
  void back(Word first, Word last);
  Slab& new_slab(Word start, std::size_t size);
  [[nodiscard]] Word load_slowly(Word address, unsigned size) const;
  void store_slowly(Word address, unsigned size, Word value);

  static constexpr std::size_t recent_entries = 512;
  struct Recent {
    Word index = 0;
    Chunk* chunk = nullptr;
  };

  void note_watched_write(Chunk& chunk, Word page) const;
  void note_logged_write(Word address, Word size) const;
  static void set_write_aside(Chunk& chunk);
  // Sets the permissions of pages anew; `keep`: adds to those they have.
  bool grant(Word address, Word size, Permissions permissions, bool keep);

  // A page whose permission was found out, and its bytes.
  struct Granted {
    Word page = ~Word{0};
    std::uint8_t* bytes = nullptr;
  };
  static constexpr std::size_t granted_entries = 256;
  void note_granted(Chunk& chunk, Word page, Access access) const;

  Bounds bounds_;
  std::unordered_map<Word, std::unique_ptr<Chunk>> chunks_;
  mutable std::array<std::array<Granted, granted_entries>, 2> granted_{};
  WriteLog* log_ = nullptr;
  mutable bool watched_write_pending_ = false;
  mutable std::vector<Word> watched_writes_;
  mutable std::array<Recent, recent_entries> recent_{};
  std::vector<std::unique_ptr<Slab>> slabs_;
};

}  // namespace pto::state
