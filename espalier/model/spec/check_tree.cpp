#include "espalier/model/spec/checks.h"

namespace espalier {
namespace {

/// Fills in parents; false if an end is missing or a link has two parents.
bool connect(const CheckReport& report, SpecTree& tree) {
  const std::vector<JointSpec>& joints = report.spec.joints;
  bool good = true;
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const JointSpec& joint = joints[j];
    const int parent = tree.link(joint.parent), child = tree.link(joint.child);
    const bool hasParent =
        checkEnd(report, joint, "parent", "parent link", joint.parent, parent >= 0);
    const bool hasChild = checkEnd(report, joint, "child", "child link", joint.child, child >= 0);
    good = good && hasParent && hasChild;
    if (!hasChild) continue;
    if (tree.parentJoint[child] >= 0) {
      const JointSpec& first = joints[tree.parentJoint[child]];
      report.error(joint,
                   "is a second parent of link " + inQuotes(joint.child) + ", beside joint " +
                       inQuotes(first.name) + " of line " + std::to_string(first.line),
                   "a robot file is a tree: remove one of the joints, or close the loop otherwise");
      good = false;
      continue;
    }
    tree.parentJoint[child] = j;
    tree.parentLink[child] = parent;
  }
  return good;
}

/// One Error for each ring of links; true if there is none.
bool checkCycles(const CheckReport& report, const SpecTree& tree) {
  const int n = static_cast<int>(tree.parentLink.size());
  std::vector<int> seenFrom(n, -1);
  bool good = true;
  for (int start = 0; start < n; ++start) {
    int link = start;
    while (link >= 0 && seenFrom[link] < 0) {
      seenFrom[link] = start;
      link = tree.parentLink[link];
    }
    if (link < 0 || seenFrom[link] != start) continue;
    // The walk bit its own tail: link lies on a ring.
    const JointSpec& joint = report.spec.joints[tree.parentJoint[link]];
    std::string ring = inQuotes(report.spec.links[link].name);
    int more = 0;
    for (int l = tree.parentLink[link]; l != link; l = tree.parentLink[l])
      if (++more < 10) ring += " <- " + inQuotes(report.spec.links[l].name);
    if (more >= 10) ring += " <- ...";
    report.error(joint, "closes a cycle: " + ring + " <- " + inQuotes(joint.child),
                 "let every link hang from the root by one joint only");
    good = false;
  }
  return good;
}

/// True if exactly one link has no parent joint. Links of a doubled name do not count: no joint
/// can reach the later ones.
bool checkRoots(const CheckReport& report, const SpecTree& tree) {
  const std::vector<LinkSpec>& links = report.spec.links;
  std::string names;
  int roots = 0, second = 0;
  for (int i = 0; i < static_cast<int>(links.size()); ++i) {
    if (tree.parentJoint[i] >= 0 || tree.link(links[i].name) != i) continue;
    if (++roots == 2) second = i;
    if (roots <= 10) names += (roots == 1 ? "" : ", ") + inQuotes(links[i].name);
  }
  if (roots > 10) names += ", ...";
  if (roots > 1) {
    report.error({links[second].file, links[second].line},
                 "there are " + std::to_string(roots) + " roots: links " + names,
                 "a robot has one root: join the others to it by joints, or remove them");
  }
  return roots == 1;
}

}  // namespace

SpecTree checkTree(const CheckReport& report) {
  const std::vector<LinkSpec>& links = report.spec.links;
  const int n = static_cast<int>(links.size());
  SpecTree tree;
  tree.parentJoint.assign(n, -1);
  tree.parentLink.assign(n, -1);
  if (n == 0) {
    report.error(0, "the robot has no links", "add at least one <link name=...>");
    return tree;
  }
  for (int i = 0; i < n; ++i) tree.links.emplace(links[i].name, i);
  for (int j = 0; j < static_cast<int>(report.spec.joints.size()); ++j)
    tree.joints.emplace(report.spec.joints[j].name, j);
  const bool connected = connect(report, tree);
  const bool acyclic = checkCycles(report, tree);
  const bool oneRoot = checkRoots(report, tree);
  // Doubled link names leave links behind that no joint can reach.
  tree.isTree = connected && acyclic && oneRoot && static_cast<int>(tree.links.size()) == n;
  if (!tree.isTree) return tree;

  std::vector<std::vector<int>> children(n);
  for (int i = 0; i < n; ++i)
    if (tree.parentLink[i] >= 0)
      children[tree.parentLink[i]].push_back(i);
    else
      tree.order.push_back(i);
  for (std::size_t next = 0; next < tree.order.size(); ++next)
    for (const int child : children[tree.order[next]]) tree.order.push_back(child);
  return tree;
}

SpecTree treeOf(const SystemSpec& spec) {
  Diagnostics none;
  return checkTree({spec, none});
}

}  // namespace espalier
