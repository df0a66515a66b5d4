#include "cli/host.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "cli/interrupt.h"
#include "door/convention.h"
#include "exec/tile/destinations.h"

namespace pto::cli {

namespace {

using door::a0, door::a1, door::a2, door::a7;
using door::request_exit, door::request_exit_group;
enum : Word {
  request_read = 63,
  request_write = 64,
  request_clock = 113,
  request_map = 222,
  request_release = 1024
};
constexpr Word nanoseconds = 1'000'000'000;
// One transfer moves at most this much; a program that asks for more is told how much it got.
constexpr Word largest_transfer = Word{1} << 24;
// Mappings whose address the program leaves to the host lie here, each behind all that is there already; the
// stack comes behind.
constexpr Word map_area = 0x7000'0000'0000, map_end = 0x7f00'0000'0000;
constexpr Word largest_map = Word{1} << 34;

std::int64_t read_from_host(state::Machine& machine, const Host::Streams& streams) {
  const Word address = machine.read_gpr(a1);
  const Word size = std::min(machine.read_gpr(a2), largest_transfer);
  if (machine.read_gpr(a0) != 0) return -EBADF;
  if (!machine.memory.permitted(address, size, state::Access::Write, machine.current_acr)) return -EFAULT;
  std::vector<std::uint8_t> buffer(size);
  const std::int64_t got = streams.read(buffer);
  if (got > 0) machine.memory.write(address, std::span(buffer).first(static_cast<std::size_t>(got)));
  return got;
}

std::int64_t write_to_host(state::Machine& machine, const Host::Streams& streams) {
  const Word file = machine.read_gpr(a0);
  const Word address = machine.read_gpr(a1);
  const Word size = std::min(machine.read_gpr(a2), largest_transfer);
  if (file != 1 && file != 2) return -EBADF;
  if (!machine.memory.permitted(address, size, state::Access::Read, machine.current_acr)) return -EFAULT;
  std::vector<std::uint8_t> buffer(size);
  machine.memory.read(address, buffer);
  return streams.write(static_cast<unsigned>(file), buffer);
}

std::int64_t clock_time(state::Machine& machine) {
  const Word address = machine.read_gpr(a1);
  constexpr Word size = 16;
  if (!machine.memory.permitted(address, size, state::Access::Write, machine.current_acr)) return -EFAULT;
  const Word now = machine.system_registers.cycle;
  machine.memory.store(address, 8, now / nanoseconds);
  machine.memory.store(address + 8, 8, now % nanoseconds);
  return 0;
}

std::int64_t release_tiles(state::Machine& machine) {
  const Word mask = machine.read_gpr(a0);
  for (unsigned i = 0; i < state::tile_count; ++i) {
    if ((mask >> i & 1) == 0) continue;
    machine.tiles[i] = exec::released_tile();
    if (machine.tile_feature_maps.exists(i)) machine.tile_feature_maps.at(i).valid = false;
  }
  return 0;
}

}  // namespace

Host::Host(Streams streams) : streams_(std::move(streams)) {}

void Host::count_pages(const state::Machine& machine) {
  mapped_ = Mapped{.bytes = 0, .end = 0};
  for (const state::Memory::Pages& run : machine.memory.mapped_pages()) {
    mapped_->bytes += run.size;
    const Word end = run.address + run.size;
    if (end > map_area && run.address < map_end) mapped_->end = end;
  }
}

Word Host::free_place(const state::Machine& machine, Word length) const {
  // A page stays free on both sides, so that running over an end faults.
  constexpr Word apart = state::Memory::page_bytes;
  const auto fits = [&](Word at, Word end) { return at < end && length <= end - at; };
  const Word behind = mapped_->end == 0 ? map_area : mapped_->end + apart;
  if (fits(behind, map_end)) return behind;
  Word at = map_area;
  for (const state::Memory::Pages& run : machine.memory.mapped_pages()) {
    if (run.address + run.size <= map_area) continue;
    if (run.address > at && fits(at, std::min(run.address - apart, map_end))) return at;
    at = run.address + run.size + apart;
  }
  return fits(at, map_end) ? at : 0;
}

// a0 address or 0, a1 length, a2 permissions: 1 read, 2 write, 4 execute. Whole pages; permissions add up.
std::int64_t Host::map_memory(state::Machine& machine) {
  constexpr Word page_mask = state::Memory::page_bytes - 1;
  const Word length = machine.read_gpr(a1);
  const Word permissions = machine.read_gpr(a2);
  const Word named = machine.read_gpr(a0);
  if (length == 0 || (named & page_mask) != 0 || permissions > 7) return -EINVAL;
  if (!mapped_) count_pages(machine);
  if (mapped_->bytes > largest_map || length > largest_map - mapped_->bytes) return -ENOMEM;
  const Word address = named == 0 ? free_place(machine, length) : named;
  if (address == 0) return -ENOMEM;
  const Word last_page = (address + (length - 1)) & ~page_mask;
  if (last_page < address) return -EINVAL;
  for (Word page = address; page <= last_page; page += state::Memory::page_bytes)
    mapped_->bytes += machine.memory.mapped(page) ? 0 : state::Memory::page_bytes;
  if (address < map_end && last_page >= map_area)
    mapped_->end = std::max(mapped_->end, last_page + state::Memory::page_bytes);
  (void)machine.memory.map(
      address, length,
      {.read = (permissions & 1) != 0, .write = (permissions & 2) != 0, .execute = (permissions & 4) != 0});
  return static_cast<std::int64_t>(address);
}

std::int64_t Host::answer(state::Machine& machine, Word request) {
  switch (request) {
    case request_read: return read_from_host(machine, streams_);
    case request_write: return write_to_host(machine, streams_);
    case request_clock: return clock_time(machine);
    case request_map: return map_memory(machine);
    case request_release: return release_tiles(machine);
    default: break;
  }
  ++refused_;
  return -ENOSYS;
}

exec::HostReply Host::serve(state::Machine& machine) {
  const Word request = machine.read_gpr(a7);
  if (request == request_exit || request == request_exit_group) {
    return {.exit = true, .exit_code = static_cast<int>(machine.read_gpr(a0) & 0xff)};
  }
  const std::int64_t answered = answer(machine, request);
  if (answered == -EINTR) return {.exit = false, .exit_code = 0, .interrupted = true};
  machine.write_gpr(a0, static_cast<Word>(answered));
  return {};
}

Host::Streams process_streams(int output) {
  return {.read = [](std::span<std::uint8_t> buffer) -> std::int64_t {
            while (wait_to_read(STDIN_FILENO)) {
              const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
              if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
              return got < 0 ? -errno : got;
            }
            return -EINTR;
          },
          .write = [output](unsigned file, std::span<const std::uint8_t> bytes) -> std::int64_t {
            const int descriptor = file == 1 ? output : STDERR_FILENO;
            const std::size_t most = unblocked_bytes(descriptor);
            std::size_t done = 0;
            while (done < bytes.size()) {
              if (!wait_to_write(descriptor)) return done != 0 ? static_cast<std::int64_t>(done) : -EINTR;
              const ssize_t put =
                  ::write(descriptor, bytes.data() + done, std::min(most, bytes.size() - done));
              if (put < 0 && (errno == EINTR || errno == EAGAIN)) continue;
              if (put < 0) return done != 0 ? static_cast<std::int64_t>(done) : -errno;
              done += static_cast<std::size_t>(put);
            }
            return static_cast<std::int64_t>(done);
          }};
}

}  // namespace pto::cli
