#include "cli/host.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

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
// Mappings whose address the program leaves to the host lie here, one behind the other.
constexpr Word map_area = 0x7000'0000'0000;
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

Host::Host(Streams streams) : streams_(std::move(streams)), next_map_(map_area) {}

// a0 address or 0, a1 length, a2 permissions: 1 read, 2 write, 4 execute. Whole pages; permissions add up.
std::int64_t Host::map_memory(state::Machine& machine) {
  constexpr Word page_mask = state::Memory::page_bytes - 1;
  const Word length = machine.read_gpr(a1);
  const Word permissions = machine.read_gpr(a2);
  const bool anywhere = machine.read_gpr(a0) == 0;
  const Word address = anywhere ? next_map_ : machine.read_gpr(a0);
  if (length == 0 || (address & page_mask) != 0 || permissions > 7) return -EINVAL;
  if (length > largest_map - mapped_) return -ENOMEM;
  const bool mapped = machine.memory.map(
      address, length,
      {.read = (permissions & 1) != 0, .write = (permissions & 2) != 0, .execute = (permissions & 4) != 0});
  if (!mapped) return -EINVAL;
  mapped_ += length;
  // A page stays free behind each, so that running over the end faults.
  if (anywhere) next_map_ += ((length + page_mask) & ~page_mask) + state::Memory::page_bytes;
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
  machine.write_gpr(a0, static_cast<Word>(answer(machine, request)));
  return {};
}

Host::Streams process_streams(int output) {
  return {.read = [](std::span<std::uint8_t> buffer) -> std::int64_t {
            const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
            return got < 0 ? -errno : got;
          },
          .write = [output](unsigned file, std::span<const std::uint8_t> bytes) -> std::int64_t {
            const int descriptor = file == 1 ? output : STDERR_FILENO;
            std::size_t done = 0;
            while (done < bytes.size()) {
              const ssize_t put = ::write(descriptor, bytes.data() + done, bytes.size() - done);
              if (put < 0 && errno == EINTR) continue;
              if (put < 0) return done != 0 ? static_cast<std::int64_t>(done) : -errno;
              done += static_cast<std::size_t>(put);
            }
            return static_cast<std::int64_t>(done);
          }};
}

}  // namespace pto::cli
