/* Calls DART behind functions of C. */
#include "experiments/peers/dart_bridge.h"

#include <dart/collision/CollisionObject.hpp>
#include <dart/collision/CollisionResult.hpp>
#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <vector>

using dart::constraint::BoxedLcpConstraintSolver;
using dart::constraint::ContactConstraint;
using dart::constraint::PgsBoxedLcpSolver;
using Vector = Eigen::Vector3d;

/* What DART holds for the process. */
struct Correction {
	double allowance, reduction, speed, mixing;
};

/* DART's second solver, which it asks where Dantzig's method gives up. */
struct Fallback : PgsBoxedLcpSolver {
	bool asked = false;

	explicit Fallback(int sweeps)
	{
		if (sweeps > 0) {
			const double enough = 1e-13, least = 1e-14;
			setOption(Option(sweeps, enough, enough, least));
		}
	}

	bool solve(int n, double *A, double *x, double *b, int nub, double *lo, double *hi, int *findex,
	           bool early) override
	{
		asked = true;
		return PgsBoxedLcpSolver::solve(n, A, x, b, nub, lo, hi, findex, early);
	}
};

struct AbutDartWorld {
	dart::simulation::WorldPtr world;
	std::vector<dart::dynamics::BodyNode *> bodies;
	double friction;
	Correction correction;
	std::shared_ptr<Fallback> fallback;
};

static const Correction defaults = {
    ContactConstraint::getErrorAllowance(), ContactConstraint::getErrorReductionParameter(),
    ContactConstraint::getMaxErrorReductionVelocity(), ContactConstraint::getConstraintForceMixing()};

/* 1e-9 is the least mixing that DART takes. */
static const Correction none = {0.0, 0.0, 0.0, 1e-9};

static Vector vector(const double v[3])
{
	return Vector(v[0], v[1], v[2]);
}

static void copy(const Vector &v, double out[3])
{
	std::copy(v.data(), v.data() + 3, out);
}

static void apply(const Correction &correction)
{
	ContactConstraint::setErrorAllowance(correction.allowance);
	ContactConstraint::setErrorReductionParameter(correction.reduction);
	ContactConstraint::setMaxErrorReductionVelocity(correction.speed);
	ContactConstraint::setConstraintForceMixing(correction.mixing);
}

AbutDartWorld *abut_dart_create(const AbutDartSettings *settings)
try {
	auto world = dart::simulation::World::create("abut");
	world->setTimeStep(settings->timestep);
	world->setGravity(vector(settings->gravity));
	if (settings->plain) {
		world->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
	}
	auto *solver = dynamic_cast<BoxedLcpConstraintSolver *>(world->getConstraintSolver());
	if (!solver) {
		return nullptr;
	}
	const auto fallback = std::make_shared<Fallback>(settings->sweeps);
	solver->setSecondaryBoxedLcpSolver(fallback);
	return new AbutDartWorld{world, {}, settings->friction, settings->plain ? none : defaults, fallback};
} catch (const std::exception &) {
	return nullptr;
}

void abut_dart_destroy(AbutDartWorld *world)
{
	delete world;
}

static void give_shape(AbutDartWorld *world, dart::dynamics::BodyNode *body, const dart::dynamics::ShapePtr &shape)
{
	auto *node = body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
	node->getDynamicsAspect()->setFrictionCoeff(world->friction);
	node->getDynamicsAspect()->setRestitutionCoeff(0.0);
}

bool abut_dart_add_plane(AbutDartWorld *world, const double n[3], double offset)
try {
	const double thick = 20.0, wide = 100.0;
	auto skeleton = dart::dynamics::Skeleton::create("plane" + std::to_string(world->world->getNumSkeletons()));
	auto pair = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>();
	Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
	pose.linear() = Eigen::Quaterniond::FromTwoVectors(Vector::UnitZ(), vector(n)).toRotationMatrix();
	pose.translation() = (offset - 0.5 * thick) * vector(n);
	pair.first->setTransformFromParentBodyNode(pose);
	give_shape(world, pair.second, std::make_shared<dart::dynamics::BoxShape>(Vector(wide, wide, thick)));
	skeleton->setMobile(false);
	world->world->addSkeleton(skeleton);
	return true;
} catch (const std::exception &) {
	return false;
}

bool abut_dart_add_body(AbutDartWorld *world, const AbutDartBody *body)
try {
	auto skeleton = dart::dynamics::Skeleton::create("body" + std::to_string(world->bodies.size()));
	auto pair = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
	dart::dynamics::Inertia inertia;
	inertia.setMass(body->mass);
	inertia.setMoment(body->inertia[0], body->inertia[1], body->inertia[2], 0.0, 0.0, 0.0);
	pair.second->setInertia(inertia);
	if (body->sphere) {
		give_shape(world, pair.second, std::make_shared<dart::dynamics::SphereShape>(body->size[0]));
	} else {
		give_shape(world, pair.second, std::make_shared<dart::dynamics::BoxShape>(2.0 * vector(body->size)));
	}
	const double *q = body->orientation;
	Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
	pose.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
	pose.translation() = vector(body->position);
	pair.first->setTransform(pose);
	pair.first->setLinearVelocity(vector(body->velocity));
	pair.first->setAngularVelocity(pose.linear() * vector(body->spin));
	world->world->addSkeleton(skeleton);
	world->bodies.push_back(pair.second);
	return true;
} catch (const std::exception &) {
	return false;
}

/* DART's external forces are cleared by each step. */
void abut_dart_push(AbutDartWorld *world, int body, const double force[3], const double torque[3])
{
	world->bodies[static_cast<std::size_t>(body)]->addExtForce(vector(force), Vector::Zero(), false, true);
	world->bodies[static_cast<std::size_t>(body)]->addExtTorque(vector(torque), true);
}

void abut_dart_step(AbutDartWorld *world)
{
	apply(world->correction);
	world->fallback->asked = false;
	world->world->step();
}

bool abut_dart_gave_up(const AbutDartWorld *world)
{
	return world->fallback->asked;
}

void abut_dart_read(const AbutDartWorld *world, int body, AbutDartBody *out)
{
	const dart::dynamics::BodyNode *node = world->bodies[static_cast<std::size_t>(body)];
	const Eigen::Isometry3d &pose = node->getWorldTransform();
	const Eigen::Quaterniond q(pose.linear());
	const double wxyz[4] = {q.w(), q.x(), q.y(), q.z()};
	std::copy(wxyz, wxyz + 4, out->orientation);
	copy(pose.translation(), out->position);
	copy(node->getLinearVelocity(), out->velocity);
	copy(pose.linear().transpose() * node->getAngularVelocity(), out->spin);
}

/* The number of a contact's body, -1 of a plane. */
static int number_of(const AbutDartWorld *world, const dart::collision::CollisionObject *object)
{
	const dart::dynamics::BodyNode *node = object->getShapeFrame()->asShapeNode()->getBodyNodePtr().get();
	const auto at = std::find(world->bodies.begin(), world->bodies.end(), node);
	return at == world->bodies.end() ? -1 : static_cast<int>(at - world->bodies.begin());
}

/* A contact's force is on its first body. The centre of mass is where it is now, a step after the contact. */
void abut_dart_wrench(const AbutDartWorld *world, int body, int other, double out[6])
{
	const Vector centre = world->bodies[static_cast<std::size_t>(body)]->getWorldTransform().translation();
	Vector force = Vector::Zero(), torque = Vector::Zero();
	for (const auto &contact : world->world->getLastCollisionResult().getContacts()) {
		const int first = number_of(world, contact.collisionObject1);
		const int second = number_of(world, contact.collisionObject2);
		if ((first == body && second == other) || (first == other && second == body)) {
			const Vector f = first == body ? contact.force : Vector(-contact.force);
			force += f;
			torque += (contact.point - centre).cross(f);
		}
	}
	copy(force, out);
	copy(torque, out + 3);
}

double abut_dart_penetration(const AbutDartWorld *world)
{
	double deepest = 0.0;
	for (const auto &contact : world->world->getLastCollisionResult().getContacts()) {
		deepest = std::max(deepest, contact.penetrationDepth);
	}
	return deepest;
}
