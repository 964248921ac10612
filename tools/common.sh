# Shared by tools/build, tools/run and tools/test: where we are, how we speak. Sourced, not run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' red=$'\e[31m' green=$'\e[32m' dim=$'\e[2m' plain=$'\e[0m'
else
  bold='' red='' green='' dim='' plain=''
fi

say() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
note() { printf '%s    %s%s\n' "$dim" "$*" "$plain"; }
complain() { printf '%s%s%s\n' "$red" "$*" "$plain" >&2; }
die() {
  complain "$1"
  exit "${2:-1}"
}

# As many compilers at once as there are cores and room: one wants up to 1.5 GB.
jobs_wanted() {
  local cores room
  cores=$(nproc)
  room=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo)
  ((room < 1)) && room=1
  echo $((cores < room ? cores : room))
}
