// Taking a request target apart, strictly: what is not clearly right is refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/server/http.h"

namespace wardiary::http {

// Splits request.target into request.path and request.query. Accepts the origin form ("/a?b=c"),
// the absolute form ("http://host/a?b=c") and "*". Fails with a text for the client.
Status parse_target(Request& request);

// The parts of a path between its slashes, undecoded: "/a//b" has an empty one, "/" has none.
void split_path(std::string_view path, std::vector<std::string_view>& segments);

// One path segment percent-decoded. Nothing for a wrong escape, an encoded slash, control
// characters, bad UTF-8, an empty segment, "." and "..".
std::optional<std::string> decode_segment(std::string_view segment);

}  // namespace wardiary::http
