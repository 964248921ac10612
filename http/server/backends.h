// What this build was configured with; set by crow_server.cpp or no_crow.cpp and by CMake.
#pragma once

namespace wardiary::http {

extern const bool kCrowCompiled;
inline constexpr bool kCrowIsDefault = WARDIARY_CROW_IS_DEFAULT;

}  // namespace wardiary::http
