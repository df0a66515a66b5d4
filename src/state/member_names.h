// The names of a record's members, to tell an unknown member from an absent one.
#pragma once

#include <string_view>
#include <vector>

namespace pto::state {

// What is mapped, beside the bytes of an open memory.
inline constexpr std::string_view pages_member = "pages";

// Collects the member names of a record, to tell an unknown member.
struct NameCollector {
  std::vector<std::string_view> names;
  template <class... X>
  void flag(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void bits(std::string_view n, unsigned, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void integer(std::string_view n, Word, Word, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void symbol(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void record(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void bits_map(std::string_view n, unsigned, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void flag_map(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void record_map(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void gpr(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void queue(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void memory(std::string_view n, X&...) {
    names.push_back(n);
    names.push_back(pages_member);
  }
  template <class... X>
  void events(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void system_register_file(std::string_view n, X&...) {
    names.push_back(n);
  }
  template <class... X>
  void tile_storage(std::string_view d, std::string_view p, X&...) {
    names.push_back(d);
    names.push_back(p);
  }
};

}  // namespace pto::state
