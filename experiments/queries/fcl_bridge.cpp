/* Calls FCL behind functions of C. */
#include "experiments/queries/fcl_bridge.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

struct AbutFclGeometry {
	std::shared_ptr<fcl::CollisionGeometryd> geometry;
};

static AbutFclGeometry *keep(fcl::CollisionGeometryd *geometry)
{
	return new AbutFclGeometry{std::shared_ptr<fcl::CollisionGeometryd>(geometry)};
}

static fcl::Transform3d pose(const double R[9], const double x[3])
{
	fcl::Transform3d out = fcl::Transform3d::Identity();
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			out.linear()(i, j) = R[3 * i + j];
		}
		out.translation()[i] = x[i];
	}
	return out;
}

AbutFclGeometry *abut_fcl_box(const double h[3])
{
	return keep(new fcl::Boxd(2 * h[0], 2 * h[1], 2 * h[2]));
}

AbutFclGeometry *abut_fcl_sphere(double radius)
{
	return keep(new fcl::Sphered(radius));
}

AbutFclGeometry *abut_fcl_ellipsoid(const double r[3])
{
	return keep(new fcl::Ellipsoidd(r[0], r[1], r[2]));
}

AbutFclGeometry *abut_fcl_capsule(double radius, double length)
{
	return keep(new fcl::Capsuled(radius, length));
}

AbutFclGeometry *abut_fcl_cylinder(double radius, double length)
{
	return keep(new fcl::Cylinderd(radius, length));
}

AbutFclGeometry *abut_fcl_cone(double radius, double height)
{
	return keep(new fcl::Coned(radius, height));
}

AbutFclGeometry *abut_fcl_convex(int n_vertices, const double *v, int n_faces, int n, const int *faces)
{
	auto points = std::make_shared<std::vector<fcl::Vector3d>>();
	for (int i = 0; i < n_vertices; i++) {
		points->emplace_back(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
	}
	auto list = std::make_shared<std::vector<int>>(faces, faces + n);
	return keep(new fcl::Convexd(points, n_faces, list));
}

void abut_fcl_destroy(AbutFclGeometry *geometry)
{
	delete geometry;
}

double abut_fcl_distance(const AbutFclGeometry *a, const double R_a[9], const double x_a[3], const AbutFclGeometry *b,
                         const double R_b[9], const double x_b[3])
{
	fcl::DistanceRequestd request(true);
	fcl::DistanceResultd result;
	return fcl::distance(a->geometry.get(), pose(R_a, x_a), b->geometry.get(), pose(R_b, x_b), request, result);
}

double abut_fcl_depth(const AbutFclGeometry *a, const double R_a[9], const double x_a[3], const AbutFclGeometry *b,
                      const double R_b[9], const double x_b[3])
{
	fcl::CollisionRequestd request(1, true);
	fcl::CollisionResultd result;
	fcl::collide(a->geometry.get(), pose(R_a, x_a), b->geometry.get(), pose(R_b, x_b), request, result);
	return result.numContacts() > 0 ? result.getContact(0).penetration_depth : 0.0;
}
