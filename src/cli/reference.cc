#include "cli/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "base/cursor.h"
#include "cli/descriptions.h"
#include "cli/explain.h"
#include "cli/io.h"
#include "exec/rule.h"
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

// Searches names, kinds, operands and, by search.js, the text of every page. "#words" in the address is a
// search too, which is how the other pages ask.
constexpr std::string_view search_script = R"(<script src="search.js"></script><script>
const box=document.getElementById('search'),rows=[...document.querySelectorAll('#list tr')];
const texts=rows.map((row,i)=>(row.textContent+' '+(pages[i]||'')).toLowerCase());
box.oninput=()=>{const words=box.value.toLowerCase().split(/\s+/);let shown=0;
rows.forEach((row,i)=>{const hit=words.every(w=>texts[i].includes(w));row.hidden=!hit;shown+=hit});
document.getElementById('shown').textContent=shown};
if(location.hash){box.value=decodeURIComponent(location.hash.slice(1));box.oninput()}
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
std::string diagram(const Form& form, Word mask, Word match) {
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
      const bool known = (mask >> bit & 1) != 0;
      value += known ? ((match >> bit & 1) != 0 ? "1" : "0") : "";
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

std::vector<std::string> or_none(std::vector<std::string> faults) {
  if (faults.empty()) faults.emplace_back("none of its own; fetching it can fault as any instruction's can");
  return faults;
}

std::string code(std::string_view text) { return fmt::format("<pre>{}</pre>\n", escaped(text)); }

std::string home() {
  return "<form onsubmit=\"location='index.html#'+encodeURIComponent(this.q.value);return false\">"
         "<p><a href=\"index.html\">all instructions</a></p><p><input name=\"q\" placeholder=\"search all "
         "pages\"></p></form>\n";
}

// The words of a page, without its markup, each once.
std::string words_of(std::string_view html) {
  std::set<std::string> words;
  std::string word;
  bool inside_tag = false;
  const auto finish = [&] {
    if (word.size() > 1) words.insert(word);
    word.clear();
  };
  for (std::size_t index = html.find("<h1>"); index < html.size(); ++index) {
    const char c = html[index];
    if (c == '<') inside_tag = true;
    if (c == '>' || inside_tag || c == ' ' || c == '\n') {
      finish();
      if (c == '>') inside_tag = false;
      continue;
    }
    word += to_lower(c);
  }
  finish();
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : " ") + each;
  return out;
}

std::string form_section(const Form& form, Release release) {
  std::string out = fmt::format("<h2><code>{} {}</code></h2>\n{}", escaped(form.name), escaped(form.text),
                                diagram(form, form.bits.mask, form.bits.match));
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
  return out + section("Constraints", constraints) + section("Faults", or_none(faults_of(form))) +
         "<h3>Example</h3>" + code(example_of(form, release));
}

// What a block of the operation can be refused for: what its start can raise, and the operation's own rules.
std::vector<std::string> faults_of_block(const isa::TileOperation& row,
                                         const std::vector<StartWord>& starts) {
  std::vector<std::string> out;
  const auto add = [&out](std::string line) {
    if (std::ranges::find(out, line) == out.end()) out.push_back(std::move(line));
  };
  for (const StartWord& start : starts) {
    for (std::string& line : faults_of(*start.form)) add(std::move(line));
  }
  add("BundleControl: the header does not bind what the block schema asks for");
  add("TileLegality: a type, layout, shape or value is not what the block schema asks for");
  if (row.operands.destinations() > 0)
    add("TileAllocation: no tile is free, or the size does not hold the result");
  if (row.operands.has(isa::TileOperand::address))
    add("DataPage: a byte of the access is not mapped or not permitted");
  for (const exec::Rule* rule : exec::all_rules()) {
    if (equal_ignoring_case(rule->clause, row.clause))
      add(fmt::format("{}: {} ({})", name_of(rule->fault), rule->sentence, rule->name));
  }
  return out;
}

std::string operation_page(const isa::TileOperation& row, Release release) {
  std::string out = home() + fmt::format(
                                 "<h1>{}</h1>\n<p>Tile operation on engine {}, started by <code>{}</code>, "
                                 "code {:#x}; clause <code>{}</code>; releases {} to {}.</p>\n",
                                 row.name, isa::name_of(row.engine), row.start, row.code(), row.clause,
                                 name_of(row.since), name_of(row.until));
  const std::vector<StartWord> starts = starts_of(row, release);
  for (const StartWord& start : starts) {
    fmt::format_to(std::back_inserter(out),
                   "<h3>Start word: <a href=\"{}\"><code>{}</code></a> <code>{}</code></h3>\n{}",
                   file_name("", start.form->name), escaped(start.form->name), escaped(start.form->text),
                   diagram(*start.form, start.mask, start.match));
  }
  out += "<h3>Operands</h3><table>\n";
  for (const isa::TileOperandUse& use : row.operands.all())
    fmt::format_to(std::back_inserter(out), "<tr><td><code>{}</code></td><td>{}</td></tr>\n",
                   isa::name_of(use.operand), escaped(use.role));
  out +=
      "</table>\n" + section("Block", block_schema_of(row)) + section("Faults", faults_of_block(row, starts));
  std::string example;
  for (const std::string& line : example_of(row)) example += line + "\n";
  out += "<h3>Example</h3>" + code(example);
  return page(row.name, out);
}

struct Entry {
  std::string file, name, kind, detail, words;
};

std::string search_data(const std::vector<Entry>& entries) {
  nlohmann::json words = nlohmann::json::array();
  for (const Entry& entry : entries) words.push_back(entry.words);
  return "const pages=" + words.dump() + ";\n";
}

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
    const std::string text = page(name, body);
    if (const Result<void> written = write(file, text); !written) return written.error();
    entries.push_back(
        {file, std::string(name),
         fmt::format("{} {}", isa::name_of(forms[0]->surface()), isa::name_of(forms[0]->family)),
         std::string(forms[0]->text), words_of(text)});
  }
  for (const isa::TileOperation& row : isa::tile_operations()) {
    if (!row.in(release)) continue;
    const std::string file = file_name("tile-", row.name);
    const std::string text = operation_page(row, release);
    if (const Result<void> written = write(file, text); !written) return written.error();
    entries.push_back({file, std::string(row.name), fmt::format("tile {}", isa::name_of(row.engine)),
                       std::string(row.start), words_of(text)});
  }
  const std::string data = (std::filesystem::path(folder) / "search.js").string();
  if (const Result<void> written = write_output(data, search_data(entries)); !written) return written.error();
  if (const Result<void> written = write("index.html", index_page(entries, release)); !written)
    return written.error();
  return pages;
}

}  // namespace pto::cli
