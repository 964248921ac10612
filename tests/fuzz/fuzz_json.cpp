// Any text as JSON: what we accept, nlohmann's own parser accepts too, and reading it never fails.
#include <nlohmann/json.hpp>

#include "domain/json_reader.h"
#include "tests/fuzz/fuzz.h"

using namespace wardiary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  auto document = parse_json(text);
  if (!document) {
    fuzz::must(!document.error().text.empty());
    return 0;
  }
  fuzz::must(nlohmann::json::accept(text.begin(), text.end()));
  JsonReader in(*document, "");
  in.only({"a", "b"});
  in.text("a");
  in.number("b", -5, 5);
  in.flag_or("c", true);
  in.each("d", 10, [](JsonReader& at) { at.text_or("x", ""); });
  in.each_text("e", 10, [](JsonReader&, const std::string&) {});
  in.each_member("f", [](const std::string&, JsonReader& at) { at.number_or("n", 0, 0, 9); });
  if (!in.ok()) fuzz::must(!std::move(in).error().text.empty());
  return 0;
}
