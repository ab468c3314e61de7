// Draws halfspaces: a large plate with shadows and a grid that fades with distance.
import {
	DoubleSide, Group, Matrix4, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3,
} from "three";
import { Poses } from "./shapes.js";

const vertex = `
varying vec2 at;
void main() {
	at = position.xy;
	gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Draws grid lines, one pixel wide: one per cell, and a stronger one every ten cells. Lines fade where cells get too small.
const fragment = `
uniform vec3 ground, grid, strong, sky;
uniform float cell, size;
uniform vec2 origin;
varying vec2 at;
float lines(float width) {
	vec2 p = (at + origin) / width, d = fwidth(p);
	vec2 near = abs(fract(p - 0.5) - 0.5) / max(d, 1e-6);
	float line = 1.0 - min(min(near.x, near.y), 1.0);
	return line * (1.0 - smoothstep(0.07, 0.3, max(d.x, d.y)));
}
void main() {
	float away = length(at) / size;
	vec3 color = mix(ground, grid, 0.75 * lines(cell));
	color = mix(color, strong, 0.8 * lines(10.0 * cell));
	gl_FragColor = vec4(mix(color, sky, smoothstep(0.25, 0.5, away)), 1.0);
	#include <colorspace_fragment>
}`;

// Returns the largest length of the form 1, 2 or 5 times a power of ten that is at most `length`.
export const roundLength = (length) => {
	const power = 10 ** Math.floor(Math.log10(length));
	return [5, 2, 1].map((k) => k * power).find((k) => k <= length) ?? power;
};

export class Grounds {
	constructor(run, centre, size, cell) {
		this.group = new Group();
		this.cell = cell;
		this.poses = new Poses(run);
		this.materials = [];
		this.plates = [];
		run.bodies.forEach((body, b) => body.parts.filter((part) => part.normal).forEach((part) => {
			this.plates.push(this.makePlate(part, b, centre, size, cell));
		}));
	}

	makePlate(part, body, centre, size, cell) {
		const geometry = new PlaneGeometry(2 * size, 2 * size);
		const material = new ShaderMaterial({
			vertexShader: vertex,
			fragmentShader: fragment,
			polygonOffset: true,
			polygonOffsetFactor: 1,
			polygonOffsetUnits: 1,
			uniforms: {
				ground: { value: null }, grid: { value: null }, strong: { value: null }, sky: { value: null },
				cell: { value: cell }, size: { value: 2 * size }, origin: { value: { x: 0, y: 0 } },
			},
		});
		const plate = new Mesh(geometry, material), shadow = new Mesh(geometry, new ShadowMaterial({ opacity: 0.28 }));
		shadow.receiveShadow = true;
		shadow.renderOrder = 1;
		shadow.material.side = DoubleSide;
		shadow.material.depthWrite = false;
		this.materials.push(material);
		// uses the pose of the first frame, as halfspaces do not move
		const pose = this.poses.read(0, body, new Matrix4());
		const normal = new Vector3(...part.normal).transformDirection(pose);
		const point = new Vector3(...part.normal).multiplyScalar(part.offset).applyMatrix4(pose);
		const middle = centre.clone().addScaledVector(normal, point.clone().sub(centre).dot(normal));
		const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
		for (const mesh of [plate, shadow]) {
			mesh.quaternion.copy(turn);
			mesh.position.copy(middle);
			this.group.add(mesh);
		}
		// if the plate is level, grid lines are at round world coordinates
		const local = middle.clone().applyQuaternion(turn.clone().invert());
		material.uniforms.origin.value = { x: local.x % (10 * cell), y: local.y % (10 * cell) };
		plate.userData.body = body;
		return plate;
	}

	paint(theme) {
		for (const material of this.materials) {
			material.uniforms.ground.value = theme.color("ground");
			material.uniforms.grid.value = theme.color("grid");
			material.uniforms.strong.value = theme.color("grid-strong");
			material.uniforms.sky.value = theme.color("sky");
		}
	}
}
