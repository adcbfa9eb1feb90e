#include "espalier/contact/gauss_seidel.h"

#include "espalier/contact/gauss_seidel_impl.h"

#define ESPALIER_INSTANTIATE(T)  \
  template class GaussSeidel<T>; \
  template T largestResidual(const Problem<T>&, const Vec3<T>*);

namespace espalier::contact {

ESPALIER_INSTANTIATE(double)
ESPALIER_INSTANTIATE(float)
ESPALIER_INSTANTIATE(DoubleLanes)
ESPALIER_INSTANTIATE(FloatLanes)

}  // namespace espalier::contact
