// The events of a branch as their reader may see them: pages, single events, timeline and dice. The
// stored bytes themselves go to who sees everything.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "domain/event_json.h"
#include "domain/json_writer.h"
#include "domain/schema/event_generated.h"
#include "http/api/service.h"

namespace wardiary::http {

namespace {

constexpr std::size_t kEventsMax = 1'000;
constexpr std::size_t kEventsUsual = 200;
constexpr std::size_t kRollsMax = 5'000;

constexpr std::string_view kBytesType = "application/octet-stream";

bool wants_bytes(const Request& request) {
  auto accept = request.headers.get("Accept");
  return accept && accept->find(kBytesType) != std::string_view::npos;
}

// The part of a branch that a page shows.
struct Stretch {
  Version first = 1;
  Version last = 0;
  bool more = false;  // the branch goes on after it
  bool empty() const { return last < first; }
};

Result<Stretch> stretch_of(const Scene& scene) {
  auto after = version_after(scene.request);
  if (!after) return std::move(after).error();
  auto limit = limit_of(scene.request, kEventsUsual, kEventsMax);
  if (!limit) return std::move(limit).error();
  const Version end = scene.branch.version;
  Stretch out;
  out.first = *after + 1;
  out.last = out.first > end ? *after : std::min<Version>(end, *after + *limit);
  out.more = out.last < end;
  return out;
}

void write_next(JsonWriter& out, bool more, Version last) {
  out.key("next");
  if (more) {
    out.number(static_cast<std::int64_t>(last));
  } else {
    out.null();
  }
}

// One after the other: version (8 bytes), type (2), length (4), all big-endian, then the stored
// bytes. The next page is named by the Link header.
Answer events_as_bytes(const Scene& scene, const Stretch& stretch) {
  if (!scene.sees_everything()) return is_hidden("stored bytes hold what is hidden from you");
  Bytes out;
  Status read = scene.service.store.read(
      scene.branch.branch, stretch.first, stretch.last, [&](const StoredEvent& event) {
        put_u64(out, event.version);
        put_u16(out, event.type);
        put_u32(out, static_cast<std::uint32_t>(event.payload.size()));
        put(out, event.payload);
        return true;
      });
  if (!read) return std::move(read).error();
  Response answer = text_response(200, std::string(text_of(out)), kBytesType);
  if (stretch.more) {
    answer.headers.set("Link", "<" + std::string(scene.request.path) +
                                   "?after=" + std::to_string(stretch.last) + ">; rel=\"next\"");
  }
  answer.headers.set("Vary", "Authorization, Accept");
  return answer;
}

Answer get_events(const Scene& scene) {
  auto stretch = stretch_of(scene);
  if (!stretch) return std::move(stretch).error();
  if (wants_bytes(scene.request)) return events_as_bytes(scene, *stretch);
  const View view = scene.view();
  std::string body;
  body.reserve(16'384);
  JsonWriter out(body);
  out.begin_object().key("events").begin_array();
  if (!stretch->empty()) {
    Status walked = scene.service.time.walk(scene.branch.branch, stretch->first, stretch->last,
                                            [&](Version version, const fb::Event& event, ByteView,
                                                const Position& before, const Position& now) {
                                              view.write_event(out, event, version, before, now);
                                              return true;
                                            });
    if (!walked) return std::move(walked).error();
  }
  out.end_array();
  write_next(out, stretch->more, stretch->last);
  out.member("version", static_cast<std::int64_t>(scene.branch.version)).end_object();
  Response answer = json_text(200, std::move(body));
  answer.headers.set("Vary", "Authorization, Accept");
  return answer;
}

// One event; as stored, its exact bytes.
Answer get_event(const Scene& scene) {
  const Version version = scene.request.path_uint("version");
  if (version == 0 || version > scene.branch.version) return not_found("there is no such event");
  const View view = scene.view();
  std::string body;
  std::uint16_t type = 0;
  if (wants_bytes(scene.request)) {
    if (!scene.sees_everything()) return is_hidden("stored bytes hold what is hidden from you");
    Status read = scene.service.store.read(scene.branch.branch, version, version,
                                           [&](const StoredEvent& event) {
                                             body = text_of(event.payload);
                                             type = event.type;
                                             return false;
                                           });
    if (!read) return std::move(read).error();
    Response answer = by_version(scene, std::move(body));
    answer.headers.set("Content-Type", kBytesType);
    answer.headers.set("Wardiary-Event-Type", std::to_string(type));
    answer.headers.set("Vary", "Authorization, Accept");
    return answer;
  }
  JsonWriter out(body);
  Status walked = scene.service.time.walk(scene.branch.branch, version, version,
                                          [&](Version at, const fb::Event& event, ByteView,
                                              const Position& before, const Position& now) {
                                            view.write_event(out, event, at, before, now);
                                            return true;
                                          });
  if (!walked) return std::move(walked).error();
  Response answer = by_version(scene, std::move(body));
  answer.headers.set("Vary", "Authorization, Accept");
  return answer;
}

Answer get_timeline(const Scene& scene) {
  auto phases = scene.service.timelines.of(scene.branch.branch, scene.viewer);
  if (!phases) return std::move(phases).error();
  std::string body;
  JsonWriter out(body);
  out.begin_object().member("version", static_cast<std::int64_t>(scene.branch.version));
  out.key("phases").begin_array();
  for (const TimelinePhase& phase : *phases) {
    out.raw(phase_json(phase, scene.game->roster()).dump());
  }
  out.end_array().end_object();
  return json_text(200, std::move(body));
}

// The rolls after a version, with their proofs, and the epoch they belong to.
Answer get_dice(const Scene& scene) {
  auto after = version_after(scene.request);
  if (!after) return std::move(after).error();
  auto limit = limit_of(scene.request, kRollsMax, kRollsMax);
  if (!limit) return std::move(limit).error();
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  std::string epoch = "null";
  Version epoch_version = 0;
  Version last = 0;
  std::size_t written = 0;
  bool more = false;
  out.begin_object().key("rolls").begin_array();
  Status walked =
      scene.service.time.walk(scene.branch.branch, 1, scene.branch.version,
                              [&](Version version, const fb::Event& event, ByteView,
                                  const Position& before, const Position& now) {
                                if (event.payload_type() == fb::Payload::EpochOpened) {
                                  epoch = event_json(event, version, scene.game->roster());
                                  epoch_version = version;
                                }
                                if (event.payload_type() != fb::Payload::DiceRolled ||
                                    version <= *after || !view.sees_event(event, before, now)) {
                                  return true;
                                }
                                more = written == *limit;
                                if (more) return false;
                                view.write_event(out, event, version, before, now);
                                last = version;
                                ++written;
                                return true;
                              });
  if (!walked) return std::move(walked).error();
  out.end_array();
  write_next(out, more, last);
  out.key("epoch").raw(epoch);
  if (epoch_version) {
    auto hash = scene.service.store.event_hash(scene.branch.branch, epoch_version);
    if (!hash) return std::move(hash).error();
    out.member("epochHash", to_hex(*hash));
  }
  out.end_object();
  return json_text(200, std::move(body));
}

// One roll, by the version of its event.
Answer get_roll(const Scene& scene) {
  const Version version = scene.request.path_uint("version");
  const View view = scene.view();
  std::string body;
  JsonWriter out(body);
  if (version > 0 && version <= scene.branch.version) {
    Status walked = scene.service.time.walk(scene.branch.branch, version, version,
                                            [&](Version at, const fb::Event& event, ByteView,
                                                const Position& before, const Position& now) {
                                              const bool seen =
                                                  event.payload_type() == fb::Payload::DiceRolled &&
                                                  view.sees_event(event, before, now);
                                              if (seen)
                                                view.write_event(out, event, at, before, now);
                                              return true;
                                            });
    if (!walked) return std::move(walked).error();
  }
  // A roll one may not see is like one that does not exist.
  if (body.empty()) return not_found("there is no roll at this version");
  return by_version(scene, std::move(body));
}

}  // namespace

void add_event_routes(Routes& routes) {
  routes.add(Method::kGet, "/events", get_events, {{"after", "limit"}});
  routes.add(Method::kGet, "/events/{version:uint}", get_event);
  routes.add(Method::kGet, "/timeline", get_timeline);
  routes.add(Method::kGet, "/dice", get_dice, {{"after", "limit"}});
  routes.add(Method::kGet, "/dice/{version:uint}", get_roll);
}

}  // namespace wardiary::http
