#pragma once

namespace espalier {

/// Whether this processor runs the code compiled for wide registers, the files named *_v4.cpp.
/// Elsewhere than on x86-64 these are compiled like all others.
bool hasWideRegisters();

}  // namespace espalier
