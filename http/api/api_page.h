// The description of this API: openapi.json beside this file, as compiled in, and a page made from
// it that needs neither script nor network.
#pragma once

#include <string>
#include <string_view>

namespace wardiary::http {

std::string_view openapi_text();
std::string api_page(std::string_view openapi);

}  // namespace wardiary::http
