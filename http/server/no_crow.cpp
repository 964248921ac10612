// Stands in for crow_server.cpp where CMake did not find Crow.
#include "http/server/backends.h"
#include "http/server/server.h"

namespace wardiary::http {

const bool kCrowCompiled = false;

Result<std::unique_ptr<Server>> start_crow(ServerOptions, Router) {
  return invalid("this build has no Crow back end: Crow was not found when it was configured");
}

}  // namespace wardiary::http
