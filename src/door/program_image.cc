#include "door/program_image.h"

namespace pto::door {

Result<load::Image> image_of(const text::Program& program, const std::string& file) {
  load::Image image;
  image.file = file;
  image.entry = program.entry;
  for (const text::Section& section : program.sections) {
    image.segments.push_back(
        {.name = section.name,
         .address = section.address,
         .size = section.bytes.size(),
         .bytes = section.only_zeros ? std::vector<std::uint8_t>{} : section.bytes,
         .permissions = {.read = true, .write = section.writable, .execute = section.executable}});
  }
  for (const text::Symbol& symbol : program.symbols) {
    image.symbols.push_back(
        {.name = symbol.name, .value = symbol.value, .size = symbol.size, .is_function = symbol.is_function});
  }
  return load::checked(std::move(image));
}

}  // namespace pto::door
