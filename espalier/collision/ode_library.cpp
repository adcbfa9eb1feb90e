#include "espalier/collision/ode_library.h"

#include <ode/ode.h>

#include <atomic>
#include <cstdarg>
#include <cstdlib>

namespace espalier::collision {
namespace {

std::atomic<std::uint64_t> allocations{0};
std::atomic<std::uint64_t> complaints{0};

void* allocate(dsizeint size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size);
}
void* reallocate(void* block, dsizeint, dsizeint size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::realloc(block, size);
}
void release(void* block, dsizeint) { std::free(block); }

void complain(int, const char*, va_list) { complaints.fetch_add(1, std::memory_order_relaxed); }

std::mutex lifeMutex;
int users = 0;
dGeomID ray = nullptr;

}  // namespace

OdeLibrary::OdeLibrary() {
  const std::lock_guard lock(lifeMutex);
  if (users++ > 0) return;
  dSetAllocHandler(allocate);
  dSetReallocHandler(reallocate);
  dSetFreeHandler(release);
  dSetErrorHandler(complain);
  dSetDebugHandler(complain);
  dSetMessageHandler(complain);
  dInitODE2(0);
  dAllocateODEDataForThread(dAllocateMaskAll);
  ray = dCreateRay(nullptr, 1);
  dGeomRaySetClosestHit(ray, 1);
}

OdeLibrary::~OdeLibrary() {
  const std::lock_guard lock(lifeMutex);
  if (--users > 0) return;
  dGeomDestroy(ray);
  dCloseODE();
}

std::uint64_t odeAllocations() { return allocations.load(std::memory_order_relaxed); }
std::uint64_t odeComplaints() { return complaints.load(std::memory_order_relaxed); }
std::mutex& odeMutex() {
  static std::mutex mutex;
  return mutex;
}

dxGeom* rayGeom() { return ray; }

}  // namespace espalier::collision
