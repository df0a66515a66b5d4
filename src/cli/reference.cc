#include "cli/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "base/cursor.h"
#include "cli/descriptions.h"
#include "cli/explain.h"
#include "cli/io.h"
#include "text/instruction.h"

namespace pto::cli {

namespace {

using isa::Form;

constexpr std::string_view style = R"(<style>
body{font:16px/1.5 sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
code,pre{font:14px/1.5 monospace}pre{background:#f4f4f4;padding:.6rem 1rem;overflow-x:auto}
table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .9rem .15rem 0;vertical-align:top}
h2{margin-top:2rem;border-bottom:1px solid #ccc}svg{max-width:100%;height:auto}
input{font:inherit;width:100%;padding:.4rem;box-sizing:border-box}a{color:#0645ad;text-decoration:none}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#262626}a{color:#8ab4f8}
svg text{fill:#ddd}svg rect{stroke:#888}}
</style>)";

constexpr std::string_view search_script = R"(<script>
const box=document.getElementById('search'),rows=[...document.querySelectorAll('#list tr')];
box.oninput=()=>{const words=box.value.toLowerCase().split(/\s+/);let shown=0;
for(const row of rows){const hit=words.every(w=>row.textContent.toLowerCase().includes(w));
row.hidden=!hit;shown+=hit}document.getElementById('shown').textContent=shown};
</script>)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

// "C.BSTART" becomes "c.bstart"; file names are the same on every system.
std::string file_name(std::string_view kind, std::string_view name) {
  std::string out(kind);
  for (const char c : name) out += to_lower(c);
  return out + ".html";
}

std::string page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n{1}</head>\n"
      "<body>\n{2}</body></html>\n",
      escaped(title), style, body);
}

// The word as boxes: places above, bits inside, owners below.
std::string diagram(const Form& form) {
  constexpr unsigned bit_width = 26, height = 78, box_top = 20, box_height = 26, smallest = 34;
  std::string boxes;
  unsigned x = 1;
  for (const BitRun& run : bit_runs(form)) {
    const unsigned bits = run.high - run.low + 1;
    const bool fixed = run.field == nullptr;
    const unsigned letters = static_cast<unsigned>(run.name.size()) * 9 + 8;
    const unsigned width = std::max({bits * (fixed ? 12 : bit_width / 2), smallest, fixed ? 0 : letters});
    std::string value;
    for (unsigned bit = run.high + 1; bit-- > run.low;) {
      const bool known = (form.bits.mask >> bit & 1) != 0;
      value += known ? ((form.bits.match >> bit & 1) != 0 ? "1" : "0") : "";
    }
    const unsigned middle = x + width / 2;
    const std::string place =
        run.high == run.low ? fmt::format("{}", run.high) : fmt::format("{}:{}", run.high, run.low);
    fmt::format_to(std::back_inserter(boxes),
                   "<text x=\"{0}\" y=\"14\" font-size=\"11\" text-anchor=\"middle\">{1}</text>"
                   "<rect x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{5}\" fill=\"{6}\" stroke=\"#444\"/>"
                   "<text x=\"{0}\" y=\"38\" font-size=\"13\" text-anchor=\"middle\">{7}</text>"
                   "<text x=\"{0}\" y=\"64\" font-size=\"13\" text-anchor=\"middle\">{8}</text>\n",
                   middle, place, x, box_top, width, box_height, fixed ? "none" : "#8884", value,
                   run.field == nullptr && run.name == "fixed" ? "" : escaped(run.name));
    x += width;
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"monospace\">\n{2}</svg>\n",
      x + 1, height, boxes);
}

std::string section(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("<h3>{}</h3><ul>\n", title);
  for (const std::string& line : lines)
    fmt::format_to(std::back_inserter(out), "<li>{}</li>\n", escaped(line));
  return out + "</ul>\n";
}

std::string code(std::string_view text) { return fmt::format("<pre>{}</pre>\n", escaped(text)); }

std::string home() { return "<p><a href=\"index.html\">all instructions</a></p>\n"; }

std::string form_section(const Form& form, Release release) {
  std::string out =
      fmt::format("<h2><code>{} {}</code></h2>\n{}", escaped(form.name), escaped(form.text), diagram(form));
  fmt::format_to(std::back_inserter(out),
                 "<p>{} surface, family {}, {} bits, mask <code>{:#x}</code>, match <code>{:#x}</code>, form "
                 "<code>{}</code>; releases {} to {}.</p>\n",
                 isa::name_of(form.surface()), isa::name_of(form.family), form.bits.bits, form.bits.mask,
                 form.bits.match, form.id, name_of(form.since), name_of(form.until));
  std::vector<std::string> constraints;
  for (const isa::Constraint& constraint : form.constraints) {
    if (constraint.applies(release))
      constraints.push_back(
          fmt::format("{} {}", isa::name_of(constraint.field), text::allowed_text(constraint)));
  }
  return out + section("Constraints", constraints) + section("Faults", faults_of(form)) + "<h3>Example</h3>" +
         code(example_of(form, release));
}

std::string operation_page(const isa::TileOperation& row) {
  std::string out = home() + fmt::format(
                                 "<h1>{}</h1>\n<p>Tile operation on engine {}, started by <code>{}</code>, "
                                 "code {:#x}; clause <code>{}</code>; releases {} to {}.</p>\n",
                                 row.name, isa::name_of(row.engine), row.start, row.code(), row.clause,
                                 name_of(row.since), name_of(row.until));
  out += "<h3>Operands</h3><table>\n";
  for (const isa::TileOperandUse& use : row.operands.all())
    fmt::format_to(std::back_inserter(out), "<tr><td><code>{}</code></td><td>{}</td></tr>\n",
                   isa::name_of(use.operand), escaped(use.role));
  out += "</table>\n" + section("Block", block_schema_of(row));
  if (const std::string rules = rules_of_clause(row.clause); !rules.empty())
    out += "<h3>Rules of its own</h3>" + code(rules);
  std::string example;
  for (const std::string& line : example_of(row)) example += line + "\n";
  if (!example.empty()) out += "<h3>Example</h3>" + code(example);
  return page(row.name, out);
}

struct Entry {
  std::string file, name, kind, detail;
};

std::string index_page(const std::vector<Entry>& entries, Release release) {
  std::string out = fmt::format(
      "<h1>PTO ISA {}: instructions</h1>\n<p>Generated by <code>ptosim isa --reference</code>. "
      "<span id=\"shown\">{}</span> shown.</p>\n<p><input id=\"search\" autofocus placeholder=\"name, "
      "family, "
      "engine, operand ...\"></p>\n<table id=\"list\">\n",
      name_of(release), entries.size());
  for (const Entry& entry : entries) {
    fmt::format_to(std::back_inserter(out),
                   "<tr><td><a href=\"{}\"><code>{}</code></a></td><td>{}</td><td>{}</td></tr>\n", entry.file,
                   escaped(entry.name), escaped(entry.kind), escaped(entry.detail));
  }
  out += "</table>\n";
  out += search_script;
  return page(fmt::format("PTO ISA {}", name_of(release)), out);
}

}  // namespace

Result<unsigned> write_reference(const std::string& folder, Release release) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    return Error{.message = "cannot make the folder: " + problem.message(),
                 .place = {folder, 0, 0},
                 .hint = {},
                 .excerpt = {}};

  std::map<std::string_view, std::vector<const Form*>> mnemonics;
  for (const Form* form : isa::all_forms()) {
    if (form->in(release)) mnemonics[form->name].push_back(form);
  }
  std::vector<Entry> entries;
  unsigned pages = 0;
  const auto write = [&](const std::string& file, const std::string& text) {
    ++pages;
    return write_output((std::filesystem::path(folder) / file).string(), text);
  };
  for (const auto& [name, forms] : mnemonics) {
    const std::string file = file_name("", name);
    std::string body = home() + fmt::format("<h1>{}</h1>\n", escaped(name));
    for (const Form* form : forms) body += form_section(*form, release);
    if (const Result<void> written = write(file, page(name, body)); !written) return written.error();
    entries.push_back(
        {file, std::string(name),
         fmt::format("{} {}", isa::name_of(forms[0]->surface()), isa::name_of(forms[0]->family)),
         std::string(forms[0]->text)});
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (!row.in(release)) continue;
    const std::string file = file_name("tile-", row.name);
    if (const Result<void> written = write(file, operation_page(row)); !written) return written.error();
    entries.push_back({file, std::string(row.name), fmt::format("tile {}", isa::name_of(row.engine)),
                       std::string(row.start)});
  }
  if (const Result<void> written = write("index.html", index_page(entries, release)); !written)
    return written.error();
  return pages;
}

}  // namespace pto::cli
