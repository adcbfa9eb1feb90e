#pragma once

// The actuation of a MuJoCo model, as its file has it: fixed tendons, actuators, keyframes.

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "espalier/io/text/xml_reader.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// factor x the coordinate of a hinge or slide.
struct MjcfTerm {
  int body = 0, joint = 0;  ///< the joint's place in the body
  double factor = 1;
};

/// A spatial tendon: from site to site, straight or round a geom.
struct MjcfWay {
  struct Point {
    int body = 0;
    Vec3d position{};  ///< in the body
  };
  struct Wrap {
    int after = 0;  ///< between points[after] and the next
    int body = 0;
    Transformd X_BS = identityTransform<double>();
    WrapSurface surface;
    std::optional<Point> side;
  };
  std::vector<Point> points;
  double divisor = 1;
  std::vector<Wrap> wraps{};
};

/// f(body) of every body that a way touches.
template <class F>
void forEachBody(const MjcfWay& way, F&& f) {
  for (const MjcfWay::Point& point : way.points) f(point.body);
  for (const MjcfWay::Wrap& wrap : way.wraps) {
    f(wrap.body);
    if (wrap.side) f(wrap.side->body);
  }
}

/// A tendon: fixed ones have terms, spatial ones ways.
struct MjcfTendon {
  std::vector<MjcfTerm> terms;
  std::vector<MjcfWay> ways;
  TendonSpec spec;  ///< without its terms and ways
  std::array<double, 2> effort{-unlimited,
                               unlimited};  ///< N, of all its actuators before their gears
  bool acts() const {
    return spec.stiffness != 0 || spec.damping != 0 || spec.friction != 0 || spec.actuator ||
           spec.lower > -unlimited || spec.upper < unlimited;
  }
};

/// An actuator whose force along `length` is affine in its input c, its length l and l's rate:
///   f = (gain[0] + gain[1] l + gain[2] l') c + bias[0] + bias[1] l + bias[2] l'
struct MjcfActuator {
  std::string name;
  std::string tag;
  std::vector<MjcfTerm> length;  ///< times the gear
  std::vector<MjcfWay> ways;     ///< of a spatial tendon
  double gear = 1;               ///< of the ways
  int tendon = -1;               ///< its place in the model; -1: none
  bool acts() const { return !length.empty() || !ways.empty(); }
  std::array<double, 3> gain{1, 0, 0}, bias{0, 0, 0};
  std::array<double, 2> control{-std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::infinity()};
  std::array<double, 2> force = control;
  std::size_t controls = 1;  ///< how many it has; the first is read
  bool hasState = false;     ///< the input is an activation
  bool integrates = false;   ///< which is the integral of the control
  double activation = 0;     ///< at the start
  double input = 0;          ///< at the start
  const XMLElement* element = nullptr;
};

/// One <key>; empty lists: as drawn, at rest, zero.
struct MjcfKey {
  std::string name;
  std::vector<double> qpos, qvel, act, ctrl, mpos, mquat;
  const XMLElement* element = nullptr;
};

}  // namespace espalier::io
