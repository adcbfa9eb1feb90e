# Shared by the scripts of this folder; sourced, never run. Sets `root` and enters it.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1

venv="$root/.venv"
python="$venv/bin/python"

# Nothing here reads standard input: a script behaves alike at a desk and in CI.
exec </dev/null

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

say() { printf '%s==>%s %s\n' "$bold" "$plain" "$*"; }
note() { printf '    %s\n' "$*"; }
die() {
  printf '%serror:%s %s\n' "$bold" "$plain" "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Parallel compilations: one a core, but no more than one for each 1.5 GB of memory.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1.5e6) }' /proc/meminfo 2>/dev/null)
  [ "${memory:-$cores}" -lt 1 ] && memory=1
  echo $((cores < ${memory:-$cores} ? cores : ${memory:-$cores}))
}

# The library is built for x86-64-v3; say so here instead of dying of an illegal instruction.
require_cpu() {
  [ "$(uname -m)" = x86_64 ] || return 0
  local flag
  for flag in avx2 fma bmi2; do
    grep -qw "$flag" /proc/cpuinfo || die "this processor lacks $flag; Espalier needs x86-64-v3"
  done
}

# The viewer's page is built with this node or a later one, and npm.
oldest_node=18
has_node() {
  have node && have npm || return 1
  local major
  major=$(node --version 2>/dev/null) || return 1
  major=${major#v}
  [ "${major%%.*}" -ge "$oldest_node" ]
}
viewer_option() {
  if has_node; then echo -DESPALIER_VIEWER=ON; else echo -DESPALIER_VIEWER=OFF; fi
}

# configure PRESET [ARGUMENT...]: cmake's words are shown only where it fails.
# ESPALIER_CMAKE_ARGS is added to the arguments as it is.
configure() {
  local preset=$1 log="$root/build/$1.log"
  shift
  mkdir -p "$root/build"
  # shellcheck disable=SC2086  # several arguments in one variable, on purpose
  cmake --preset "$preset" "$(viewer_option)" "$@" ${ESPALIER_CMAKE_ARGS:-} >"$log" 2>&1 || {
    cat "$log" >&2
    die "cmake could not configure the preset '$preset'"
  }
}

# build PRESET [TARGET...]: all targets by default.
build() {
  local preset=$1 target args=()
  shift
  for target in "$@"; do args+=(--target "$target"); done
  say "building ($preset, $(jobs) at once)"
  cmake --build "$root/build/$preset" --parallel "$(jobs)" "${args[@]}" ||
    die "the build of preset '$preset' failed"
}
