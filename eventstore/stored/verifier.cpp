#include "eventstore/stored/verifier.h"

#include <algorithm>

namespace wardiary::stored {

Promises Promises::of(const CheckpointFile& file) {
  Promises out;
  for (const auto& [game, tree] : file.all()) out.signed_trees.emplace(game, tree);
  out.rollbacks = file.rollback_count();
  out.restores = file.restore_count();
  return out;
}

void Verifier::find(const std::string& check, const std::string& where, const std::string& text) {
  out_.findings.push_back({check, where, text});
}

void Verifier::scan(Family family, std::string_view prefix, const std::string& where,
                    const Source::See& see, const Source::Damaged& damaged) {
  Status s = source_.scan(family, prefix, "", see, damaged);
  if (!s) find("file", where, s.error().text);
}

EventStore::Verified Verifier::verify_one(const GameId& game) {
  auto body = source_.get(Family::kGames, id_key(game));
  const auto record = body && *body ? GameRecord::parse(**body) : std::nullopt;
  if (record) {
    verify_game(game, *record);
  } else {
    find("game", "game " + to_hex(game), "its record is missing or fails its check");
  }
  return finish();
}

EventStore::Verified Verifier::finish() {
  out_.rollbacks = promises_.rollbacks;
  out_.restores = promises_.restores;
  return std::move(out_);
}

EventStore::Verified Verifier::verify_all() {
  std::vector<std::pair<GameId, GameRecord>> games;
  const auto id_of = [](std::string_view key) { return Id::from(bytes_of(key)).value_or(Id{}); };
  scan(
      Family::kGames, "", "games",
      [&](std::string_view key, std::string_view body) {
        if (auto record = GameRecord::parse(body)) {
          games.emplace_back(id_of(key), std::move(*record));
        } else {
          find("game", "game " + to_hex(bytes_of(key)), "its record is not one");
        }
        return true;
      },
      [&](std::string_view key) {
        find("game", "game " + to_hex(bytes_of(key)), "its record does not pass its check");
        games.emplace_back(id_of(key), GameRecord{});
      });
  std::map<GameId, bool> known;
  for (const auto& [id, record] : games) {
    known[id] = true;
    verify_game(id, record);
  }
  const auto known_game = [&](std::string_view id) { return known.contains(id_of(id)); };
  const auto known_branch = [&](std::string_view id) {
    return known_branches_.contains(id_of(id));
  };
  check_orphans(Family::kBranches, 0, known_game);
  check_orphans(Family::kLeaves, 0, known_game);
  check_orphans(Family::kTree, 0, known_game);
  check_orphans(Family::kEvents, 0, known_branch);
  check_orphans(Family::kSegments, 0, known_branch);
  check_orphans(Family::kCommands, 0, known_branch);
  check_orphans(Family::kNotes, 0, known_game);
  check_orphans(Family::kSnapshots, 0, known_branch);
  check_orphans(Family::kDefault, 0, [](std::string_view) { return false; });
  check_orphans(Family::kHeads, 1,
                [&](std::string_view id) { return known_game(id) || known_branch(id); });
  for (const auto& [game, tree] : promises_.signed_trees) {
    if (!known.contains(game) && tree.size > 0) {  // 0: an accepted rollback to before the game
      find("checkpoint", "game " + to_hex(game),
           "a tree of " + std::to_string(tree.size) +
               " leaves was signed, but there is no such game");
    }
  }
  check_side_families();
  check_files();
  return finish();
}

void Verifier::verify_game(const GameId& id, const GameRecord& record) {
  ++out_.games;
  Game game;
  game.id = id;
  game.record = record;
  read_branches(game);
  check_branches(game);
  for (Line& line : game.lines) {
    ++out_.branches;
    read_line(game, line);
    check_head(game, line);
    check_commands(game, line);
    out_.commits += line.commits.size();
  }
  check_forks(game);
  check_tree(game);
  check_contents(game);
  check_notes(game);
  if (progress_) progress_(out_.events);
}

void Verifier::read_branches(Game& game) {
  const auto add = [&](std::string_view key, std::optional<BranchRecord> record) {
    const auto id = key.size() == 32 ? Id::from(bytes_of(key).subspan(16)) : std::nullopt;
    if (!id || !record) {
      find("branch", "game " + to_hex(game.id) + (id ? " branch " + to_hex(*id) : ""),
           "its record does not pass its check");
      game.whole = false;
    }
    if (!id) return;
    known_branches_[*id] = game.id;
    if (!record) return;
    game.numbers[*id] = static_cast<std::uint32_t>(game.lines.size());
    Line line;
    line.id = *id;
    line.record = std::move(*record);
    game.lines.push_back(std::move(line));
  };
  scan(
      Family::kBranches, id_key(game.id), "game " + to_hex(game.id),
      [&](std::string_view key, std::string_view body) {
        return add(key, BranchRecord::parse(body)), true;
      },
      [&](std::string_view key) { add(key, std::nullopt); });
}

void Verifier::check_branches(Game& game) {
  if (!game.numbers.contains(game.record.mainline)) {
    find("branch", "game " + to_hex(game.id), "its mainline has no record");
    game.whole = false;
  }
  for (Line& line : game.lines) {
    const std::string where = "game " + to_hex(game.id) + " branch " + to_hex(line.id);
    if (line.record.parent.is_zero()) {
      const bool plain = line.record.forked_at == 0 && line.record.depth == 0 &&
                         line.record.fork_hash.is_zero() && !line.record.deleted;
      if (line.id != game.record.mainline || !plain) {
        find("branch", where, "its record says it is the mainline, which it is not");
      }
      continue;
    }
    const auto parent = game.numbers.find(line.record.parent);
    if (parent == game.numbers.end()) {
      find("branch", where, "its parent has no record");
      continue;
    }
    if (line.record.depth != game.lines[parent->second].record.depth + 1) {
      find("branch", where, "its depth is not one more than its parent's");
      continue;
    }
    if (const auto owner = fork_owner(game, line)) {
      game.lines[*owner].wanted[line.record.forked_at];  // its hash is asked for
    }
  }
}

std::optional<std::uint32_t> Verifier::fork_owner(const Game& game, const Line& line) {
  const Line* owner = &line;
  do {
    const auto parent = game.numbers.find(owner->record.parent);
    if (parent == game.numbers.end()) return std::nullopt;
    const Line& up = game.lines[parent->second];
    if (up.record.depth >= owner->record.depth) return std::nullopt;  // a forged circle ends here
    owner = &up;
  } while (owner->record.forked_at >= line.record.forked_at);
  return static_cast<std::uint32_t>(owner - game.lines.data());
}

// A fork's first event is chained to the hash its record says; that hash must be its parent's.
void Verifier::check_forks(const Game& game) {
  for (const Line& line : game.lines) {
    if (line.record.parent.is_zero()) continue;
    const auto owner = fork_owner(game, line);
    const std::string where = place(game.id, line.id, line.record.forked_at);
    if (!owner) {
      find("branch", where, "its record names no branch it could have been forked from");
      continue;
    }
    const auto& wanted = game.lines[*owner].wanted;
    const auto hash = wanted.find(line.record.forked_at);
    if (hash == wanted.end() || hash->second != line.record.fork_hash) {
      find("branch", where, "it was forked here, but the parent's event has another hash");
    }
  }
}

void Verifier::check_head(Game& game, Line& line) {
  const std::string where = place(game.id, line.id, line.last);
  auto body = source_.get(Family::kHeads, branch_head_key(line.id));
  Version version = line.record.forked_at;
  Hash hash = line.record.fork_hash;
  const bool forked = !line.record.parent.is_zero();
  const bool absent = body && !*body && forked;
  if (!absent && (!body || !*body || !parse_branch_head(**body, version, hash))) {
    find("chain", where, "the record of the branch's head is missing or fails its check");
    return;
  }
  if (version > line.last) {
    find("continuity", place(game.id, line.id, line.last + 1),
         "missing: the branch's head is version " + std::to_string(version) +
             ", the last event found is " + std::to_string(line.last));
  } else if (version < line.last) {
    find("continuity", place(game.id, line.id, version + 1),
         "there are events up to version " + std::to_string(line.last) + ", the branch's head is " +
             std::to_string(version));
  } else if (hash != line.hash) {
    find("chain", where, "the branch's head has another event hash than its last event");
  }
  if (line.committed() != line.last) find("continuity", where, "the last commit is not complete");
  auto sealed = source_.get(Family::kHeads, sealed_key(line.id));
  const Version recorded = sealed && *sealed ? RecordReader(**sealed).number(8) : 0;
  if (!sealed || recorded != line.sealed) {
    find("continuity", where, "the record of what is sealed is missing or not right");
  }
}

void Verifier::check_commands(Game& game, Line& line) {
  const std::string where = place(game.id, line.id, line.last);
  scan(
      Family::kCommands, id_key(line.id), where,
      [&](std::string_view key, std::string_view body) {
        const auto record = CommandRecord::parse(body);
        const Version last = record ? record->last : 0;
        const auto commit =
            std::lower_bound(line.commits.begin(), line.commits.end(), last,
                             [](const FoundCommit& c, Version v) { return c.last < v; });
        const bool right = key.size() == 32 && record && commit != line.commits.end() &&
                           commit->last == last && commit->events == record->events &&
                           !commit->has_command;
        if (right) {
          commit->has_command = true;
        } else {
          find("command", place(game.id, line.id, last), "a command id points at no commit");
        }
        return true;
      },
      [&](std::string_view) { find("command", where, "a command record fails its check"); });
  for (const FoundCommit& commit : line.commits) {
    if (commit.has_command) continue;
    find("command", place(game.id, line.id, commit.last),
         "the commit ending here has no command record");
  }
}

void Verifier::check_orphans(Family family, std::size_t id_at,
                             const std::function<bool(std::string_view)>& known) {
  const std::string name = kFamilyNames[static_cast<std::size_t>(family)];
  const std::size_t length = id_at + Id::kSize;
  Status s = source_.beginnings(family, length, [&](std::string_view beginning) {
    if (beginning.size() == length && known(beginning.substr(id_at))) return;
    find("orphan", name + " " + to_hex(bytes_of(beginning)), "belongs to no known game or branch");
  });
  if (!s) find("file", name, s.error().text);
}

void Verifier::check_contents(const Game& game) {
  for (const Hash& hash : game.record.contents) {
    auto body = source_.get(Family::kContents, text_of(hash));
    if (!body || *body) continue;  // a damaged one is found with the others of its family
    find("content", "game " + to_hex(game.id),
         "the content " + to_hex(hash) + " it was made with is missing");
  }
}

// Notes are numbered from 1; one that is not the next is found, and the search goes on from it.
void Verifier::check_notes(const Game& game) {
  std::uint64_t next = 1;
  const auto number = [&](std::string_view key) {
    const std::uint64_t n = key.size() == 24 ? get_u64(bytes_of(key).data() + 16) : 0;
    if (n != next) {
      find("note", "game " + to_hex(game.id) + " note " + std::to_string(next),
           n > next ? "is missing" : "a key that is not one of a note");
    }
    next = std::max(next, n) + 1;
  };
  scan(
      Family::kNotes, id_key(game.id), "game " + to_hex(game.id),
      [&](std::string_view key, std::string_view) { return number(key), true; },
      [&](std::string_view key) { number(key); });
}

void Verifier::check_files() {
  if (Status s = source_.check_files(); !s) find("file", "db", s.error().text);
}

void Verifier::check_side_families() {
  scan(
      Family::kContents, "", "contents",
      [&](std::string_view key, std::string_view body) {
        if (text_of(sha256(bytes_of(body))) != key) {
          find("content", "content " + to_hex(bytes_of(key)), "its bytes have another hash");
        }
        return true;
      },
      [&](std::string_view key) {
        find("content", "content " + to_hex(bytes_of(key)), "does not pass its check");
      });
  for (const Family family :
       {Family::kSnapshots, Family::kIndex, Family::kNotes, Family::kRecords}) {
    const std::string name = kFamilyNames[static_cast<std::size_t>(family)];
    scan(
        family, "", name, [](std::string_view, std::string_view) { return true; },
        [&](std::string_view key) {
          find(name, name + " " + to_hex(bytes_of(key)), "does not pass its check");
        });
  }
}

}  // namespace wardiary::stored
