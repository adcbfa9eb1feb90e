#include "espalier/contact/gauss_seidel.h"

#include "espalier/contact/gauss_seidel_impl.h"

namespace espalier::contact {

template class GaussSeidel<double>;

}  // namespace espalier::contact
