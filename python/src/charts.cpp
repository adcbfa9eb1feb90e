// Curves and bars that a program feeds.

#include "espalier/visual/charts.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "casters.h"
#include "visuals_handle.h"

namespace espalier::python {

using namespace nb::literals;

void bindCharts(nb::module_& m) {
  drawnClass<TimeSeriesGraph>(m, "TimeSeriesGraph", "Several curves over time.")
      .def_prop_ro("title", got(&TimeSeriesGraph::title), "str")
      .def_prop_ro("names", got(&TimeSeriesGraph::names), "list of str, of the curves")
      .def_prop_ro("x_axis", got(&TimeSeriesGraph::xAxis), "str")
      .def_prop_ro("y_axis", got(&TimeSeriesGraph::yAxis), "str")
      .def("add_data_points", held(&TimeSeriesGraph::addDataPoints), "time"_a, "values"_a,
           "One point of each curve: time, s, and values (curves,). ValueError for another number "
           "of values.");
  drawnClass<BarChart>(m, "BarChart", "Bars, one for each name.")
      .def_prop_ro("title", got(&BarChart::title), "str")
      .def_prop_ro("names", got(&BarChart::names), "list of str, of the bars")
      .def("set_data", held(+[](BarChart& chart, const Eigen::VectorXd& data) {
             chart.setData(std::vector<float>(data.begin(), data.end()));
           }),
           "data"_a, "Heights (bars,). ValueError for another number of them.")
      .def_prop_ro("data", held(+[](BarChart& chart) {
                     return std::vector<double>(chart.data().begin(), chart.data().end());
                   }),
                   "ndarray (bars,)");
}

}  // namespace espalier::python
