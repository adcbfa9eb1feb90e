#!/bin/sh
# Stands before each call of the compiler where there is ccache (EspalierFlags.cmake).
#   CCACHE_DEPEND       the compiler's own list says which headers count: one preprocessor run less
#   CCACHE_SLOPPINESS   asked for by ccache before it keeps what uses precompiled headers: macros
#                       defined before one are the compiler's to compare, and no header of ours says
#                       __TIME__
#   CCACHE_BASEDIR      paths below the checkout become relative, so that another clone finds the same
#                       objects (tests get the checkout's path as a function, not as an option)
export CCACHE_DEPEND=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros"
CCACHE_BASEDIR="$(cd "$(dirname "$0")/.." && pwd)"
export CCACHE_BASEDIR
# An older precompiled header would be taken for an input of the new one, which no clone could find again.
is_header='' is_output=''
for argument in "$@"; do
  if [ "$is_header" ] && [ "$is_output" ]; then rm -f "$argument"; fi
  is_output=''
  case "$argument" in
    c++-header) is_header=1 ;;
    -o) is_output=1 ;;
  esac
done
exec ccache "$@"
