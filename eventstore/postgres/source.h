// The records of the cluster as source.h of stored/ wants them, a page of rows at a time.
#pragma once

#include <functional>

#include "eventstore/postgres/pool.h"
#include "eventstore/stored/source.h"

namespace wardiary::postgres {

// How a question reaches the server: through any connection of the pool, or through one that holds
// a transaction open.
using Ask = std::function<Result<Rows>(const Statement&, const Params&)>;

class TableSource final : public stored::Source {
 public:
  explicit TableSource(Ask ask) : ask_(std::move(ask)) {}

  Result<std::optional<std::string>> get(stored::Family f, std::string_view key) override;
  Status scan(stored::Family f, std::string_view prefix, std::string_view after, const See& see,
              const Damaged& damaged) override;
  std::unique_ptr<stored::Cursor> cursor(stored::Family f, std::string_view prefix) override;
  Status beginnings(stored::Family f, std::size_t bytes,
                    const std::function<void(std::string_view)>& see) override;
  Status check_files() override { return Done{}; }  // the server's own affair (data checksums)

 private:
  const Ask ask_;
};

// A key behind all keys with this beginning, for ranges that must have an end.
std::string range_end(std::string_view prefix);

}  // namespace wardiary::postgres
