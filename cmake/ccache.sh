#!/bin/sh
# Stands before each call of the compiler where there is ccache (EspalierFlags.cmake).
#   CCACHE_DEPEND       the compiler's own list says which headers count: one preprocessor run less
#   CCACHE_SLOPPINESS   asked for by ccache before it keeps what uses precompiled headers: macros
#                       defined before one are the compiler's to compare, and no header of ours says
#                       __TIME__
export CCACHE_DEPEND=1
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros"
exec ccache "$@"
