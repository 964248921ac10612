// An audit's report as JSON, as text and as a page.
#include <nlohmann/json.hpp>

#include "replay/audit.h"
#include "replay/report.h"

namespace wardiary {

using nlohmann::json;

json audit_json(const AuditReport& report) {
  json checks = json::array();
  for (const AuditCheck& check : report.checks) {
    json entry = {{"check", check.name},
                  {"what", check.what},
                  {"examined", check.examined},
                  {"failed", check.failed}};
    if (!check.remark.empty()) entry["remark"] = check.remark;
    if (check.first) {
      const AuditFinding& f = *check.first;
      entry["first"] = {{"branch", to_hex(f.branch)},
                        {"version", f.version},
                        {"field", f.field},
                        {"recorded", f.recorded},
                        {"expected", f.expected}};
    }
    checks.push_back(std::move(entry));
  }
  return {{"format", "wardiary-audit/1"},
          {"game", to_hex(report.game)},
          {"name", report.name},
          {"system", report.system},
          {"rulesVersion", report.rules_version},
          {"branches", report.branches},
          {"events", report.events},
          {"clean", report.clean()},
          {"checks", checks}};
}

std::string audit_text(const AuditReport& report) {
  std::string out = "Audit of \"" + report.name + "\" (" + to_hex(report.game) + ", " +
                    report.system + " rules " + report.rules_version +
                    "): " + std::to_string(report.events) + " events, " +
                    std::to_string(report.branches) + " branches\n";
  for (const AuditCheck& check : report.checks) {
    std::string name = check.name;
    name.resize(12, ' ');
    std::string examined = std::to_string(check.examined);
    examined.insert(0, examined.size() < 8 ? 8 - examined.size() : 0, ' ');
    out += "  " + name + examined + "  " + check.what;
    out += check.failed ? ": " + std::to_string(check.failed) + " WRONG\n" : "\n";
    if (!check.remark.empty()) out += "      " + check.remark + "\n";
    if (!check.first) continue;
    const AuditFinding& f = *check.first;
    out += "      first: branch " + to_hex(f.branch) +
           (f.version ? ", event " + std::to_string(f.version) : "") + ", " + f.field + "\n";
    out += "      recorded: " + f.recorded + "\n      expected: " + f.expected + "\n";
  }
  out += report.clean() ? "Clean: the log proves itself.\n" : "There are findings.\n";
  return out;
}

std::string audit_html(const AuditReport& report) {
  Report page("Audit of \"" + report.name + "\"");
  page.table({"", ""}, {{"game", to_hex(report.game)},
                        {"rules", report.system + " " + report.rules_version},
                        {"branches", std::to_string(report.branches)},
                        {"events", std::to_string(report.events)}});
  if (report.clean()) {
    page.good("Clean: the log proves itself.");
  } else {
    page.bad("There are findings.");
  }
  std::vector<Report::Row> rows;
  for (const AuditCheck& check : report.checks) {
    rows.push_back({check.name, check.what, std::to_string(check.examined),
                    check.failed ? std::to_string(check.failed) + " wrong" : "-", check.remark});
  }
  page.table({"check", "what was examined", "how many", "found", "remark"}, std::move(rows));
  for (const AuditCheck& check : report.checks) {
    if (!check.first) continue;
    const AuditFinding& f = *check.first;
    page.heading("First finding of \"" + check.name + "\"");
    page.table({"", ""}, {{"branch", to_hex(f.branch)},
                          {"event", f.version ? std::to_string(f.version) : "the whole"},
                          {"field", f.field},
                          {"recorded", f.recorded},
                          {"expected", f.expected}});
  }
  return page.html();
}

}  // namespace wardiary
