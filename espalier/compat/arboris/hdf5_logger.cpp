#include "espalier/compat/arboris/hdf5_logger.h"

#include <hdf5.h>

#include <mutex>
#include <stdexcept>

#include "espalier/compat/arboris/joint_slots.h"

namespace espalier::sim {
namespace {

/// An HDF5 handle; closes itself.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error("HDF5: cannot " + what);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 prints its errors unless told not to; here they are thrown.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace

/// One dataset while it grows: rows of `shape`.
struct Hdf5Logger::Table {
  std::string name;
  std::vector<int> shape;
  std::vector<double> data;

  void add(double x) { data.push_back(x); }
  template <class Matrix>
  void addMatrix(const Matrix& m) {
    for (Eigen::Index i = 0; i < m.rows(); ++i)
      for (Eigen::Index j = 0; j < m.cols(); ++j) add(m(i, j));
  }
  void addPose(const Transformd& X) {
    const Vec3d rows[3] = {X.R.r0, X.R.r1, X.R.r2};
    const double p[3] = {X.p.x, X.p.y, X.p.z};
    for (int i = 0; i < 3; ++i)
      for (double x : {rows[i].x, rows[i].y, rows[i].z, p[i]}) add(x);
    for (double x : {0.0, 0.0, 0.0, 1.0}) add(x);
  }

  void write(hid_t file, hid_t links) const {
    std::size_t width = 1;
    for (int s : shape) width *= static_cast<std::size_t>(s);
    std::vector<hsize_t> size{width == 0 ? 0 : data.size() / width};
    for (int s : shape) size.push_back(static_cast<hsize_t>(s));
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                       H5Sclose, "size " + name);
    const Handle set(
        H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, links, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, "make " + name);
    if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0)
      throw std::runtime_error("HDF5: cannot write " + name);
  }
};

Hdf5Logger::Hdf5Logger(std::string file, const Hdf5Content& content)
    : file_(std::move(file)), content_(content) {}
Hdf5Logger::~Hdf5Logger() = default;

void Hdf5Logger::init(Simulation& simulation, const std::vector<double>&) {
  simulation_ = &simulation;
  snapshot_ = std::make_unique<Snapshot>(simulation);
  tables_.clear();
}

/// Tables come in the same order in every step: made in the first, found again by place.
Hdf5Logger::Table& Hdf5Logger::table(const std::string& name, const std::vector<int>& shape) {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    Table& candidate = *tables_[(next_ + i) % tables_.size()];
    if (candidate.name != name) continue;
    next_ += i + 1;
    return candidate;
  }
  tables_.push_back(std::make_unique<Table>(Table{name, shape, {}}));
  next_ = tables_.size();
  return *tables_.back();
}

void Hdf5Logger::noteState() {
  next_ = 0;
  table("timeline", {}).add(simulation_->currentTime());
  const auto& actors = simulation_->actors();
  const bool qualified = actors.size() > 1;
  for (const auto& actor : actors) {
    if (!content_.state) break;
    const std::vector<double>&q = actor->tree().q(), &u = actor->tree().u();
    for (const JointSlot& joint : jointSlots(actor->model(), qualified)) {
      const double* at = q.data() + joint.q;
      const double* rate = u.data() + joint.u;
      if (joint.kind == JointKind::Floating) {
        const Mat3d R = rotation(Quat<double>{at[3], at[4], at[5], at[6]});
        table("gpositions/" + joint.name, {4, 4}).addPose({R, {at[0], at[1], at[2]}});
        const Vec3d w = tmul(R, Vec3d{rate[3], rate[4], rate[5]});
        const Vec3d v = tmul(R, Vec3d{rate[0], rate[1], rate[2]});
        Table& twists = table("gvelocities/" + joint.name, {6});
        for (double x : {w.x, w.y, w.z, v.x, v.y, v.z}) twists.add(x);
        continue;
      }
      Table& positions = table("gpositions/" + joint.name, {joint.nq});
      for (int k = 0; k < joint.nq; ++k) positions.add(at[k]);
      Table& velocities = table("gvelocities/" + joint.name, {joint.nv});
      for (int k = 0; k < joint.nv; ++k) velocities.add(rate[k]);
    }
  }
  if (!content_.transforms) return;
  snapshot_->take();
  for (std::size_t a = 0; a < actors.size(); ++a) {
    const Model& model = actors[a]->model();
    for (std::size_t l = 0; l < model.links.size(); ++l) {
      const std::string& link = model.links[l].name;
      table("transforms/" + (qualified ? model.name + "/" + link : link), {4, 4})
          .addPose(snapshot_->linkPose(a, l));
    }
  }
}

void Hdf5Logger::noteModel() {
  const int n = simulation_->ndof();
  table("model/gvel", {n}).addMatrix(simulation_->gvel());
  table("model/gforce", {n}).addMatrix(simulation_->gforce());
  table("model/mass", {n, n}).addMatrix(simulation_->massMatrix());
  table("model/viscosity", {n, n}).addMatrix(simulation_->viscosity());
  table("model/nleffects", {n, n}).addMatrix(simulation_->nleffects());
  table("model/admittance", {n, n}).addMatrix(simulation_->admittance());
}

void Hdf5Logger::update(double) {
  noteState();
  if (content_.model) noteModel();
}

void Hdf5Logger::finish() {
  noteState();
  // The library may have been built without threads in mind.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const Quiet quiet;
  const Handle file(H5Fcreate(file_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose,
                    "write " + file_);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "make groups");
  H5Pset_create_intermediate_group(links, 1);
  for (const auto& table : tables_) table->write(file, links);
}

}  // namespace espalier::sim
