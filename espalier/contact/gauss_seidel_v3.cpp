#include "espalier/contact/gauss_seidel_impl.h"

namespace espalier::contact {

template class GaussSeidel<float>;
template class GaussSeidel<DoubleLanes>;
template class GaussSeidel<FloatLanes>;

}  // namespace espalier::contact
