#include "espalier/batch/observation_plan.h"

#include <algorithm>

#include "espalier/batch/observed_names.h"
#include "espalier/batch/similar_names.h"
#include "espalier/core/check.h"

namespace espalier {
namespace {

const QuantityInfo& infoOf(const std::string& name) {
  std::vector<std::string> known;
  for (const QuantityInfo& info : quantityTable()) {
    if (info.name == name) return info;
    known.emplace_back(info.name);
  }
  core::throwInvalidArgument("name", unknownName("quantity", name, known));
}

/// Numbers of a quantity, one for all its columns or one each.
template <class S>
void addNumbers(const std::vector<double>& numbers, int count, const char* what,
                const std::string& name, std::vector<S>& to) {
  const auto size = static_cast<int>(numbers.size());
  ESPALIER_REQUIRE(size == 1 || size == count,
                   std::string(what) + " of '" + name + "' has " + std::to_string(size) +
                       " numbers, and the quantity has " + std::to_string(count));
  for (int i = 0; i < count; ++i) to.push_back(static_cast<S>(numbers[size == 1 ? 0 : i]));
}

}  // namespace

/// Adds one quantity after the other.
template <class S>
struct ObservationPlan<S>::Compiler {
  ObservationPlan& plan;
  const WorldData& world;
  const BatchData<S>& data;
  const std::vector<PlacedFrame> links = bodyLinks(world), frames = allFrames(world);
  const Quantity* quantity = nullptr;
  const QuantityInfo* kind = nullptr;
  int numbers = 0;      // of all quantities so far
  int firstNumber = 0;  // of this one

  void add(const Quantity& q) {
    quantity = &q;
    kind = &infoOf(q.name);
    requireOptions();
    firstNumber = numbers;
    switch (kind->subject) {
      case QuantitySubject::WORLD:
        kind->source == QuantitySource::ARRAY ? addArray() : addRows();
        break;
      case QuantitySubject::COORDINATES: addJoints(false); break;
      case QuantitySubject::DOFS: addJoints(true); break;
      case QuantitySubject::TENDONS: addTendons(); break;
      case QuantitySubject::BODIES: addBodies(); break;
      case QuantitySubject::FRAMES: addFrames(); break;
    }
    const int count = numbers - firstNumber;
    ESPALIER_REQUIRE(!q.minus.data || q.minus.columns == count,
                     "minus of '" + q.name + "' has " + std::to_string(q.minus.columns) +
                         " columns, and the quantity has " + std::to_string(count) + " numbers");
    addNumbers(q.scale, count, "scale", q.name, plan.scale);
    addNumbers(q.offset, count, "offset", q.name, plan.offset);
    plan.low.resize(plan.names.size(), static_cast<S>(q.low));
    plan.high.resize(plan.names.size(), static_cast<S>(q.high));
  }

  void requireOptions() const {
    const Quantity& q = *quantity;
    ESPALIER_REQUIRE(q.low <= q.high, "the clip of '" + q.name + "' ends before it begins");
    ESPALIER_REQUIRE(!q.isLocal || kind->hasAxes,
                     "'" + q.name + "' is no vector that could be given in a frame's axes");
    const bool hasSubjects = kind->subject != QuantitySubject::WORLD;
    ESPALIER_REQUIRE(hasSubjects || q.of.empty(), "'" + q.name + "' is of no joint, frame or body");
    for (const ObservedArray* array : {&q.array, &q.minus})
      ESPALIER_REQUIRE(!array->data || array->worlds == data.size(),
                       "an observed array has " + std::to_string(array->worlds) +
                           " rows, and there are " + std::to_string(data.size()) + " worlds");
    ESPALIER_REQUIRE((kind->source == QuantitySource::HEIGHTS) == !q.points.empty(),
                     "points are given for 'heights', and only there");
  }

  Term& newTerm(const std::string& subject, int count) {
    Term term;
    term.source = kind->source;
    term.reduction = quantity->reduction;
    term.isFirst = numbers == firstNumber;
    const bool isReduced = term.reduction != Reduction::NONE;
    term.column = plan.columns() - (isReduced && !term.isFirst ? 1 : 0);
    term.number = numbers;
    term.count = count;
    term.minus = quantity->minus;
    if (term.minus.data)
      term.minus.data = static_cast<const char*>(term.minus.data) +
                        (numbers - firstNumber) * term.minus.columnStride;
    numbers += count;
    term.isLocal = quantity->isLocal;
    term.threshold = static_cast<S>(quantity->threshold);
    const std::string& name = quantity->label.empty() ? quantity->name : quantity->label;
    if (isReduced && term.isFirst)
      plan.names.push_back(name + (term.reduction == Reduction::SQUARES ? "/squares" : "/largest"));
    for (int i = 0; i < (isReduced ? 0 : count); ++i) {
      const std::string_view column =
          kind->columns[static_cast<std::size_t>(i) % kind->columns.size()];
      const bool isNumbered = column.empty() && count > 1;
      plan.names.push_back(name + (subject.empty() ? "" : "/" + subject) + std::string(column) +
                           (isNumbered ? "." + std::to_string(i) : ""));
    }
    plan.terms.push_back(std::move(term));
    return plan.terms.back();
  }

  Rows<S> rows() const { return data.find(kind->rows.empty() ? kind->name : kind->rows); }
  void addRow(const std::string& subject, int row) { newTerm(subject, 1).rows = {rows().row(row)}; }

  void addRows() {
    Term& term = newTerm("", rows().count);
    for (int i = 0; i < rows().count; ++i) term.rows.push_back(rows().row(i));
  }

  void addJoints(bool areDofs) {
    const std::vector<JointNumber> joints = jointNumbers(world, areDofs);
    const bool areTorques = kind->source == QuantitySource::TORQUE;
    const auto addOne = [&](const JointNumber& number) {
      areTorques ? addTorque(number) : addRow(number.name, number.row);
    };
    if (quantity->of.empty() && areTorques) {
      for (const JointNumber& number : joints)
        if (number.coordinate >= 0) addOne(number);
    } else if (quantity->of.empty()) {
      std::size_t next = 0;  // rows between those of joints are of single bodies
      for (int row = 0; row < rows().count; ++row)
        if (next < joints.size() && joints[next].row == row)
          addOne(joints[next++]);
        else
          addRow(std::to_string(row), row);
    }
    for (const std::string& name : quantity->of) {
      const std::size_t before = plan.terms.size();
      for (const JointNumber& number : joints)
        if (number.joint == name || number.name == name) addOne(number);
      if (plan.terms.size() > before) continue;
      std::vector<std::string> known;
      for (const JointNumber& number : joints) known.push_back(number.joint);
      known.erase(std::unique(known.begin(), known.end()), known.end());
      core::throwInvalidArgument("of", unknownName("joint", name, known));
    }
  }

  void addTendons() {
    std::vector<std::string> names;
    for (const auto& sys : world.owned)
      for (const TendonInfo& tendon : sys->model->tendons) names.push_back(tendon.spec.name);
    if (quantity->of.empty())
      for (std::size_t i = 0; i < names.size(); ++i) addRow(names[i], static_cast<int>(i));
    for (const std::string& name : quantity->of) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        core::throwInvalidArgument("of", unknownName("tendon", name, names));
      addRow(name, static_cast<int>(found - names.begin()));
    }
  }

  void addTorque(const JointNumber& number) {
    ESPALIER_REQUIRE(number.coordinate >= 0, "'torque' is of joints without a quaternion, which '" +
                                                 number.joint + "' has");
    const auto q = [&](const Rows<S>& rows) { return rows.row(number.coordinate); };
    const auto u = [&](const Rows<S>& rows) { return rows.row(number.row); };
    newTerm(number.name, 1).rows = {q(data.q),           u(data.u),           q(data.targetQ),
                                    u(data.targetU),     u(data.kp),          u(data.kd),
                                    u(data.feedforward), u(data.torqueLower), u(data.torqueUpper)};
  }

  /// f(frame) of those that the quantity names; where it names none, of all these.
  template <class F>
  void forSubjects(const char* what, std::span<const PlacedFrame> byDefault, const F& f) const {
    if (quantity->of.empty())
      for (const PlacedFrame& frame : byDefault) f(frame);
    for (const std::string& name : quantity->of) {
      const auto found =
          std::find_if(frames.begin(), frames.end(), [&](const auto& x) { return x.name == name; });
      if (found != frames.end()) {
        f(*found);
        continue;
      }
      std::vector<std::string> known;
      for (const PlacedFrame& frame : frames)
        if (std::find(known.begin(), known.end(), frame.name) == known.end())
          known.push_back(frame.name);
      core::throwInvalidArgument("of", unknownName(what, name, known));
    }
  }

  void addBodies() {
    std::vector<int> firstBody{0};
    for (const auto& sys : world.owned) firstBody.push_back(firstBody.back() + sys->model->nb());
    const int each = rows().count / std::max(firstBody.back(), 1);
    forSubjects("body", links, [&](const PlacedFrame& body) {
      const bool isFlag = kind->source == QuantitySource::CONTACT;
      Term& term = newTerm(body.name, isFlag ? 1 : each);
      const int first = each * (firstBody[body.robot] + body.body);
      for (int i = 0; i < each; ++i) term.rows.push_back(rows().row(first + i));
      if (term.isLocal) take(term, body);
    });
  }

  void addFrames() {
    const bool areHeights = kind->source == QuantitySource::HEIGHTS;
    if (areHeights && plan.ground.isEmpty()) plan.ground = GroundHeights(world);
    ESPALIER_REQUIRE(
        !areHeights || !plan.ground.isEmpty(),
        "the world has no ground, plane or height map, whose heights could be observed");
    ESPALIER_REQUIRE(!links.empty(), "'" + quantity->name + "' needs a robot, and there is none");
    const auto columns = std::count_if(kind->columns.begin(), kind->columns.end(),
                                       [](std::string_view column) { return !column.empty(); });
    const int count =
        static_cast<int>(areHeights ? quantity->points.size() : static_cast<std::size_t>(columns));
    forSubjects("frame", std::span(links).first(1), [&](const PlacedFrame& frame) {
      Term& term = newTerm(frame.name, count);
      term.points = quantity->points;
      take(term, frame);
    });
  }

  /// Its pose is needed, and those of the bodies that carry it.
  void take(Term& term, const PlacedFrame& frame) {
    plan.hasFrames = true;
    term.robot = frame.robot;
    term.body = frame.body;
    term.X_CF = {bc<S>(frame.X_CF.R), bc<S>(frame.X_CF.p)};
    Robot& robot = plan.robots[frame.robot];
    const auto& bodies = robot.model->topology.bodies;
    for (int b = frame.body; b >= 0; b = bodies[b].parent) robot.bodies.push_back(b);
    std::sort(robot.bodies.begin(), robot.bodies.end());
    robot.bodies.erase(std::unique(robot.bodies.begin(), robot.bodies.end()), robot.bodies.end());
  }

  void addArray() {
    const ObservedArray& array = quantity->array;
    ESPALIER_REQUIRE(array.data && array.columns > 0,
                     "a quantity 'array' needs an array with columns");
    newTerm("", array.columns).array = array;
  }
};

template <class S>
ObservationPlan<S>::ObservationPlan(const WorldData& world, const BatchData<S>& data,
                                    std::span<const Quantity> list) {
  for (const auto& sys : world.owned) {
    Robot& robot = robots.emplace_back();
    robot.model = sys->model.get();
    robot.parameters = lowered<S>(sys->parameters);
    for (int i = 0; i < sys->model->nq(); ++i) robot.q.push_back(data.q.row(sys->q0 + i));
    for (int d = 0; d < sys->model->nv(); ++d) robot.u.push_back(data.u.row(sys->u0 + d));
  }
  gravity = data.gravity;
  terrain = data.terrain;
  inForce = &data.offsetInForce();
  ESPALIER_REQUIRE(!list.empty(), "an observation needs a quantity");
  Compiler compiler{*this, world, data};
  for (const Quantity& quantity : list) compiler.add(quantity);
}

template struct ObservationPlan<double>;
template struct ObservationPlan<float>;

}  // namespace espalier
