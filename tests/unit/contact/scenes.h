#pragma once

// Contact problems of bodies that touch, by sides and, computed apart from the library, as dense
// numbers. bench/contact_problems.cpp draws from the same scenes.

#include <algorithm>

#include "espalier/contact/single.h"
#include "tests/unit/contact/random_problem.h"

namespace espalier::contact::test {

/// A rigid body with principal axes along the world's, and the velocity it would have if it touched
/// nothing.
struct Body {
  double mass = 1;
  Vec3d inertia{1, 1, 1};
  Vec3d c{};
  Vec3d v{}, w{};
  int mover = -1;
};

struct Scene {
  struct Rows {
    int mover;
    std::vector<int> dof;       // empty: contiguous
    std::vector<double> y, yd;  // three rows, one after another
    mutable std::vector<Column3<double>> packed;

    /// As a problem wants it; the numbers stay here.
    ///   in  asOne  y == yd, and one array
    Side<double> side(bool asOne = false) const {
      const std::size_t n = y.size() / 3;
      packed.resize(2 * n);
      for (std::size_t k = 0; k < n; ++k) {
        packed[k] = Vec3d{y[k], y[n + k], y[2 * n + k]};
        packed[n + k] = Vec3d{yd[k], yd[n + k], yd[2 * n + k]};
      }
      return {mover, dof.empty() ? nullptr : dof.data(), static_cast<int>(n), packed.data(),
              packed.data() + (asOne ? 0 : n)};
    }
  };
  struct Group {
    std::vector<Rows> sides;
    Vec3d b{};
    double mu = 0.8;
  };
  int numbers = 0;
  std::vector<Body> bodies;
  std::vector<Group> groups;

  int addBody(const Body& body) {
    bodies.push_back(body);
    bodies.back().mover = numbers;
    numbers += 6;
    return static_cast<int>(bodies.size()) - 1;
  }

  /// Body a (or the world, -1) touches b at p; n pushes a.
  int addContact(int a, int b, const Vec3d& p, Vec3d n, double mu, double bias = 0);

  int size() const { return static_cast<int>(groups.size()); }
  int sides() const {
    int n = 0;
    for (const Group& g : groups) n += static_cast<int>(g.sides.size());
    return n;
  }
  Capacity capacity() const { return {size(), 8 * size(), sides(), numbers}; }

  /// The problem points into this scene.
  void fill(Problem<double>& problem, int few = few_groups) const;

  Dense dense() const;
};

Vec3d direction(Rng& rng);

// ---- one contact

/// v = G lambda + c of one contact.
struct SingleCase {
  Sym3<double> g{};
  Vec3d c{};
  double mu = 0;
};

/// G = Q diag(1, ., .) Q' with condition numbers to 10^digits, or singular and well-conditioned
/// otherwise; random axes couple normal and tangents strongly. c is any, or for a singular G one
/// that the contact can have.
SingleCase singleCase(Rng& rng, double digits, bool isSingular);

struct SingleResult {
  double residual = 0;      // over |c| + |G| |lambda|
  double misalignment = 0;  // rad, of friction against the slip velocity, where it slips
  bool slips = false, isSingular = false;
  int steps = 0;
};

/// Steps of the single solve until the residual is rounding.
SingleResult solveToTheEnd(const SingleCase& k);

// ---- bodies

/// Boxes of edge `size` and mass `mass` one on the other, four corners each.
///   push  sideways velocity that friction has to stop, m/s, of every box
Scene stack(const std::vector<double>& mass, double size, double mu, double push);

/// Bodies of masses within `ratio` that touch each other and the ground anyhow: rows are redundant
/// where a body has more contacts than freedoms. With `wedges` friction may lock a body between its
/// contacts whatever the impulses, so that there is a solution only in the limit of infinite ones;
/// without, every body could be lifted off, which is enough for a solution to exist.
Scene randomBodies(Rng& rng, int bodies, int contacts, double ratio, bool wedges = false);

/// A body jammed between walls: opposite normals, far more contacts than freedoms.
Scene jammed(Rng& rng, int contacts, double squeeze);

/// Two legged robots, each on four feet, leaning on each other at two points: chains of six base
/// numbers and three of a leg.
Scene leaning(Rng& rng, double push);

/// A heap: layers of `width` x `width` boxes, each on four corners that rest on up to four boxes of
/// the layer below (or the ground).
Scene heap(Rng& rng, int width, int layers);

}  // namespace espalier::contact::test
