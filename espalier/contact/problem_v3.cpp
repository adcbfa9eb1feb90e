#include "espalier/contact/problem_impl.h"

namespace espalier::contact {

template class Problem<float>;
template class Problem<DoubleLanes>;
template class Problem<FloatLanes>;

}  // namespace espalier::contact
