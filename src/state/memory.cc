#include "state/memory.h"

#include <algorithm>

namespace pto::state {
namespace {

constexpr std::uint8_t bit_of(Access access) { return static_cast<std::uint8_t>(access); }

constexpr std::uint8_t bits_of(Permissions permissions) {
  return static_cast<std::uint8_t>((permissions.read ? bit_of(Access::Read) : 0) |
                                   (permissions.write ? bit_of(Access::Write) : 0) |
                                   (permissions.execute ? bit_of(Access::Execute) : 0));
}

constexpr std::uint8_t all_permissions = 7;
// A watched page has its write permission set aside, so that a permitted write finds out.
constexpr std::uint8_t watched_writable = 8;
// Someone decoded instructions of the page and wants to know.
constexpr std::uint8_t decoded = 16;
// Somebody mapped the page, perhaps without any permission.
constexpr std::uint8_t mapped_page = 32;

}  // namespace

Memory::Memory(Bounds bounds) : bounds_(bounds) {
  if (bounds.size == 0) return;
  // A model memory is small and made afresh for every step checked: keep it no larger than it is.
  Slab& slab = new_slab(0, bounds.size);
  for (Word address = 0; address < bounds.size; address += chunk_bytes) {
    Chunk& chunk = make(address >> chunk_bits);
    chunk.permissions.fill(all_permissions);
    chunk.slab = &slab;
    chunk.bytes = {slab.data.get() + address, std::min<Word>(chunk_bytes, bounds.size - address)};
  }
}

Memory::Memory(const Memory& other) : bounds_(other.bounds_) {
  for (const std::unique_ptr<Slab>& theirs : other.slabs_) {
    Slab& slab = new_slab(theirs->start, theirs->size);
    std::memcpy(slab.data.get(), theirs->data.get(), slab.size);
    for (Word offset = 0; offset < slab.size; offset += chunk_bytes) {
      const Word index = (slab.start + offset) >> chunk_bits;
      Chunk& chunk = make(index);
      chunk.permissions = other.chunks_.at(index)->permissions;
      chunk.slab = &slab;
      chunk.bytes = {slab.data.get() + offset, std::min<Word>(chunk_bytes, slab.size - offset)};
    }
  }
}

Memory::Slab& Memory::new_slab(Word start, std::size_t size) {
  slabs_.push_back(std::make_unique<Slab>());
  Slab& slab = *slabs_.back();
  slab.start = start;
  slab.size = size;
  slab.data.reset(static_cast<std::uint8_t*>(std::calloc(size, 1)));
  if (slab.data == nullptr) throw std::bad_alloc();  // as every other allocation that fails
  return slab;
}

void Memory::back(Word first, Word last) {
  for (Word index = first; index <= last; ++index) {
    if (!make(index).bytes.empty()) continue;
    Word end = index;
    while (end < last && make(end + 1).bytes.empty()) ++end;
    Slab& slab = new_slab(index << chunk_bits, (end - index + 1) << chunk_bits);
    for (Word mine = index; mine <= end; ++mine) {
      Chunk& chunk = make(mine);
      chunk.slab = &slab;
      chunk.bytes = {slab.data.get() + ((mine - index) << chunk_bits), chunk_bytes};
    }
    index = end;
  }
}

Memory& Memory::operator=(const Memory& other) {
  if (this != &other) *this = Memory(other);
  return *this;
}

bool Memory::grants(const Chunk& chunk, Access access) {
  return std::ranges::all_of(chunk.permissions,
                             [&](std::uint8_t granted) { return (granted & bit_of(access)) != 0; });
}

Memory::Chunk* Memory::find_slowly(Word index) const {
  const auto found = chunks_.find(index);
  if (found == chunks_.end()) return nullptr;
  // Short chunks (bounded memories) stay out of the table: its users assume chunk_bytes of storage.
  if (found->second->bytes.size() == chunk_bytes) {
    recent_[index % recent_.size()] = {index, found->second.get()};
  }
  return found->second.get();
}

Memory::Chunk& Memory::make(Word index) {
  std::unique_ptr<Chunk>& chunk = chunks_[index];
  if (!chunk) chunk = std::make_unique<Chunk>();
  return *chunk;
}

bool Memory::permitted(Word address, Word size, Access access, unsigned ring) const {
  if (size == 0) return true;
  const Word last = address + (size - 1);
  if (last < address) return false;
  if (bounded()) return last < (ring >= 2 ? std::min(bounds_.application_size, bounds_.size) : bounds_.size);
  for (Word page = address >> page_bits; page <= last >> page_bits; ++page) {
    Chunk* chunk = find(page >> (chunk_bits - page_bits));
    if (!chunk) return false;
    const std::uint8_t granted = chunk->permissions[page % chunk->permissions.size()];
    if ((granted & bit_of(access)) != 0) {
      if (access != Access::Execute) note_granted(*chunk, page, access);
      continue;
    }
    if (access != Access::Write || (granted & watched_writable) == 0) return false;
    note_watched_write(*chunk, page);
  }
  if (log_ != nullptr && access == Access::Write) note_logged_write(address, size);
  return true;
}

void Memory::note_granted(Chunk& chunk, Word page, Access access) const {
  const Word offset = (page << page_bits) & (chunk_bytes - 1);
  granted_[access == Access::Write][page & (granted_entries - 1)] = {page, chunk.bytes.data() + offset};
}

void Memory::note_watched_write(Chunk& chunk, Word page) const {
  std::uint8_t& granted = chunk.permissions[page % chunk.permissions.size()];
  if ((granted & decoded) != 0) {
    watched_writes_.push_back(page);
    watched_write_pending_ = true;
    granted = static_cast<std::uint8_t>(granted & ~decoded);
  }
  if (log_ == nullptr)
    granted = static_cast<std::uint8_t>((granted & ~watched_writable) | bit_of(Access::Write));
}

void Memory::note_logged_write(Word address, Word size) const {
  WriteLog& log = *log_;
  // Templates ask for piece after piece.
  const bool goes_on = !log.ranges.empty() && log.ranges.back().address + log.ranges.back().size == address;
  if (goes_on) {
    log.ranges.back().size += size;
  } else {
    log.ranges.push_back({address, size, log.bytes.size()});
  }
  const std::size_t at = log.bytes.size();
  log.bytes.resize(at + size);
  read(address, std::span(log.bytes).subspan(at));
}

void Memory::set_write_aside(Chunk& chunk) {
  for (std::uint8_t& granted : chunk.permissions) {
    if ((granted & bit_of(Access::Write)) != 0)
      granted = static_cast<std::uint8_t>((granted & ~bit_of(Access::Write)) | watched_writable);
  }
}

void Memory::log_writes(WriteLog* log) {
  log_ = log;
  if (bounded()) return;
  granted_ = {};
  for (const auto& [index, chunk] : chunks_) {
    if (log != nullptr) {
      set_write_aside(*chunk);
      continue;
    }
    // Pages stay watched where somebody else wants that.
    for (std::uint8_t& granted : chunk->permissions) {
      if ((granted & (watched_writable | decoded)) == watched_writable)
        granted = static_cast<std::uint8_t>((granted & ~watched_writable) | bit_of(Access::Write));
    }
  }
}

void Memory::watch_page(Word page) {
  Chunk* chunk = find(page >> (chunk_bits - page_bits));
  if (chunk == nullptr || bounded()) return;
  std::uint8_t& granted = chunk->permissions[page % chunk->permissions.size()];
  if ((granted & bit_of(Access::Write)) != 0)
    granted = static_cast<std::uint8_t>((granted & ~bit_of(Access::Write)) | watched_writable);
  granted |= decoded;
  granted_[true][page & (granted_entries - 1)] = {};
}

bool Memory::map(Word address, Word size, Permissions permissions) {
  return grant(address, size, permissions, true);
}

bool Memory::protect(Word address, Word size, Permissions permissions) {
  granted_ = {};  // some of it may be granted no more
  return grant(address, size, permissions, false);
}

bool Memory::grant(Word address, Word size, Permissions permissions, bool keep) {
  if (size == 0 || bounded()) return true;
  const Word last = address + (size - 1);
  if (last < address) return false;
  back(address >> chunk_bits, last >> chunk_bits);
  for (Word page = address >> page_bits; page <= last >> page_bits; ++page) {
    Chunk& chunk = make(page >> (chunk_bits - page_bits));
    std::uint8_t& granted = chunk.permissions[page % chunk.permissions.size()];
    const bool watched = (granted & (watched_writable | decoded)) != 0;
    if (!keep) granted &= decoded;
    granted |= static_cast<std::uint8_t>(bits_of(permissions) | mapped_page);
    // A page that is watched stays watched.
    if (watched && (granted & bit_of(Access::Write)) != 0)
      granted = static_cast<std::uint8_t>((granted & ~bit_of(Access::Write)) | watched_writable);
    if (log_ != nullptr) set_write_aside(chunk);
    chunk.slab->judged = false;
  }
  return true;
}

bool Memory::mapped(Word address) const {
  const Chunk* chunk = find(address >> chunk_bits);
  return chunk != nullptr &&
         (bounded() ||
          (chunk->permissions[(address >> page_bits) % chunk->permissions.size()] & mapped_page) != 0);
}

std::vector<Memory::Pages> Memory::mapped_pages() const {
  std::vector<Pages> out;
  if (bounded()) return out;
  std::vector<Word> indices;
  for (const auto& [index, chunk] : chunks_) indices.push_back(index);
  std::sort(indices.begin(), indices.end());
  std::uint8_t last = 0;
  for (const Word index : indices) {
    const Chunk& chunk = *chunks_.at(index);
    for (std::size_t i = 0; i < chunk.permissions.size(); ++i) {
      std::uint8_t granted = chunk.permissions[i];
      if ((granted & mapped_page) == 0) continue;
      if ((granted & watched_writable) != 0) granted |= bit_of(Access::Write);
      granted &= all_permissions;
      const Word address = (index << chunk_bits) + (Word{i} << page_bits);
      if (!out.empty() && out.back().address + out.back().size == address && granted == last) {
        out.back().size += page_bytes;
      } else {
        const auto grants = [&](Access access) { return (granted & bit_of(access)) != 0; };
        out.push_back({address,
                       page_bytes,
                       {.read = grants(Access::Read),
                        .write = grants(Access::Write),
                        .execute = grants(Access::Execute)}});
      }
      last = granted;
    }
  }
  return out;
}

const std::uint8_t* Memory::permitted_chunk(Word address, Access access, unsigned) const {
  if (bounded()) return nullptr;
  const Chunk* chunk = find(address >> chunk_bits);
  if (!chunk) return nullptr;
  return grants(*chunk, access) ? chunk->bytes.data() : nullptr;
}

bool Memory::readable(const Slab& slab) const {
  if (!slab.judged) {
    slab.judged = true;
    slab.readable = true;
    for (Word offset = 0; offset < slab.size; offset += chunk_bytes)
      slab.readable = slab.readable && grants(*find((slab.start + offset) >> chunk_bits), Access::Read);
  }
  return slab.readable;
}

std::uint8_t* Memory::piece(Word address, Word size, Access access, unsigned ring) const {
  const Chunk* chunk = find(address >> chunk_bits);
  if (size == 0 || chunk == nullptr || chunk->slab == nullptr) return nullptr;
  const Slab& slab = *chunk->slab;
  const Word offset = address - slab.start;
  if (offset >= slab.size || size > slab.size - offset) return nullptr;
  std::uint8_t* data = slab.data.get() + offset;
  // Nobody watches a bounded memory.
  if (bounded()) return permitted(address, size, access, ring) ? data : nullptr;
  if (access == Access::Read && readable(slab)) return data;
  for (Word page = address >> page_bits; page <= (address + (size - 1)) >> page_bits; ++page) {
    const Chunk& of = *find(page >> (chunk_bits - page_bits));
    if ((of.permissions[page % of.permissions.size()] & bit_of(access)) == 0) return nullptr;
  }
  return data;
}

Word Memory::load_slowly(Word address, unsigned size) const {
  Word value = 0;
  for (unsigned i = 0; i < size; ++i) {
    const Word at = address + i;
    const Chunk* chunk = find(at >> chunk_bits);
    const Word offset = at & (chunk_bytes - 1);
    if (chunk && offset < chunk->bytes.size()) value |= Word{chunk->bytes[offset]} << (8 * i);
  }
  return value;
}

void Memory::store_slowly(Word address, unsigned size, Word value) {
  for (unsigned i = 0; i < size; ++i) {
    const Word at = address + i;
    Chunk* chunk = find(at >> chunk_bits);
    const Word offset = at & (chunk_bytes - 1);
    if (chunk && offset < chunk->bytes.size())
      chunk->bytes[offset] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

void Memory::read(Word address, std::span<std::uint8_t> out) const {
  while (!out.empty()) {
    const Word offset = address & (chunk_bytes - 1);
    const std::size_t step = std::min<Word>(chunk_bytes - offset, out.size());
    const Chunk* chunk = find(address >> chunk_bits);
    const std::size_t stored =
        chunk && offset < chunk->bytes.size() ? std::min<Word>(step, chunk->bytes.size() - offset) : 0;
    if (stored != 0) std::memcpy(out.data(), chunk->bytes.data() + offset, stored);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(stored),
              out.begin() + static_cast<std::ptrdiff_t>(step), std::uint8_t{0});
    address += step;
    out = out.subspan(step);
  }
}

void Memory::write(Word address, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const Word offset = address & (chunk_bytes - 1);
    const std::size_t step = std::min<Word>(chunk_bytes - offset, bytes.size());
    Chunk* chunk = find(address >> chunk_bits);
    if (chunk && offset < chunk->bytes.size()) {
      std::memcpy(chunk->bytes.data() + offset, bytes.data(),
                  std::min<Word>(step, chunk->bytes.size() - offset));
    }
    address += step;
    bytes = bytes.subspan(step);
  }
}

void Memory::clear(Word address, Word size) {
  while (size != 0) {
    const Word offset = address & (chunk_bytes - 1);
    const Word step = std::min<Word>(chunk_bytes - offset, size);
    Chunk* chunk = find(address >> chunk_bits);
    if (chunk != nullptr && offset < chunk->bytes.size())
      std::memset(chunk->bytes.data() + offset, 0, std::min<Word>(step, chunk->bytes.size() - offset));
    address += step;
    size -= step;
  }
}

std::vector<Memory::Run> Memory::nonzero_runs() const {
  std::vector<Word> indices;
  for (const auto& [index, chunk] : chunks_) indices.push_back(index);
  std::sort(indices.begin(), indices.end());
  std::vector<Run> runs;
  for (const Word index : indices) {
    const std::span<const std::uint8_t> bytes = chunks_.at(index)->bytes;
    for (std::size_t i = 0; i < bytes.size();) {
      if (bytes[i] == 0) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < bytes.size() && bytes[end] != 0) ++end;
      const Word address = (index << chunk_bits) + i;
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i);
      const auto last = bytes.begin() + static_cast<std::ptrdiff_t>(end);
      if (!runs.empty() && runs.back().address + runs.back().bytes.size() == address) {
        runs.back().bytes.insert(runs.back().bytes.end(), first, last);
      } else {
        runs.push_back({address, {first, last}});
      }
      i = end;
    }
  }
  return runs;
}

bool Memory::first_difference(const Memory& left, const Memory& right, Word& address) {
  bool found = false;
  const auto note = [&](Word at) {
    if (!found || at < address) address = at;
    found = true;
  };
  const auto compare = [&](Word index, std::span<const std::uint8_t> a, const std::span<std::uint8_t>* b) {
    if (b && a.size() == b->size() && std::memcmp(a.data(), b->data(), a.size()) == 0) return;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::uint8_t other = b && i < b->size() ? (*b)[i] : 0;
      if (a[i] != other) return note((index << chunk_bits) + i);
    }
  };
  for (const auto& [index, chunk] : left.chunks_) {
    const auto twin = right.chunks_.find(index);
    compare(index, chunk->bytes, twin == right.chunks_.end() ? nullptr : &twin->second->bytes);
  }
  for (const auto& [index, chunk] : right.chunks_) {
    const auto twin = left.chunks_.find(index);
    compare(index, chunk->bytes, twin == left.chunks_.end() ? nullptr : &twin->second->bytes);
  }
  return found;
}

}  // namespace pto::state
