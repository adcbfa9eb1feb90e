// Joint objects against arboris' figures that need no file, closed forms and finite differences;
// that they integrate, take values and become joints of a SystemSpec.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "espalier/compat/arboris/joint_objects.h"
#include "espalier/model/model.h"
#include "tests/support/compare.h"
#include "tests/unit/arboris/numbers.h"

namespace espalier::testing {
namespace {

/// As arboris computes them (its itwist mended): R by rows, the three angular rows of J and dJ, the
/// angular parts of both twists, gpos after 0.01 s with gvel.
template <int N>
struct Figures {
  Numbers R, J, dJ, twist, itwist;
  std::array<double, N> nextGpos, withGvel;
};

template <class Joint>
void expectFigures(const typename Joint::Coordinates& gpos, const typename Joint::Coordinates& gvel,
                   const Figures<Joint::ndof()>& figures) {
  Joint joint(gpos, gvel);
  const Matrix4 H = joint.pose();
  Numbers R;
  for (int i = 0; i < 3; ++i) R.insert(R.end(), H[i].begin(), H[i].begin() + 3);
  const auto expectSame = [](const Numbers& ours, const Numbers& theirs, const char* what) {
    EXPECT_LT(relativeDifference(ours, theirs), 1e-14) << what;
  };
  expectSame(R, figures.R, "R");
  expectSame(flat(joint.jacobian(), 3), figures.J, "J");
  expectSame(flat(joint.djacobian(), 3), figures.dJ, "dJ");
  const Twist T = joint.twist(), back = joint.itwist();
  expectSame({T.begin(), T.begin() + 3}, figures.twist, "twist");
  expectSame({back.begin(), back.begin() + 3}, figures.itwist, "itwist");
  for (int i = 3; i < 6; ++i) {  // the origins of r and n coincide
    EXPECT_EQ(H[i - 3][3], 0);
    EXPECT_EQ(T[i], 0);
    EXPECT_EQ(back[i], 0);
  }
  joint.integrate(figures.withGvel, 0.01);
  EXPECT_EQ(joint.gvel(), figures.withGvel);
  for (int k = 0; k < Joint::ndof(); ++k) EXPECT_NEAR(joint.gpos()[k], figures.nextGpos[k], 1e-15);
}

TEST(JointFigures, TwoAndThreeTurnsAsArborisHasThem) {
  expectFigures<RzRyJoint>(
      {-1.1062685202410822, -0.7924069930450346}, {1.5125700137176525, -1.6066126646677996},
      {{0.31455627926133134, 0.8940332082606162, -0.318996817702774, -0.6277306325650279,
        0.44800069478431553, 0.6365922010300474, 0.7120453638054091, 0.0, 0.7021334630134237},
       {0.7120453638054091, 0.0, 0.0, 1.0, 0.7021334630134237, 0.0},
       {1.1280565139644265, 0.0, 0.0, 0.0, -1.143981099307761, 0.0},
       {1.0770184656987385, -1.6066126646677996, 1.0620260217818371},
       {1.4363650750250905, 0.7197635900204549, -1.5125700137176528},
       {-1.1094242152408802, -0.7740914118390145},
       {-0.31556949997979133, 1.8315581206020077}});
  expectFigures<RzRyJoint>(
      {0.07959668393524089, 0.460505073481136}, {-0.7379374759757482, 0.7460037107263346},
      {{0.8929918359827048, -0.079512661338925, 0.4429935863588081, 0.0712296808517449,
        0.9968338561098339, 0.035335476209570775, -0.4444006226750768, 0.0, 0.8958281568280848},
       {-0.4444006226750768, 0.0, 0.0, 1.0, 0.8958281568280848, 0.0},
       {-0.6682911291668842, 0.0, 0.0, 0.0, -0.331524513564701, 0.0},
       {0.32793987381889705, 0.7460037107263346, -0.6610651689577236},
       {0.05931674040856441, -0.7436417556355772, 0.737937475975748},
       {0.0929817108111358, 0.44123660457490366},
       {1.3385026875894916, -1.9268468906232328}});
  expectFigures<RzRxJoint>(
      {-0.1250555371778277, 0.9806292074234293}, {-0.825543406505282, -0.848898645654605},
      {{0.9921907416163375, 0.0694121395293943, -0.10363149683746695, -0.1247298370512125,
        0.5521540300623438, -0.8243593845132656, 0.0, 0.8308476887925152, 0.5564998814268839},
       {0.0, 1.0, 0.8308476887925152, 0.0, 0.5564998814268839, 0.0},
       {0.0, 0.0, -0.47241199565023, 0.0, 0.705305477761225, 0.0},
       {-0.848898645654605, -0.6859008312928134, -0.45941480783293526},
       {0.842269376789147, -0.10588298974549393, 0.825543406505282},
       {-0.1398543942930966, 0.9614038857382412},
       {-1.4798857115268893, -1.9225321685188117}});
  expectFigures<RzRxJoint>(
      {0.42920527905573835, -0.6920925215998582}, {-0.9378133625110951, -0.03370736287864684},
      {{0.9092967585548474, -0.32039771711345677, -0.265564884256433, 0.41614829674245607,
        0.7000788130101137, 0.58026739585531, 0.0, -0.6381496364042181, 0.769912359659958},
       {0.0, 1.0, -0.6381496364042181, 0.0, 0.769912359659958, 0.0},
       {0.0, 0.0, -0.025951715291813462, 0.0, -0.021510341365153517, 0.0},
       {-0.03370736287864684, 0.5984652563014725, -0.7220340988515568},
       {0.03064999580498559, 0.014027261649628697, 0.9378133625110953},
       {0.41133978086042156, -0.6891278173801777},
       {-1.7865498195316785, 0.2964704219680523}});
  expectFigures<RyRxJoint>(
      {-0.20596975313543364, -1.0801116985293908}, {0.1435856236620463, 0.6551785808791553},
      {{0.9788631142940682, 0.18038569994195966, -0.09637428459380293, 0.0, 0.4712298478436524,
        0.8820104480680758, 0.20451651149605998, -0.8633674940358232, 0.4612695164085575},
       {0.0, 1.0, 0.4712298478436524, 0.0, 0.8820104480680758, 0.0},
       {0.0, 0.0, 0.5778743536858297, 0.0, -0.30873970297810444, 0.0},
       {0.6551785808791553, 0.06766183159080201, 0.12664402026229557},
       {-0.641330146098138, -0.14358562366204625, -0.13399483776834403},
       {-0.2053741886531013, -1.0623279082897583},
       {0.05955644823323425, 1.7783790239632533}});
  expectFigures<RyRxJoint>(
      {0.20773209720478292, 0.9681645966909203}, {-1.45010118341505, -1.4428946109969658},
      {{0.9785011659156746, 0.1699112182029082, 0.11690015496341058, 0.0, 0.5668125761146949,
        -0.8238467718928218, -0.20624128660786056, 0.806135026832991, 0.5546267665838961},
       {0.0, 1.0, 0.5668125761146949, 0.0, -0.8238467718928218, 0.0},
       {0.0, 0.0, 1.1887240674513992, 0.0, 0.8178508115212009, 0.0},
       {-1.4428946109969658, -0.8219355873984522, 1.1946611788744497},
       {1.411874059153975, 1.45010118341505, -0.29758444101156273},
       {0.22002774875316386, 0.9640716701703416},
       {1.2295651548380953, -0.4092926520578657}});
  expectFigures<RzRyRxJoint>(
      {0.29681329693346137, 0.6022618416656091, -0.36264397925317793},
      {-0.9202884329398957, 1.5835448727842674, -0.28763524051482037},
      {{0.7880231664173182, -0.46563203854170254, 0.40274842504114466, 0.2410153418071692,
        0.835301650311413, 0.4941485181608901, -0.5665078059508072, -0.29233193063797963,
        0.7704615163175083},
       {-0.5665078059508072, 0.0, 1.0, -0.29233193063797963, 0.9349621477483457, 0.0,
        0.7704615163175083, 0.35474749086892826, 0.0},
       {-1.3049302442675719, 0.0, 0.0, 0.0966287315805083, -0.10203787985811322, 0.0,
        -0.922830655240459, 0.26892806223984844, 0.0},
       {0.23371534047186648, 1.74958420965938, -0.14728825119376054},
       {0.6898094707004804, -1.4449772892867694, 0.7573408239217121},
       {0.31540689881939676, 0.6087995015783471, -0.35777615044481303},
       {1.8593601885935422, 0.6537659912737923, 0.48678288083648713}});
  expectFigures<RzRyRxJoint>(
      {-0.9246096649118996, 1.0787742208969708, -0.1202108796481427},
      {0.31355845754852707, -0.3674527889548753, -1.0518920790278892},
      {{0.2844593775682813, 0.7289794361947106, 0.6226329931177013, -0.37716470645706307,
        0.6821873115539459, -0.6263922542288953, -0.8813793999842652, -0.056652039328176224,
        0.468999893095228},
       {-0.8813793999842652, 0.0, 1.0, -0.056652039328176224, 0.9927833689106896, 0.0,
        0.468999893095228, 0.11992156776135508, 0.0},
       {0.17358803958054933, 0.0, 0.0, -0.532175709368027, -0.12614454723277568, 0.0,
        0.26193627069417735, 1.0443009619477772, 0.0},
       {-1.3282560442020017, -0.38256474380297123, 0.1029933685396128},
       {0.5925896495053793, -0.17547623865083928, -1.2406744670103291},
       {-0.9084744840894095, 1.0817214003638622, -0.14009606656689633},
       {1.6135180822490152, 0.2947179466891434, -1.9885186918753641}});
}

TEST(JointFigures, AFreeJointIntegratesByTheExponential) {
  FreeJoint joint(
      Matrix4{{{0.7986222450161338, 0.044072445065434174, 0.6002167353142902, 0.7379299757043812},
               {-0.35306599241529174, 0.8419745354814545, 0.4079501030770727, 0.37821310511991135},
               {-0.4873878483971421, -0.5377141444919813, 0.6879800753278115, -0.2311072325638313},
               {0.0, 0.0, 0.0, 1.0}}});
  joint.integrate({0.8519559215307067, 0.23886792821656977, -1.9497760793635366, -1.712102881242053,
                   1.869105320001088, 0.2724018476797685},
                  0.01);
  const Matrix4 next = {
      {{0.7961259039006435, 0.06473996487770219, 0.6016579444219259, 0.7269315030471002},
       {-0.37041294225541405, 0.8383626699216011, 0.3999278508576418, 0.4012111937659194},
       {-0.4785162456469693, -0.5412548111837517, 0.6914227592597532, -0.23104361033030152},
       {0.0, 0.0, 0.0, 1.0}}};
  EXPECT_LT(relativeDifference(flat(joint.gpos()), flat(next)), 1e-14);
}

/// J and dJ in closed form: rows of the angular part, columns by dof.
struct ClosedForm {
  Numbers J, dJ;
};

template <class Joint>
void expectClosedForm(const Joint& joint, const ClosedForm& form) {
  EXPECT_LT(relativeDifference(flat(joint.jacobian(), 3), form.J), 1e-15);
  EXPECT_LT(relativeDifference(flat(joint.djacobian(), 3), form.dJ), 1e-15);
}

TEST(JointFigures, JacobiansInClosedForm) {
  const double z = 0.4, y = -0.7, x = 1.1, dz = 0.3, dy = 0.9, dx = -1.3;
  const double sy = std::sin(y), cy = std::cos(y), sx = std::sin(x), cx = std::cos(x);
  expectClosedForm(RzRyJoint({z, y}, {dz, dy}),
                   {{-sy, 0, 0, 1, cy, 0}, {-dy * cy, 0, 0, 0, -dy * sy, 0}});
  expectClosedForm(RzRxJoint({z, x}, {dz, dx}),
                   {{0, 1, sx, 0, cx, 0}, {0, 0, dx * cx, 0, -dx * sx, 0}});
  expectClosedForm(RyRxJoint({y, x}, {dy, dx}),
                   {{0, 1, cx, 0, -sx, 0}, {0, 0, -dx * sx, 0, -dx * cx, 0}});
  expectClosedForm(RzRyRxJoint({z, y, x}, {dz, dy, dx}),
                   {{-sy, 0, 1, sx * cy, cx, 0, cx * cy, -sx, 0},
                    {-dy * cy, 0, 0, dx * cx * cy - dy * sx * sy, -dx * sx, 0,
                     -dx * sx * cy - dy * cx * sy, -dx * cx, 0}});
}

/// Twist and dJ against central differences of the pose and of J along gvel.
template <class Joint>
void expectDifferences(const Joint& joint) {
  const double e = 1e-6;
  Joint before = joint, after = joint;
  before.integrate(-e);
  after.integrate(e);
  const Matrix4 H = joint.pose(), a = before.pose(), b = after.pose();
  double rate[3][4], W[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) rate[i][j] = (b[i][j] - a[i][j]) / (2 * e);
  Twist T{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      W[i][j] = 0;
      for (int k = 0; k < 3; ++k) W[i][j] += H[k][i] * rate[k][j];
    }
    for (int k = 0; k < 3; ++k) T[3 + i] += H[k][i] * rate[k][3];
  }
  T[0] = W[2][1], T[1] = W[0][2], T[2] = W[1][0];
  const Twist ours = joint.twist();
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(ours[i], T[i], 1e-9);
  const Numbers Ja = flat(before.jacobian()), Jb = flat(after.jacobian()),
                dJ = flat(joint.djacobian());
  for (std::size_t i = 0; i < dJ.size(); ++i) EXPECT_NEAR(dJ[i], (Jb[i] - Ja[i]) / (2 * e), 1e-9);
}

TEST(JointFigures, TwistsAndJacobianRatesByFiniteDifferences) {
  expectDifferences(RxJoint(0.3, 1.2));
  expectDifferences(RyJoint(0.3, 1.2));
  expectDifferences(RzJoint(0.3, 1.2));
  expectDifferences(RzRyJoint({0.3, -0.8}, {1.2, 0.7}));
  expectDifferences(RzRxJoint({0.3, -0.8}, {1.2, 0.7}));
  expectDifferences(RyRxJoint({0.3, -0.8}, {1.2, 0.7}));
  expectDifferences(RzRyRxJoint({0.3, -0.8, 0.5}, {1.2, 0.7, -0.4}));
  expectDifferences(TxTyTzJoint({0.3, -0.8, 0.5}, {1.2, 0.7, -0.4}));
  expectDifferences(TyJoint(0.3, -2));
  expectDifferences(FreeJoint(RzRyRxJoint({0.3, -0.8, 0.5}).pose(), {1.2, 0.7, -0.4, 2, -1, 0.5}));
}

TEST(JointFigures, AreWrittenTo) {
  RzJoint hinge;
  hinge.setGpos(0.3);
  hinge.setGvel(-2);
  hinge.integrate(0.1);
  EXPECT_DOUBLE_EQ(hinge.gpos()[0], 0.1);
  EXPECT_EQ(hinge.gvel()[0], -2);
  RzRyRxJoint ball;
  ball.setGpos({0.1, 0.2, 0.3});
  ball.integrate({1, 2, 3}, 0.5);
  EXPECT_EQ(ball.gvel(), (RzRyRxJoint::Coordinates{1, 2, 3}));
  EXPECT_DOUBLE_EQ(ball.gpos()[2], 1.8);
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(hinge.setGpos(none), std::invalid_argument);
  EXPECT_THROW(hinge.setGvel(none), std::invalid_argument);
  EXPECT_THROW(hinge.integrate(none), std::invalid_argument);
  EXPECT_THROW(hinge.integrate({1}, none), std::invalid_argument);
  EXPECT_EQ(hinge.gvel()[0], -2);
  EXPECT_DOUBLE_EQ(hinge.gpos()[0], 0.1);

  FreeJoint free;
  free.setGvel({0.4, -1, 0.3, 1, 2, 3});
  EXPECT_THROW(free.setGvel({none, 0, 0, 0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(free.setGpos(Matrix4{}), std::invalid_argument);
  // Once round about its own axis, in ten thousand steps: the rotation stays one.
  const double period = 2 * M_PI / std::sqrt(0.16 + 1 + 0.09);
  for (int k = 0; k < 10000; ++k) free.integrate(period / 10000);
  free.setGpos(free.gpos());
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(free.gpos()[i][j], i == j, 1e-11);
}

TEST(JointFigures, BecomeJointsOfASpec) {
  const RzRxJoint cardan({0.3, -0.8}, {1, 2});
  const Transformd X_PJ{rotationFromRpy({0.1, 0.2, 0.3}), {1, 2, 3}};
  const JointSpec joint = cardan.spec("neck", "body", "head", X_PJ);
  EXPECT_EQ(joint.name, "neck");
  EXPECT_EQ(joint.parent, "body");
  EXPECT_EQ(joint.child, "head");
  EXPECT_EQ(joint.kind, JointKind::Universal);
  EXPECT_EQ(joint.axes[0].z, 1);
  EXPECT_EQ(joint.axes[1].x, 1);
  EXPECT_EQ(joint.X_PJ.p.y, 2);
  EXPECT_EQ(FreeJoint().spec("free", "a", "b").kind, JointKind::Floating);
  EXPECT_EQ(TyJoint().spec("slide", "a", "b").axes[0].y, 1);

  SystemSpec spec;
  spec.name = "robot";
  spec.fixedBase = true;
  for (const char* name : {"body", "head"}) {
    LinkSpec link;
    link.name = name;
    link.inertial = InertialSpec{1, identityTransform<double>(), {0.1, 0, 0, 0.1, 0, 0.1}};
    spec.links.push_back(link);
  }
  spec.joints = {joint};
  const auto model = compile(spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(model->nv(), 2);
}

}  // namespace
}  // namespace espalier::testing
