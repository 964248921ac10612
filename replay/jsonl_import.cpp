#include <fstream>
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "replay/jsonl.h"
#include "replay/line_reader.h"

namespace wardiary {

using nlohmann::json;

namespace {

template <std::size_t N>
FixedBytes<N> hex_field(JsonReader& in, std::string_view field) {
  auto bytes = fixed_from_hex<N>(in.text(field));
  if (!bytes) in.complain(field, "must be " + std::to_string(2 * N) + " hexadecimal digits");
  return bytes ? *bytes : FixedBytes<N>{};
}

class FileReader {
 public:
  explicit FileReader(GameSink& sink) : sink_(sink) {}

  Status read(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return not_found(file.string() + ": cannot be opened");
    LineReader lines(in, JsonlLimits::kLineBytesMax);
    auto at = [&](Error error) {
      return std::move(error).within(file.string() + ", line " + std::to_string(lines.number()));
    };
    std::string text;
    while (true) {
      auto more = lines.next(text);
      if (!more) return at(std::move(more).error());
      if (!*more) break;
      if (auto status = line(text, lines.number()); !status) return at(std::move(status).error());
    }
    if (lines.number() == 0) return invalid(file.string() + ": is empty");
    if (auto status = sink_.finish(); !status) return at(std::move(status).error());
    return Done{};
  }

 private:
  Status line(const std::string& text, std::uint64_t number) {
    auto document = parse_json(text);
    if (!document) return std::move(document).error();
    JsonReader in(*document, "");
    Status status = Done{};
    if (number == 1) {
      status = header(in);
    } else if (in.has("bytes")) {
      status = event(in);
    } else if (in.has("content")) {
      Content content{in.text("content"), in.text("name"), ""};
      // Not text(): a board may hold any character that JSON can.
      const json* body = in.get("text");
      if (!body || !body->is_string()) return invalid("text: must be a text");
      content.text = body->get<std::string>();
      if (in.ok()) status = sink_.content(std::move(content));
    } else if (in.has("branch")) {
      status = branch(in);
    } else {
      in.complain("", "is no content, branch or event (\"bytes\" is missing)");
    }
    if (!in.ok()) return std::move(in).error();
    return status;
  }

  Status header(JsonReader& in) {
    if (in.text("format") != "wardiary-jsonl/1") {
      in.complain("format", "must be \"wardiary-jsonl/1\"");
    }
    TransferHead out;
    out.game = hex_field<16>(in, "game");
    out.mainline = mainline_ = hex_field<16>(in, "mainline");
    out.name = in.text("name");
    out.created_at_ms = static_cast<std::uint64_t>(in.number("createdAt", 0, INT64_MAX));
    out.events = static_cast<std::uint64_t>(in.number("events", 1, INT64_MAX));
    if (in.has("treeRoot")) out.root = hex_field<32>(in, "treeRoot");
    return in.ok() ? sink_.header(out) : Done{};
  }
  Status branch(JsonReader& in) {
    BranchInfo out;
    out.branch = hex_field<16>(in, "branch");
    if (in.has("parent")) {
      out.parent = hex_field<16>(in, "parent");
      out.forked_at = static_cast<Version>(in.number("at", 1, INT64_MAX));
    }
    out.version = static_cast<Version>(in.number("version", 1, INT64_MAX));
    out.event_hash = hex_field<32>(in, "hash");
    out.name = in.text_or("name", "");
    out.reason = in.text_or("reason", "");
    out.deleted = in.flag_or("deleted", false);
    return in.ok() ? sink_.branch(std::move(out)) : Done{};
  }
  Status event(JsonReader& in) {
    TransferEvent out;
    out.branch = in.has("branch") ? hex_field<16>(in, "branch") : mainline_;
    out.version = static_cast<Version>(in.number("version", 1, INT64_MAX));
    const std::string type = in.text("type");
    out.type = event_type_number(type);
    if (out.type == 0) in.complain("type", "no event \"" + type + "\"");
    auto bytes = from_base64(in.text("bytes"));
    if (!bytes) in.complain("bytes", "must be base64");
    if (!in.ok()) return Done{};
    out.bytes = std::move(*bytes);
    return sink_.event(std::move(out));
  }

  GameSink& sink_;
  BranchId mainline_;
};

}  // namespace

Result<Imported> import_jsonl(EventStore& store, const std::filesystem::path& file,
                              const TransferProgress& progress) {
  return import_game(
      store, [&](GameSink& sink) { return FileReader(sink).read(file); }, progress);
}

}  // namespace wardiary
