// The dossier as Markdown and as a page.
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "replay/dossier.h"
#include "replay/report.h"

namespace wardiary {

using nlohmann::json;

namespace {

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}
std::string number_text(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}
std::string chance_text(double p) {
  if (p > 0 && p < 0.0001) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.2e", p);
    return buffer;
  }
  return number_text(100 * p, 2) + " %";
}
std::string signed_text(double value) {
  return (value >= 0 ? "+" : "") + number_text(value, 2);
}

void write_odds(Report& out, const json& odds) {
  if (!odds.contains("distribution")) {
    out.text("There is nothing to count in this roll (" + text_of(odds["unit"]) + ").");
    return;
  }
  const std::string unit = text_of(odds["unit"]);
  out.text("It came to " + odds["actual"].dump() + " " + unit + "; " +
           number_text(odds["expected"].get<double>(), 2) +
           " were to be expected. As many or fewer: " + chance_text(odds["atMost"].get<double>()) +
           "; as many or more: " + chance_text(odds["atLeast"].get<double>()) + "; percentile " +
           number_text(odds["percentile"].get<double>(), 1) + ".");
  constexpr std::size_t kRowsMax = 60;
  constexpr double kBarMax = 40;
  std::vector<Report::Row> rows;
  double top = 0;
  for (const json& entry : odds["distribution"]) top = std::max(top, entry["p"].get<double>());
  for (const json& entry : odds["distribution"]) {
    const double p = entry["p"].get<double>();
    const bool here = entry["value"] == odds["actual"];
    if (!here && (p < 1e-6 || rows.size() >= kRowsMax)) continue;
    const auto length = static_cast<std::size_t>(top > 0 ? kBarMax * p / top : 0);
    rows.push_back({entry["value"].dump() + (here ? " (this roll)" : ""), chance_text(p),
                    std::string(length, '=')});
  }
  out.table({unit, "chance", ""}, std::move(rows));
}

void write_proof(Report& out, const json& proof) {
  out.text("Grade: " + text_of(proof["grade"]) +
           ". Could have been foreseen by: " + text_of(proof["trust"]["foresee"]) +
           ". Could have been chosen by: " + text_of(proof["trust"]["choose"]) + ".");
  if (proof.contains("verdict")) {
    const std::string verdict = "Proof: " + text_of(proof["verdict"]) + ".";
    if (!proof.contains("holds")) {
      out.text(verdict);
    } else if (proof["holds"].get<bool>()) {
      out.good(verdict);
    } else {
      out.bad(verdict);
    }
  }
  std::vector<Report::Row> rows;
  if (proof.contains("epoch")) {
    rows.push_back({"epoch", "event " + proof["epoch"]["version"].dump() + ", hash " +
                                 text_of(proof["epoch"]["hash"])});
    rows.push_back({"key", text_of(proof["epoch"]["vrfKey"])});
  }
  if (proof.contains("eventHash")) rows.push_back({"event hash", text_of(proof["eventHash"])});
  if (!rows.empty()) out.table({"evidence", ""}, std::move(rows));
  if (proof.contains("receipt")) {
    out.text("Receipt: this event stands in the signed log (save it as a .tlog-proof file).");
    out.verbatim(text_of(proof["receipt"]));
  }
}

void write_roll(Report& out, const json& roll) {
  const json& event = roll["event"];
  out.heading("Roll " + event.value("number", json(0)).dump() + " of " +
              text_of(event.value("roller", json("nobody"))) + ": " +
              text_of(event.value("purpose", json(""))));
  std::vector<Report::Row> rows;
  for (const char* key :
       {"version", "space", "unit", "groups", "values", "hits", "table", "column", "result"}) {
    if (event.contains(key)) rows.push_back({key, text_of(event[key])});
  }
  if (event.contains("terms")) {
    for (const json& term : event["terms"]) {
      rows.push_back({"term: " + text_of(term["label"]), term["value"].dump()});
    }
  }
  out.table({"field", "recorded"}, std::move(rows));
  write_odds(out, roll["odds"]);
  write_proof(out, roll["proof"]);
}

void write_commit(Report& out, const json& commit) {
  out.heading("Events " + commit["first"].dump() + " to " + commit["last"].dump() + ", turn " +
              commit["turn"].dump());
  if (commit.contains("order")) {
    const json& order = commit["order"];
    out.text("Ordered: " + (order.contains("order") ? order["order"].dump() : order.dump()));
  }
  if (commit.contains("digestBefore")) {
    out.table({"position", "SHA-256"}, {{"before", text_of(commit["digestBefore"])},
                                        {"after", text_of(commit["digestAfter"])}});
  } else {
    out.text("Digests of the position: " + text_of(commit["digests"]) + ".");
  }
  for (const json& roll : commit["rolls"]) write_roll(out, roll);
  if (!commit["effects"].empty()) {
    std::string text;
    for (const json& event : commit["effects"]) text += event.dump() + "\n";
    out.text("What else happened in it:");
    out.verbatim(text);
  }
}

void write_dice(Report& out, const json& statistics) {
  if (statistics.contains("first")) out.text(text_of(statistics["first"]));
  std::vector<Report::Row> luck;
  for (const json& a : statistics["luck"]) {
    luck.push_back({text_of(a["side"]), text_of(a["dice"]), a["rolls"].dump(),
                    number_text(a["actual"].get<double>(), 0) + " " + text_of(a["unit"]),
                    number_text(a["expected"].get<double>(), 2),
                    signed_text(a["excess"].get<double>()), signed_text(a["z"].get<double>())});
  }
  out.table({"side", "dice", "rolls", "came", "expected", "above", "deviations"}, std::move(luck));
  std::vector<Report::Row> dice;
  for (const json& d : statistics["dice"]) {
    dice.push_back(
        {text_of(d["side"]), text_of(d["kind"]), "d" + d["sides"].dump(), d["dice"].dump(),
         d["counts"].dump(), chance_text(d["faces"]["p"].get<double>()),
         number_text(std::exp(std::min(d["logE"].get<double>(), 700.0)), 2), text_of(d["says"])});
  }
  out.table({"side", "kind", "die", "number", "faces", "p of faces", "e", "which says"},
            std::move(dice));
}

void write_statistics(Report& out, const json& statistics) {
  out.heading("All dice of this line so far");
  write_dice(out, statistics);
  const json& picked = statistics["picked"];
  out.text("Picked from " + picked["from"].dump() + " " + text_of(picked["of"]) + ": chance " +
           chance_text(picked["p"].get<double>()) + " by itself, " +
           chance_text(picked["corrected"].get<double>()) + " for the worst of so many. " +
           text_of(picked["says"]));
}

Report report_of(const json& dossier) {
  const json& about = dossier["about"];
  std::string title = "Dossier: ";
  title += about.contains("roll") ? "roll " + about["roll"].dump() + " of " + text_of(about["side"])
                                  : "turn " + about["turn"].dump();
  Report out(title + " of \"" + text_of(dossier["name"]) + "\"");
  out.table({"", ""},
            {{"game", text_of(dossier["game"])},
             {"branch", text_of(dossier["branch"])},
             {"rules", text_of(dossier["system"]) + " " + text_of(dossier["rulesVersion"])},
             {"as seen by", text_of(dossier["viewer"])}});
  for (const json& commit : dossier["commits"]) write_commit(out, commit);
  write_statistics(out, dossier["statistics"]);
  return out;
}

}  // namespace

std::string dossier_markdown(const json& dossier) {
  return report_of(dossier).markdown();
}
std::string luck_markdown(const json& luck) {
  Report out("Luck");
  write_dice(out, luck);
  for (const json& account : luck["luck"]) {
    out.heading(text_of(account["side"]) + ", " + text_of(account["dice"]) + " dice, in " +
                text_of(account["unit"]));
    for (const char* by : {"turns", "battles", "purposes"}) {
      std::vector<Report::Row> rows;
      for (const json& row : account[by]) {
        rows.push_back(
            {text_of(row["of"]), row["rolls"].dump(), number_text(row["actual"].get<double>(), 0),
             number_text(row["expected"].get<double>(), 2),
             signed_text(row["excess"].get<double>()), signed_text(row["z"].get<double>())});
      }
      out.table({by, "rolls", "came", "expected", "above", "deviations"}, std::move(rows));
    }
  }
  return out.markdown();
}
std::string dossier_html(const json& dossier) {
  return report_of(dossier).html();
}

}  // namespace wardiary
