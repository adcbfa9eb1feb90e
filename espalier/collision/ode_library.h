#pragma once

// ODE as a library: alive while anyone needs it, its memory counted, its complaints counted
// instead of printed, and its end of the world averted.

#include <cstdint>
#include <mutex>

struct dxGeom;

namespace espalier::collision {

/// Keeps ODE initialised while it lives; the last one closes it.
class OdeLibrary {
 public:
  OdeLibrary();
  ~OdeLibrary();
  OdeLibrary(const OdeLibrary&) = delete;
  OdeLibrary& operator=(const OdeLibrary&) = delete;
};

/// Allocations and re-allocations ODE has made through its hooks since the program began.
std::uint64_t odeAllocations();
/// Errors, messages and debug reports ODE has raised since the program began.
std::uint64_t odeComplaints();
/// ODE keeps global state while it collides triangle meshes; whoever makes it do so holds this.
std::mutex& odeMutex();
/// The one ray geom there is; for whoever holds the mutex, while an OdeLibrary lives.
dxGeom* rayGeom();

}  // namespace espalier::collision
