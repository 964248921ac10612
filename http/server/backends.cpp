#include "http/server/backends.h"

#include "http/server/server.h"

namespace wardiary::http {

std::vector<std::string> backends() {
  if (!kCrowCompiled) return {"builtin"};
  if (kCrowIsDefault) return {"crow", "builtin"};
  return {"builtin", "crow"};
}

Result<std::unique_ptr<Server>> start_server(std::string_view backend, ServerOptions options,
                                             Router router) {
  if (backend == "builtin") return start_builtin(std::move(options), std::move(router));
  if (backend == "crow") return start_crow(std::move(options), std::move(router));
  return invalid("unknown HTTP back end '" + std::string(backend) + "'");
}

}  // namespace wardiary::http
