#pragma once

// One end of a row of the contact problem: a body of a system, a single body, or a static one.

namespace espalier {

struct System;
struct FreeBody;

struct Endpoint {
  System* system = nullptr;  ///< at most one of both; none: immovable
  FreeBody* free = nullptr;
  int body = 0;  ///< of the system
};

}  // namespace espalier
