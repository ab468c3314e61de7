#!/usr/bin/env bash
# Makes the pictures of robots in docs/gallery.md: runs each scene of the list and takes a picture of its replay page.
# Usage: scripts/robot_pictures.sh [BUILD] (build). Needs Chromium and node.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Scene, and time of the picture (s).
while read -r scene time; do
	OPENBLAS_NUM_THREADS=1 "$build/abut" run "experiments/scenes/$scene.json" --quiet --out "$scratch/$scene"
	node tests/view/picture.mjs "$scratch/$scene/replay.html" "docs/images/robot_$scene.png" "$time" \
		"for (const layer of ['forces', 'normals', 'joints']) r.show(layer, false);
		document.querySelector('#stage').style.width = '640px'" "#views"
done <<-'END'
	cart_pendulum 1
	double_pendulum 0.5
	four_bar 0.5
	slider_crank 0.5
	hopper 3
	quadruped 2
	biped 2
	gripper 1
	arm 2
	closed_leg_walker 2
END
