// A few requests to a War Diary service over plain HTTP, for the commands that speak to one. A
// service on the internet stands behind a proxy with TLS; use a tunnel to reach it from here.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "domain/base/result.h"

namespace wardiary::cli {

class HttpClient {
 public:
  // "http://host:port", with a path before the service's own if it has one.
  static Result<HttpClient> at(const std::string& url, std::string token);

  // The JSON of an answer below 300; otherwise an error with the service's own words.
  Result<nlohmann::json> get(const std::string& path) const;
  Result<nlohmann::json> post(const std::string& path, const nlohmann::json& body) const;

 private:
  struct Answer {
    int status = 0;
    std::string body;
  };
  Result<Answer> exchange(const std::string& request) const;
  Result<nlohmann::json> ask(const std::string& method, const std::string& path,
                             const std::string& body) const;

  std::string host_, port_, base_, token_;
};

}  // namespace wardiary::cli
