// What takes long: sweeps, audits and dossiers, as jobs that can be watched and cancelled; and the
// luck ledger.
#include <nlohmann/json.hpp>
#include <thread>

#include "domain/json_reader.h"
#include "http/api/jobs.h"
#include "http/api/service.h"
#include "replay/dossier.h"
#include "replay/sweep.h"

namespace wardiary::http {

using nlohmann::json;

namespace {

// One owner for all who see the same: a job's result is what its starter may see.
std::string owner_of(const GameScene& scene) {
  return scene.grant.game == scene.game->id || scene.grant.role == Grant::Role::kAdmin
             ? author_of(scene.grant) + "/" + std::string(role_word(scene.grant.role))
             : "spectator";
}

bool may_watch(const GameScene& scene, const Jobs::Job& job) {
  return job.game == scene.game->id && (scene.is_referee() || job.owner == owner_of(scene));
}

json job_json(const Jobs::Job& job) {
  json out = {{"id", to_hex(job.id)},           {"kind", job.kind}, {"state", name_of(job.state)},
              {"startedAt", job.started_at_ms}, {"done", job.done}, {"total", job.total}};
  if (job.state == Jobs::State::kFailed) {
    // The same words as if it had been an answer: nothing internal.
    out["problem"] = json::parse(problem(job.error).text());
  }
  return out;
}

Answer started(const GameScene& scene, std::string kind, Jobs::Work work) {
  auto id = scene.service.jobs.start(std::move(kind), scene.game->id, owner_of(scene), now_ms(),
                                     std::move(work));
  if (!id && id.error().code == ErrorCode::kLimit) {
    Response answer = problem(429, "too_many_jobs", "Too many jobs", id.error().text);
    answer.headers.set("Retry-After", "10");
    return answer;
  }
  if (!id) return std::move(id).error();
  auto job = scene.service.jobs.find(*id);
  if (!job) return not_found("the job is gone already");
  Response answer = json_response(202, job_json(*job));
  answer.headers.set("Location", "/games/" + to_hex(scene.game->id) + "/jobs/" + to_hex(*id));
  return answer;
}

Answer get_jobs(const GameScene& scene) {
  json jobs = json::array();
  for (const Jobs::Job& job : scene.service.jobs.of_game(scene.game->id)) {
    if (may_watch(scene, job)) jobs.push_back(job_json(job));
  }
  return json_response(200, {{"jobs", std::move(jobs)}, {"next", json()}});
}

Result<Jobs::Job> find_job(const GameScene& scene) {
  auto job = scene.service.jobs.find(scene.request.path_id("job"));
  if (!job || !may_watch(scene, *job)) return not_found("there is no such job");
  return std::move(*job);
}

Answer get_job(const GameScene& scene) {
  auto job = find_job(scene);
  if (!job) return std::move(job).error();
  std::string body = job_json(*job).dump();
  if (job->state == Jobs::State::kDone) {
    body.back() = ',';  // the result is JSON already
    body += "\"result\":" + job->result + "}";
  }
  return json_text(200, std::move(body));
}

Answer delete_job(const GameScene& scene) {
  auto job = find_job(scene);
  if (!job) return std::move(job).error();
  scene.service.jobs.cancel(job->id);
  return empty_response(204);
}

// --- sweep

struct SweepWish {
  std::optional<Version> roll;
  SweepRequest replay;
};

Result<SweepWish> read_sweep(const Scene& scene, const json& body) {
  JsonReader in(body, "");
  in.only({"roll", "at", "through", "trials", "seed"});
  SweepWish out;
  if (in.has("roll") == in.has("at")) in.complain("at", "name either at or roll");
  if (in.has("roll")) {
    for (const char* field : {"through", "trials", "seed"}) {
      if (in.has(field)) in.complain(field, "does not go with roll");
    }
    out.roll = static_cast<Version>(in.number("roll", 1, INT64_MAX));
  } else {
    out.replay.at = static_cast<Version>(in.number_or("at", 1, 1, INT64_MAX));
    out.replay.trials = static_cast<std::uint64_t>(
        in.number_or("trials", 10'000, 1, static_cast<std::int64_t>(SweepLimits::kTrialsMax)));
    out.replay.seed = static_cast<std::uint64_t>(in.number_or("seed", 1, 0, INT64_MAX));
    const std::string through = in.text_or("through", "order");
    if (through == "phase") {
      out.replay.through = Through::kPhase;
    } else if (through == "turn") {
      out.replay.through = Through::kTurn;
    } else if (through != "order") {
      in.complain("through", "must be order, phase or turn");
    }
  }
  if (!in.ok()) return std::move(in).error();
  out.replay.branch = scene.branch.branch;
  // Others want to play meanwhile.
  out.replay.threads = std::max(1u, std::thread::hardware_concurrency() / 2);
  return out;
}

Answer post_sweep(const Scene& scene) {
  if (!scene.sees_everything()) return is_hidden("a sweep tells of hidden pieces");
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  auto wish = read_sweep(scene, *body);
  if (!wish) return std::move(wish).error();
  const Version named = wish->roll.value_or(wish->replay.at);
  if (named > scene.branch.version) {
    return invalid(std::string(wish->roll ? "roll" : "at") + ": the branch has no such event");
  }
  auto work = [&service = scene.service, game = scene.game,
               wish = *wish](Jobs::Progress& progress) -> Result<std::string> {
    auto tell = [&](std::uint64_t done, std::uint64_t total) {
      progress.done = done;
      progress.total = total;
    };
    auto sweep = wish.roll ? sweep_roll(service.store, service.library, service.time,
                                        wish.replay.branch, *wish.roll, tell, &progress.cancelled)
                           : sweep_replay(service.store, service.library, service.time, wish.replay,
                                          tell, &progress.cancelled);
    if (!sweep) return std::move(sweep).error();
    return sweep_json(*sweep, game->roster()).dump();
  };
  return started(scene, "sweep", std::move(work));
}

// --- audit

Answer post_audit(const GameScene& scene) {
  auto size = scene.service.store.tree_size(scene.game->id);
  if (!size) return std::move(size).error();
  auto work = [&service = scene.service, id = scene.game->id, open = scene.sees_everything(),
               size = *size](Jobs::Progress& progress) -> Result<std::string> {
    progress.total = size;
    auto kept = service.audits.of(id, now_ms(), [&](std::uint64_t n) { progress.done = n; });
    if (!kept) return std::move(kept).error();
    progress.done = size;
    return kept_json(**kept, open).dump();
  };
  return started(scene, "audit", std::move(work));
}

// --- dossier

Result<DossierRequest> dossier_request(const Scene& scene, JsonReader& in) {
  DossierRequest out;
  out.branch = scene.branch.branch;
  out.viewer = scene.viewer;
  if (in.has("roll") == in.has("turn")) in.complain("roll", "name either a roll or a turn");
  if (in.has("roll")) {
    out.roll = static_cast<std::uint64_t>(in.number("roll", 0, INT64_MAX));
    const std::string side = in.text_or("side", "nobody");
    if (side != "nobody") {
      out.side = scene.game->roster().side(side);
      if (!out.side.ok()) in.complain("side", "there is no such side");
    }
  } else {
    out.turn = static_cast<std::int16_t>(in.number_or("turn", 0, 0, INT16_MAX));
    if (in.has("side")) in.complain("side", "goes with roll");
  }
  if (!in.ok()) return std::move(in).error();
  return out;
}

Answer post_dossier(const Scene& scene) {
  auto body = read_body(scene.request);
  if (!body) return std::move(body).error();
  JsonReader in(*body, "");
  in.only({"side", "roll", "turn"});
  auto wish = dossier_request(scene, in);
  if (!wish) return std::move(wish).error();
  auto work = [&service = scene.service, wish = *wish](Jobs::Progress&) -> Result<std::string> {
    auto dossier = make_dossier(service.store, service.library, service.time, wish);
    if (!dossier) return std::move(dossier).error();
    return dossier->dump(-1, ' ', false, json::error_handler_t::replace);
  };
  return started(scene, "dossier", std::move(work));
}

// The same at once, also as a page or Markdown: ?format=json|markdown|html.
Answer get_dossier(const Scene& scene) {
  json asked = json::object();
  for (const char* name : {"roll", "turn"}) {
    auto number = scene.request.query.get_uint(name, INT64_MAX);
    if (!number) return std::move(number).error();
    if (*number) asked[name] = **number;
  }
  if (auto side = scene.request.query.get("side")) asked["side"] = std::string(*side);
  JsonReader in(asked, "");
  auto wish = dossier_request(scene, in);
  if (!wish) return std::move(wish).error();
  auto format = format_of(scene.request);
  if (!format) return std::move(format).error();
  auto dossier =
      make_dossier(scene.service.store, scene.service.library, scene.service.time, *wish);
  if (!dossier) return std::move(dossier).error();
  switch (*format) {
    case Format::kMarkdown:
      return markdown_response(dossier_markdown(*dossier));
    case Format::kHtml:
      return page_response(dossier_html(*dossier));
    case Format::kJson:
      break;
  }
  return json_response(200, *dossier);
}

Answer get_luck(const Scene& scene) {
  auto at = scene.request.query.get_uint("at", INT64_MAX);
  if (!at) return std::move(at).error();
  const Version last = at->value_or(scene.branch.version);
  if (last == 0 || last > scene.branch.version) return not_found("there is no such event");
  auto format = format_of(scene.request);
  if (!format) return std::move(format).error();
  auto luck = luck_of_line(scene.service.library, scene.service.time, scene.branch.branch, last,
                           scene.viewer);
  if (!luck) return std::move(luck).error();
  if (*format == Format::kHtml) return invalid("format: must be json or markdown");
  if (*format == Format::kMarkdown) return markdown_response(luck_markdown(*luck));
  return json_response(200, *luck);
}

}  // namespace

void add_job_routes(Routes& routes) {
  routes.add(Method::kGet, "/jobs", get_jobs);
  routes.add(Method::kGet, "/jobs/{job:id}", get_job);
  routes.add(Method::kDelete, "/jobs/{job:id}", delete_job);
  routes.add(Method::kPost, "/sweep", post_sweep);
  routes.add(Method::kPost, "/audit", post_audit);
  routes.add(Method::kPost, "/dossier", post_dossier);
  routes.add(Method::kGet, "/dossier", get_dossier, {{"side", "roll", "turn", "format"}});
  routes.add(Method::kGet, "/luck", get_luck, {{"at", "format"}});
}

}  // namespace wardiary::http
