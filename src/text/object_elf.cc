// The ELF writer. The file is laid out in one go: headers, the note, section contents, symbol table, string
// tables, section headers. Nothing is relocatable: every address is final.
#include <cstring>
#include <string_view>

#include "text/object.h"

namespace pto::text {

namespace {

// The identity of a release as its loader expects it in the note.
std::string identity(Release release) {
  const bool old = release == Release::v0_58_3;
  const std::string name(name_of(release));
  const std::string projection = old ? "8a48b80e04484c70870f155bf9efc79d2a805cf99e809f4e4e8a7e6a7eb34172"
                                     : "c4a0188f4c9087388fe6239e4ec2da6550b81c87bb1466e6157d69a9aa45f747";
  return R"({"encoding_abi":"pto-isa-)" + name + R"(-mode-function-v1","encoding_projection_sha256":")" +
         projection + R"(","release":")" + name + R"("})";
}

class Bytes {
 public:
  void u16(unsigned value) { put(value, 2); }
  void u32(Word value) { put(value, 4); }
  void u64(Word value) { put(value, 8); }
  void text(std::string_view value) { data_.insert(data_.end(), value.begin(), value.end()); }
  void bytes(const std::vector<std::uint8_t>& value) {
    data_.insert(data_.end(), value.begin(), value.end());
  }
  void pad_to(std::size_t alignment) { data_.resize(round_up(data_.size(), alignment)); }
  [[nodiscard]] std::size_t size() const { return data_.size(); }
  std::vector<std::uint8_t> take() { return std::move(data_); }

 private:
  void put(Word value, unsigned width) {
    for (unsigned index = 0; index < width; ++index)
      data_.push_back(static_cast<std::uint8_t>(value >> (8 * index)));
  }
  std::vector<std::uint8_t> data_;
};

// A string table: names go in, offsets come out.
class Strings {
 public:
  std::uint32_t add(std::string_view name) {
    const auto offset = static_cast<std::uint32_t>(text_.size());
    text_ += name;
    text_ += '\0';
    return offset;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_ = std::string(1, '\0');
};

constexpr std::size_t header_size = 64, segment_size = 56, section_header_size = 64, symbol_size = 24;
constexpr std::size_t page = 4096;
enum : std::uint32_t { type_progbits = 1, type_symtab = 2, type_strtab = 3, type_note = 7, type_nobits = 8 };
enum : std::uint32_t { flag_write = 1, flag_alloc = 2, flag_execute = 4 };

struct SectionHeader {
  std::uint32_t name = 0, type = 0;
  Word flags = 0, address = 0, offset = 0, size = 0;
  std::uint32_t link = 0, info = 0;
  Word alignment = 1, entry_size = 0;
};

// Contents that follow the headers, and the section headers that describe them.
class Layout {
 public:
  explicit Layout(const Program& program) : program_(program) {}

  std::vector<std::uint8_t> write() {
    const std::size_t segments = program_.sections.size() + 1;
    std::size_t offset = header_size + segments * segment_size;
    headers_.emplace_back();
    place_note(offset);
    place_sections(offset);
    place_symbols(offset);
    return assemble(segments, offset);
  }

 private:
  void place_note(std::size_t& offset) {
    const std::string descriptor = identity(program_.release);
    note_.u32(4), note_.u32(descriptor.size()), note_.u32(1);
    note_.text(std::string_view("PTO\0", 4));
    note_.text(descriptor);
    note_.pad_to(4);
    offset = round_up<std::size_t>(offset, 4);
    headers_.push_back({.name = names_.add(".note.pto.isa"),
                        .type = type_note,
                        .flags = flag_alloc,
                        .offset = offset,
                        .size = note_.size(),
                        .alignment = 4});
    offset += note_.size();
  }

  // File offsets agree with addresses modulo the page, so that a loader can map the file.
  void place_sections(std::size_t& offset) {
    for (const Section& section : program_.sections) {
      if (!section.only_zeros) {
        offset = round_up(offset, page) + static_cast<std::size_t>(section.address % page);
      }
      headers_.push_back({.name = names_.add(section.name),
                          .type = section.only_zeros ? type_nobits : type_progbits,
                          .flags = static_cast<Word>(flag_alloc) | (section.writable ? flag_write : 0u) |
                                   (section.executable ? flag_execute : 0u),
                          .address = section.address,
                          .offset = offset,
                          .size = section.bytes.size(),
                          .alignment = section.alignment});
      if (!section.only_zeros) offset += section.bytes.size();
    }
  }

  void place_symbols(std::size_t& offset) {
    Bytes table;
    Strings strings;
    std::uint32_t locals = 1;
    table.bytes(std::vector<std::uint8_t>(symbol_size));
    for (const bool global : {false, true}) {
      for (const Symbol& symbol : program_.symbols) {
        if (symbol.is_global != global) continue;
        if (!global) ++locals;
        const unsigned kind = symbol.is_function ? 2 : 0;
        table.u32(strings.add(symbol.name));
        table.u16((global ? 0x10u : 0u) | kind);  // st_info, st_other
        table.u16(symbol.section < 0 ? 0xfff1u : static_cast<unsigned>(symbol.section) + first_section);
        table.u64(symbol.value);
        table.u64(symbol.size);
      }
    }
    offset = round_up<std::size_t>(offset, 8);
    headers_.push_back({.name = names_.add(".symtab"),
                        .type = type_symtab,
                        .offset = offset,
                        .size = table.size(),
                        .link = static_cast<std::uint32_t>(headers_.size()) + 1,
                        .info = locals,
                        .alignment = 8,
                        .entry_size = symbol_size});
    offset += table.size();
    symbols_ = table.take();
    symbol_names_ = strings.text();
    headers_.push_back(
        {.name = names_.add(".strtab"), .type = type_strtab, .offset = offset, .size = symbol_names_.size()});
    offset += symbol_names_.size();
    const std::uint32_t name = names_.add(".shstrtab");
    headers_.push_back({.name = name, .type = type_strtab, .offset = offset, .size = names_.text().size()});
    offset += names_.text().size();
  }

  std::vector<std::uint8_t> assemble(std::size_t segments, std::size_t end) {
    Bytes out;
    const std::size_t header_offset = round_up<std::size_t>(end, 8);
    out.text(
        std::string_view("\x7f"
                         "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
                         16));
    out.u16(2), out.u16(elf_machine), out.u32(1);
    out.u64(program_.entry), out.u64(header_size), out.u64(header_offset);
    out.u32(0), out.u16(header_size), out.u16(segment_size), out.u16(static_cast<unsigned>(segments));
    out.u16(section_header_size), out.u16(static_cast<unsigned>(headers_.size()));
    out.u16(static_cast<unsigned>(headers_.size()) - 1);
    write_segment(out, 4, 4, headers_[1], 4);  // PT_NOTE
    for (std::size_t index = 0; index < program_.sections.size(); ++index) {
      const Section& section = program_.sections[index];
      const std::uint32_t flags = 4 | (section.writable ? 2u : 0u) | (section.executable ? 1u : 0u);
      write_segment(out, 1, flags, headers_[first_section + index], page);  // PT_LOAD
    }
    out.pad_to(4);
    out.bytes(note_.take());
    for (std::size_t index = 0; index < program_.sections.size(); ++index) {
      if (program_.sections[index].only_zeros) continue;
      pad_up_to(out, headers_[first_section + index].offset);
      out.bytes(program_.sections[index].bytes);
    }
    out.pad_to(8);
    out.bytes(symbols_);
    out.text(symbol_names_);
    out.text(names_.text());
    out.pad_to(8);
    for (const SectionHeader& header : headers_) write_header(out, header);
    return out.take();
  }

  static void pad_up_to(Bytes& out, Word offset) {
    if (offset > out.size()) out.bytes(std::vector<std::uint8_t>(offset - out.size()));
  }

  static void write_segment(Bytes& out, std::uint32_t type, std::uint32_t flags, const SectionHeader& header,
                            Word alignment) {
    out.u32(type), out.u32(flags), out.u64(header.offset), out.u64(header.address), out.u64(header.address);
    out.u64(header.type == type_nobits ? 0 : header.size), out.u64(header.size), out.u64(alignment);
  }

  static void write_header(Bytes& out, const SectionHeader& header) {
    out.u32(header.name), out.u32(header.type), out.u64(header.flags), out.u64(header.address),
        out.u64(header.offset);
    out.u64(header.size), out.u32(header.link), out.u32(header.info), out.u64(header.alignment);
    out.u64(header.entry_size);
  }

  static constexpr unsigned first_section = 2;  // behind the null header and the note

  const Program& program_;
  std::vector<SectionHeader> headers_;
  Strings names_;
  Bytes note_;
  std::vector<std::uint8_t> symbols_;
  std::string symbol_names_;
};

}  // namespace

std::vector<std::uint8_t> to_elf(const Program& program) { return Layout(program).write(); }

}  // namespace pto::text
