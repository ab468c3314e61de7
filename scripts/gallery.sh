#!/usr/bin/env bash
# Makes the pictures of docs/gallery.md and docs/experiments.md: runs each experiment into FOLDER/NAME unless that exists,
# and writes its figures to docs/images, lines as SVG, solids as PNG.
# Usage: [DATA=DIR] scripts/gallery.sh [FOLDER [BUILD]] (out/gallery, build). DATA: the robots of other projects
# (experiments/robots/README.md). Takes an hour, most of it for face-to-face and stacking. Needs gnuplot and rsvg-convert
# (Debian: librsvg2-bin).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-out/gallery}
build=${2:-build}
images=docs/images
# Largest picture, bytes, so that pages load quickly.
limit=$((200 * 1024))

# picture EXPERIMENT FIGURE NAME [png]: docs/images/NAME
picture() {
	local from=$folder/$1/$2.svg to=$images/$3
	[ -e "$from" ] || OPENBLAS_NUM_THREADS=1 "$build/abut" experiment "$1" ${DATA:+--data "$DATA"} --threads 1 --out "$folder/$1" >"$folder/$1.txt" || true
	case $3 in
	*.png) rsvg-convert --width 1000 "$from" --output "$to" ;;
	# removes empty groups of gnuplot, space between elements, and hundredths of pixels
	*) tr '\n' ' ' <"$from" |
		sed -e 's/> *</></g' -e ':empty' -e 's/<g [^<>]*><\/g>//g' -e 't empty' -e 's/  */ /g' \
			-e 's/\([ML][0-9]*\.[0-9]\)[0-9],\([0-9]*\.[0-9]\)[0-9]/\1,\2/g' >"$to" ;;
	esac
	if [ "$(wc -c <"$to")" -gt $limit ]; then
		echo "gallery: $to has more than $limit bytes" >&2
		exit 1
	fi
}

mkdir -p "$folder"
picture point-jump jump point_jump.svg
picture contact-frames frames contact_frames.svg
picture contact-frames components contact_frames_path.svg
picture timing times timing.svg
picture face-to-face planar_cells face_to_face.svg
picture stacking planar_cells stacking.svg
picture peg-in-hole pegs_planar peg_in_hole.svg
picture peg-in-hole pegs_above peg_in_space.svg
picture peg-in-hole depth peg_depth.svg
picture mug hanging mug_hanging.png
picture mug standing mug_standing.png
picture convex-bundles bundles convex_bundles.png
picture piles rocks pile_of_rocks.png
picture piles tower_with_a_block_pushed_out tower_pushed.png
picture piles tower_on_one_block_at_the_side tower_falls.png
picture box-moves boxes box_moves.svg
picture box-moves path box_forces.svg
picture box-moves cost box_cost.svg
picture grasp fingers grasp.png
picture grasp path grasp_path.svg
picture grasp cost grasp_cost.svg
picture hopper plan_1 hop.png
picture quadruped plan_1 trot.png
picture swing-up plan_1 swing_up.png
picture smoothing smoothing smoothing.svg
picture identification identification identification.svg
picture shape-optimisation cam cam.svg
picture formulations formulations formulations.svg
picture mechanisms energy mechanisms_energy.svg
picture mechanisms opening mechanisms_opening.svg
picture robots heights robots_heights.svg
picture robots penetration robots_penetration.svg
