#include "apps/cli/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "apps/cli/closing.h"
#include "apps/cli/robot.h"
#include "espalier/io/text/text_file.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/spec/check_magnitudes.h"
#include "espalier/model/state.h"

namespace espalier::cli {
namespace {

using nlohmann::json;

/// A quaternion this far from unit length is worth a word.
constexpr double unit_tolerance = 1e-9;

class Reader {
 public:
  Reader(std::string file, const Model& model, bool unbounded)
      : file_(std::move(file)), model_(model), unbounded_(unbounded) {}

  Expected<StateFile> read(const std::string& text) {
    json document;
    try {
      document = json::parse(text);
    } catch (const json::exception& e) {
      const std::string_view what = e.what();  // "[json.exception...] what it is about"
      if (const auto* wrong = dynamic_cast<const json::parse_error*>(&e))
        line_ = 1 + static_cast<int>(
                        std::ranges::count(std::string_view(text).substr(0, wrong->byte), '\n'));
      error("is not JSON: " + std::string(what.substr(std::min(what.find("] ") + 2, what.size()))),
            "a state is {\"q\": [...], \"u\": [...], \"tau\": [...]}; NaN is not a number of JSON");
      return diagnostics_;
    }
    StateFile result;
    result.isList = document.is_array();
    if (result.isList) {
      for (std::size_t i = 0; i < document.size(); ++i) {
        place_ = fmt::format("state {}: ", i);
        result.states.push_back(readState(document[i]));
      }
    } else {
      result.states.push_back(readState(document));
    }
    if (diagnostics_.hasErrors()) return diagnostics_;
    return Expected<StateFile>(std::move(result), diagnostics_);
  }

 private:
  void error(const std::string& what, std::string remedy) {
    if (diagnostics_.count(Severity::Error) < 20)
      diagnostics_.add({Severity::Error, file_, line_, place_ + what, std::move(remedy)});
  }

  StateInput readState(const json& value) {
    StateInput state = restingState(model_);
    if (!value.is_object()) {
      error("is not an object", "write {\"q\": [...], \"u\": [...], \"tau\": [...]}");
      return state;
    }
    for (const auto& [key, numbers] : value.items()) {
      if (key == "q") {
        readNumbers(key, numbers, model_.publicCoordinate, coordinateNames(model_), state.q);
      } else if (key == "u" || key == "tau" || key == "udot") {
        std::vector<double>& out = key == "u" ? state.u : key == "tau" ? state.tau : state.udot;
        readNumbers(key, numbers, model_.publicDof, dofNames(model_), out);
      } else {
        error("unknown key '" + key + "'", "the keys are q, u, tau and udot");
      }
    }
    normaliseQuaternions(state);
    if (!diagnostics_.hasErrors() && value.contains("q")) close(state);
    return state;
  }

  void close(StateInput& state) {
    const AssemblyResult result = closeByDependents(model_, state.q);
    if (!result.isClosed)
      error("'q': " + whyOpen(result), fmt::format("give coordinates of {} that it can reach",
                                                   fmt::join(coordinateNames(model_), ", ")));
  }

  void readNumbers(const std::string& key, const json& value, const std::vector<int>& place,
                   const std::vector<std::string>& names, std::vector<double>& out) {
    const std::string remedy = names.empty() ? "the robot has no joints: write []"
                                             : fmt::format("in order: {}", fmt::join(names, ", "));
    if (!value.is_array() || value.size() != names.size()) {
      const std::string found = value.is_array() ? fmt::format("{} long", value.size())
                                                 : fmt::format("of type {}", value.type_name());
      error(fmt::format("'{}' is {}, where a list of {} is needed", key, found, names.size()),
            remedy);
      return;
    }
    out.resize(place.size());
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (place[i] < 0) continue;
      const json& number = value[place[i]];
      if (number.is_number() && std::isfinite(number.get<double>())) {
        out[i] = number.get<double>();
        judge(key, names[place[i]], out[i]);
      } else {
        error(fmt::format("'{}' has at place {} ({}) no finite number but {}", key, place[i],
                          names[place[i]],
                          number.dump(-1, ' ', false, json::error_handler_t::replace)),
              remedy);
        return;
      }
    }
  }

  void judge(const std::string& key, const std::string& name, double x) {
    if (unbounded_ || (key != "q" && key != "u")) return;
    const double most = key == "q" ? magnitude_bounds.length : magnitude_bounds.rate;
    if (std::abs(x) <= most) return;
    error(fmt::format("'{}' of {} is {:.3g}, more than {:.3g} {}", key, name, x, most,
                      key == "q" ? "m or rad" : "m/s or rad/s"),
          "check its unit and digits; --no-bounds lifts the bounds");
  }

  void normaliseQuaternions(StateInput& state) {
    const Topology& t = model_.topology;
    for (int b = 0; b < t.nb; ++b) {
      const BodyTopology& body = t.bodies[b];
      const int quaternion = info(body.kind).quaternion;
      if (quaternion < 0) continue;
      const double* x = &state.q[body.q + quaternion];
      const double length = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
      const std::string whose =
          b == 0 ? "the base" : fmt::format("joint '{}'", model_.bodies[b].joint);
      if (!(length > 1e-150) || !std::isfinite(length)) {
        error(fmt::format("'q': the quaternion of {} has length {}", whose, length),
              "w, x, y, z of a unit quaternion; 1, 0, 0, 0 is no rotation");
      } else if (std::abs(length - 1) > unit_tolerance) {
        state.warnings.push_back(
            fmt::format("{}: {}q: the quaternion of {} had length {:.6g} and was normalised", file_,
                        place_, whose, length));
      }
    }
    normalize(t, state.q.data());
  }

  std::string file_;
  const Model& model_;
  bool unbounded_;
  std::string place_;
  int line_ = 0;  ///< of the syntax error; 0: unknown
  Diagnostics diagnostics_;
};

}  // namespace

StateInput restingState(const Model& model) {
  StateInput state;
  state.q.resize(static_cast<std::size_t>(model.nq()));
  state.u.assign(static_cast<std::size_t>(model.nv()), 0.0);
  state.tau = state.u;
  neutral(model.topology, state.q.data());
  if (model.hasLoops()) state.q = neutralState(model).q;
  return state;
}

std::string stateFileName(const std::string& path) {
  return path == "-" ? "<standard input>" : path;
}

Expected<std::string> readStateText(const std::string& path) {
  if (path != "-") return io::readTextFile(path);
  return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

Expected<StateFile> parseStates(const std::string& text, const std::string& path,
                                const Model& model, bool unbounded) {
  return Reader(stateFileName(path), model, unbounded).read(text);
}

Expected<StateFile> readStates(const std::string& path, const Model& model, bool unbounded) {
  const Expected<std::string> text = readStateText(path);
  if (!text) return text.diagnostics();
  return parseStates(*text, path, model, unbounded);
}

}  // namespace espalier::cli
