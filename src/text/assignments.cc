// Assignments: symbols that get values, which may change along the source and may need symbols and addresses
// that come later.
//
// The first pass keeps what it can evaluate, for conditions and counts. Between the passes, when all
// addresses are known, every assignment is evaluated once, after those it needs.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/assembly.h"

namespace pto::text {

void Assembly::assign(const SourceLine& line, std::string_view name, Cursor& cursor) {
  cursor.skip_spaces();
  SymbolEntry& entry = symbol(name, line);
  if (entry.kind == SymbolEntry::Kind::Label) {
    return error(line, cursor.position(),
                 fmt::format("'{}' is a label and cannot be given another value", name),
                 fmt::format("choose another name; the label is in line {}", entry.first.number));
  }
  suggesting_ = false;
  const std::size_t position = cursor.position();
  const std::variant<Expression, ExpressionError> result = parse_expression(cursor, *this, dot());
  suggesting_ = true;
  Item* item = add_item(line, Item::Kind::Set, position, 0);
  if (item == nullptr) return;
  item->assignment = assignments_.size();
  entry.assignments.push_back(assignments_.size());
  Assignment& made = assignments_.emplace_back();
  made.name = name;
  made.item = items_.size() - 1;
  entry.kind = SymbolEntry::Kind::Undefined;
  if (const Expression* value = std::get_if<Expression>(&result)) {
    entry.kind = SymbolEntry::Kind::Number;
    entry.number = *value;
    return;
  }
  const ExpressionError& problem = std::get<ExpressionError>(result);
  if (problem.undefined) return;  // a symbol that comes later, perhaps
  made.refused = true;
  error(line, problem.position, problem.message, problem.hint);
}

// While an assignment is evaluated: what a symbol that assignments give a value means there. A value that is
// not known yet is noted as lacking, and one stands for it.
std::optional<Expression> Assembly::find_assigned(const SymbolEntry& entry) const {
  const auto next = std::ranges::lower_bound(entry.assignments, *settling_);
  const std::size_t meant = next == entry.assignments.begin() ? entry.assignments.back() : *(next - 1);
  const Assignment& assignment = assignments_[meant];
  if (assignment.state == Assignment::State::Done) return assignment.value;
  lacking_.push_back(meant);
  return Expression{1, false};
}

// False: it has to wait for those in `lacking_`.
bool Assembly::evaluate_assignment(Assignment& assignment) {
  const Item& item = items_[assignment.item];
  current_ = item.section, dot_offset_ = item.offset, local_order_ = item.order;
  settling_ = static_cast<std::size_t>(&assignment - assignments_.data());
  lacking_.clear();
  Cursor cursor(item.line.text, item.position);
  const std::variant<Expression, ExpressionError> result = parse_expression(cursor, *this, dot());
  settling_.reset();
  if (!lacking_.empty()) return false;
  assignment.state = Assignment::State::Done;
  const Expression* value = std::get_if<Expression>(&result);
  if (value == nullptr) return true;
  assignment.value = *value;
  cursor.skip_spaces();
  if (!cursor.at_end()) assignment.text_behind = cursor.position();
  return true;
}

// Evaluates one assignment and all that it needs. One that needs itself stays without a value.
void Assembly::settle(std::size_t assignment) {
  std::vector<std::size_t> waiting = {assignment};
  while (!waiting.empty()) {
    Assignment& next = assignments_[waiting.back()];
    if (next.state == Assignment::State::Done || evaluate_assignment(next)) {
      waiting.pop_back();
      continue;
    }
    const bool needs_itself = std::ranges::any_of(lacking_, [this, &next](std::size_t needed) {
      return &assignments_[needed] == &next || assignments_[needed].state == Assignment::State::Open;
    });
    next.state = needs_itself ? Assignment::State::Done : Assignment::State::Open;
    if (!needs_itself) waiting.insert(waiting.end(), lacking_.begin(), lacking_.end());
  }
}

void Assembly::settle_assignments() {
  suggesting_ = false;
  for (std::size_t index = 0; index < assignments_.size(); ++index) settle(index);
  suggesting_ = true;
  // What stands above the first assignment of a symbol means the last one.
  for (const Assignment& assignment : assignments_) {
    SymbolEntry& entry = symbols_.at(std::string(assignment.name));
    entry.kind = assignment.value ? SymbolEntry::Kind::Number : SymbolEntry::Kind::Undefined;
    if (assignment.value) entry.number = *assignment.value;
  }
}

// From here on the symbol has this value.
void Assembly::encode_assignment(const Item& item) {
  const Assignment& assignment = assignments_[item.assignment];
  if (assignment.refused) return;
  SymbolEntry& entry = symbols_.at(std::string(assignment.name));
  if (assignment.value) {
    entry.kind = SymbolEntry::Kind::Number;
    entry.number = *assignment.value;
    if (assignment.text_behind != std::string::npos)
      error(item.line, assignment.text_behind, "unexpected text after the value");
    return;
  }
  Cursor cursor(item.line.text, item.position);
  entry.kind = SymbolEntry::Kind::Undefined;
  (void)evaluate(item.line, cursor);  // says what is wrong
}

// Follows from assignment to assignment what each lacks.
std::string Assembly::missing_value(std::string_view name) const {
  constexpr std::size_t longest = 8;
  std::string way = "'" + std::string(name) + "'";
  std::string at(name);
  for (std::size_t step = 0; step < longest; ++step) {
    const auto found = symbols_.find(at);
    if (found == symbols_.end() || found->second.assignments.empty()) {
      return step == 0 ? std::string() : fmt::format("{}, which is not defined", way);
    }
    const Item& item = items_[assignments_[found->second.assignments.back()].item];
    Cursor cursor(item.line.text, item.position);
    const std::variant<Expression, ExpressionError> result = parse_expression(cursor, *this, 0);
    const ExpressionError* problem = std::get_if<ExpressionError>(&result);
    if (problem == nullptr) return {};
    at = std::string(Cursor(item.line.text, problem->position).take_name());
    fmt::format_to(std::back_inserter(way), " needs '{}'", at);
    if (at == name) return way;
  }
  return way + " ...";
}

}  // namespace pto::text
