// A scene that bench/robot_scenes.py has compiled into MuJoCo's binary form, with its state.
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>

#include "bench/robots/scene.h"

namespace bench {
namespace {

using nlohmann::json;

class MujocoScene final : public RobotScene {
 public:
  explicit MujocoScene(const json& known)
      : m_(mj_loadModel(known.at("file").get<std::string>().c_str(), nullptr), mj_deleteModel),
        d_(m_ ? mj_makeData(m_.get()) : nullptr, mj_deleteData),
        q_(known.at("qpos").get<std::vector<double>>()),
        ctrl_(known.at("ctrl").get<std::vector<double>>()) {
    if (!m_ || !d_) throw std::runtime_error("MuJoCo cannot load its own model");
    if (q_.size() != static_cast<std::size_t>(m_->nq) ||
        ctrl_.size() != static_cast<std::size_t>(m_->nu))
      throw std::runtime_error("the case's state is another model's");
  }

  void reset() override {
    mj_resetData(m_.get(), d_.get());
    std::copy(q_.begin(), q_.end(), d_->qpos);
    std::copy(ctrl_.begin(), ctrl_.end(), d_->ctrl);
    mj_forward(m_.get(), d_.get());
    warnings_ = 0;
    warned_ = false;
  }
  void step() override {
    mj_step(m_.get(), d_.get());
    int count = 0;
    for (const mjWarningStat& warning : d_->warning) count += warning.number;
    warned_ = count > warnings_;
    warnings_ = count;
  }

  StepFacts facts() const override {
    StepFacts facts;
    facts.contacts = d_->ncon;
    for (int i = 0; i < d_->ncon; ++i) facts.depth = std::max(facts.depth, -d_->contact[i].dist);
    facts.unconverged = warned_ ? 1 : 0;
    if (m_->neq > 0) facts.closure = 0;
    for (int i = 0; i < d_->nefc; ++i)
      if (d_->efc_type[i] == mjCNSTR_EQUALITY)
        facts.closure = std::max(facts.closure, std::abs(d_->efc_pos[i]));
    return facts;
  }
  std::string flags() const override { return warned_ ? "warning" : ""; }
  bool isFinite() const override {
    return std::all_of(d_->qpos, d_->qpos + m_->nq, [](double x) { return std::isfinite(x); });
  }

 private:
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m_;
  std::unique_ptr<mjData, decltype(&mj_deleteData)> d_;
  std::vector<double> q_, ctrl_;
  int warnings_ = 0;  ///< of all steps since the reset
  bool warned_ = false;
};

}  // namespace

std::unique_ptr<RobotScene> makeRobotScene(const json& known) {
  return std::make_unique<MujocoScene>(known);
}

}  // namespace bench
