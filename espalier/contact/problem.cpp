#include "espalier/contact/problem.h"

#include "espalier/contact/problem_impl.h"

namespace espalier::contact {

template class Problem<double>;

}  // namespace espalier::contact
