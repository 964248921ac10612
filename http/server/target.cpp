#include "http/server/target.h"

#include <algorithm>

namespace wardiary::http {
namespace {

constexpr std::size_t kQueryParametersMax = 64;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Nothing for an escape that is not '%' and two hexadecimal digits.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(plus_is_space && text[i] == '+' ? ' ' : text[i]);
    }
  }
  return out;
}

Status parse_query(std::string_view text, Query& query) {
  while (!text.empty()) {
    const std::size_t end = text.find('&');
    const std::string_view field = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (field.empty()) continue;
    const std::size_t equals = field.find('=');
    auto name = percent_decode(field.substr(0, equals), true);
    if (!name || name->empty() || !is_clean_utf8(*name)) {
      return invalid("a query parameter has a wrong name");
    }
    auto value = percent_decode(
        equals == std::string_view::npos ? std::string_view() : field.substr(equals + 1), true);
    if (!value || !is_clean_utf8(*value)) {
      return invalid("query parameter '" + *name + "' is not clean percent-encoded UTF-8");
    }
    if (query.has(*name)) return invalid("query parameter '" + *name + "' is given twice");
    if (query.size() == kQueryParametersMax) return invalid("too many query parameters");
    query.add(std::move(*name), std::move(*value));
  }
  return Done{};
}

}  // namespace

Status parse_target(Request& request) {
  request.query.clear();
  std::string_view rest = request.target;
  const bool clean = std::all_of(rest.begin(), rest.end(),
                                 [](char c) { return c > ' ' && c != 0x7f && c != '#'; });
  if (!clean) return invalid("the request target has bytes that must be percent-encoded");
  for (std::string_view scheme : {"http://", "https://"}) {
    if (rest.size() > scheme.size() && same_token(rest.substr(0, scheme.size()), scheme)) {
      rest.remove_prefix(scheme.size());
      rest.remove_prefix(std::min(rest.find_first_of("/?"), rest.size()));
      if (rest.empty()) rest = "/";
    }
  }
  if (rest == "*") {
    request.path = "*";
    return Done{};
  }
  if (!rest.starts_with('/')) return invalid("the request target must be a path");
  const std::size_t mark = rest.find('?');
  request.path.assign(rest.substr(0, mark));
  if (mark == std::string_view::npos) return Done{};
  return parse_query(rest.substr(mark + 1), request.query);
}

void split_path(std::string_view path, std::vector<std::string_view>& segments) {
  segments.clear();
  if (path.size() <= 1) return;
  path.remove_prefix(1);
  for (;;) {
    const std::size_t slash = path.find('/');
    segments.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return;
    path.remove_prefix(slash + 1);
  }
}

std::optional<std::string> decode_segment(std::string_view segment) {
  auto decoded = percent_decode(segment, false);
  if (!decoded || decoded->empty() || *decoded == "." || *decoded == "..") return std::nullopt;
  // is_clean_utf8 lets tab and newline pass, which no name of ours has.
  const bool plain = std::none_of(decoded->begin(), decoded->end(), [](char c) {
    return c == '/' || c == '\\' || c == '\t' || c == '\n';
  });
  if (!plain || !is_clean_utf8(*decoded)) return std::nullopt;
  return decoded;
}

}  // namespace wardiary::http
