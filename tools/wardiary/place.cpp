#include "tools/wardiary/place.h"

#include "eventstore/data_dir.h"
#include "eventstore/postgres_store.h"
#include "eventstore/rocksdb_store.h"
#include "tools/wardiary/terminal.h"

namespace wardiary::cli {
namespace {

Result<std::unique_ptr<EventStore>> open_embedded(const Place& place, const Opening& opening) {
  StoreOptions options;
  options.directory = place.directory;
  options.create_if_missing = opening.create;
  options.accept_rollback = opening.accept_rollback;
  return open_rocksdb_store(options);
}

Result<std::unique_ptr<EventStore>> open_clusters(const Place& place, const Opening& opening) {
  for (const std::string& uri : place.stores) {
    if (!is_postgres_uri(uri)) {
      return invalid("--store: " + uri +
                     " is no address of the form postgres://host/database; a "
                     "data directory is given with --data");
    }
  }
  PostgresOptions options;
  options.directory = place.directory;
  options.create_if_missing = opening.create;
  options.accept_rollback = opening.accept_rollback;
  options.warn = [](const std::string& text) { complain("warning: " + text); };
  return open_postgres_stores(options, place.stores);
}

}  // namespace

std::string Place::shown() const {
  if (is_embedded()) return directory;
  std::string out;
  for (const std::string& uri : stores) out += (out.empty() ? "" : " ") + shown_uri(uri);
  return out;
}

Result<OpenedStore> open_store(const Place& place, const Opening& opening) {
  auto store = place.is_embedded() ? open_embedded(place, opening) : open_clusters(place, opening);
  if (!store) return std::move(store).error();
  auto master = read_master_key(place.directory);
  if (!master) return std::move(master).error();
  return OpenedStore{std::move(*store), *master};
}

}  // namespace wardiary::cli
