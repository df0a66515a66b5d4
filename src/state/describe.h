// How the state is described, read, written and compared.
//
// Every record has `template <class V, class... S> static void fields(V& v, S&... s)`: one line per member,
// naming the member and its published type. A visitor gets one object (reading: the target), or two objects
// of the same type in step (writing: the value and the reset default; comparing: expected and actual).
// Nothing else in ptosim lists the members of the state. The words a visitor understands:
//
//   flag(name, x...)                   boolean
//   bits(name, width, x...)            a bit string, written "0x.."
//   integer(name, min, max, x...)      a number
//   symbol(name, x...)                 an enumeration, written by name
//   record(name, x...)                 a nested record
//   bits_map / flag_map / record_map   index -> element, only elements that differ from reset are written
//   gpr, queue, memory, events, system_register_file, tile_storage   members with a format of their own
//
// An open memory has a second member beside its bytes, `pages`: what is mapped, and how.
//
// The format is tests/vectors/SCHEMA.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "state/machine.h"

namespace simdjson::dom {
class object;
}

namespace pto::state {

// Sets the members `object` names; the others keep what they have. Bytes of memory go over what is there, and
// what is mapped keeps its permissions; of the pages that `pages` lists, every byte and permission is set.
// The error's message starts with the path of the member ("tiles[3].payload: ...").
Result<void> read_state(const simdjson::dom::object& object, Machine& machine);

// Reads a state file: one JSON object. `file` is for messages. A file that names `pages` is the whole state
// of a machine: what it does not name is at its reset, but for pages it does not list.
Result<void> read_state_text(std::string_view text, const std::string& file, Machine& machine);

// Members that differ from the reset state, keys sorted.
nlohmann::json write_state(const Machine& machine);

struct Difference {
  std::string path;  // "tiles[3].elements[2,5]"
  std::string expected;
  std::string actual;
};
// The first `limit` differences, in the order of the description.
std::vector<Difference> compare_states(const Machine& expected, const Machine& actual, std::size_t limit);

}  // namespace pto::state
