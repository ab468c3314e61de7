// The interface from C++: the volume of a box, in closed form.
#include <abut/abut.h>
#include <cstdio>

int main()
{
	const double half[3] = {0.5, 1.0, 1.5};
	AbutShape *box = nullptr;
	if (abut_shape_create_box(half, &box, nullptr) != ABUT_OK) {
		return 1;
	}
	const double volume = box->mass.volume;
	abut_shape_destroy(box);
	std::printf("%s: %.6f m^3\n", abut_version(), volume);
	return volume > 5.999999 && volume < 6.000001 ? 0 : 1;
}
