// Makes the geometry of the bodies' parts and places them in a frame.
import {
	BufferAttribute, BufferGeometry, EdgesGeometry, InstancedBufferAttribute, InstancedMesh, LineBasicMaterial, LineSegments,
	Matrix4, MeshStandardMaterial, Quaternion, Vector3,
} from "three";
import { PER_BODY, POSITION, QUATERNION } from "./run.js";

const EDGE_ANGLE = 24; // degrees: no edge is drawn between faces that meet at a smaller angle

export const geometryOf = (mesh) => {
	const geometry = new BufferGeometry();
	geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
	geometry.setAttribute("normal", new BufferAttribute(mesh.normals, 3));
	geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
	geometry.computeBoundingSphere();
	return geometry;
};

// Computes the pose of a body in a frame as a matrix.
export class Poses {
	constructor(run) {
		this.run = run;
		this.position = new Vector3();
		this.quaternion = new Quaternion();
		this.one = new Vector3(1, 1, 1);
	}

	read(frame, body, out) {
		const m = this.run.motion, at = (frame * this.run.bodies.length + body) * PER_BODY;
		this.position.fromArray(m, at + POSITION);
		this.quaternion.set(m[at + QUATERNION + 1], m[at + QUATERNION + 2], m[at + QUATERNION + 3], m[at + QUATERNION]);
		return out.compose(this.position, this.quaternion, this.one);
	}
}

// Draws the same lines at many places, as InstancedMesh does for triangles.
class InstancedLines extends LineSegments {
	constructor(geometry, material, count) {
		super(geometry, material);
		this.isInstancedMesh = true;
		this.instanceMatrix = new InstancedBufferAttribute(new Float32Array(count * 16), 16);
		this.instanceColor = null;
		this.morphTexture = null;
		this.count = count;
		this.frustumCulled = false;
	}
}

// Draws all bounded parts of a run; parts with the same mesh form one instanced object.
export class Parts {
	constructor(run, colors, edgeMaterial) {
		this.run = run;
		this.poses = new Poses(run);
		this.colors = colors;
		this.matrix = new Matrix4();
		this.geometries = run.meshes.map(geometryOf);
		this.edges = this.geometries.map((geometry) => new EdgesGeometry(geometry, EDGE_ANGLE));
		this.material = new MeshStandardMaterial({ roughness: 0.75, metalness: 0 });
		const users = run.meshes.map(() => []);
		run.bodies.forEach((body, b) => body.parts.forEach((part) => {
			if (part.mesh !== undefined) {
				users[part.mesh].push(b);
			}
		}));
		this.groups = users.map((bodies, mesh) => this.makeGroup(mesh, bodies, edgeMaterial)).filter(Boolean);
	}

	makeGroup(mesh, bodies, edgeMaterial) {
		if (bodies.length === 0) {
			return null;
		}
		const solid = new InstancedMesh(this.geometries[mesh], this.material, bodies.length);
		solid.frustumCulled = false;
		solid.castShadow = solid.receiveShadow = true;
		solid.userData.bodies = bodies;
		const edges = new InstancedLines(this.edges[mesh], edgeMaterial, bodies.length);
		return { bodies, solid, edges };
	}

	addTo(scene) {
		for (const { solid, edges } of this.groups) {
			scene.add(solid, edges);
		}
	}

	paint(colorOf) {
		for (const { bodies, solid } of this.groups) {
			bodies.forEach((body, i) => solid.setColorAt(i, colorOf(body)));
			solid.instanceColor.needsUpdate = true;
		}
	}

	place(frame) {
		for (const { bodies, solid, edges } of this.groups) {
			bodies.forEach((body, i) => {
				this.poses.read(frame, body, this.matrix);
				this.matrix.toArray(solid.instanceMatrix.array, 16 * i);
			});
			edges.instanceMatrix.array.set(solid.instanceMatrix.array);
			solid.instanceMatrix.needsUpdate = edges.instanceMatrix.needsUpdate = true;
			solid.boundingSphere = null; // recomputed at the next pick
		}
	}
}

export const edgeMaterialOf = () => new LineBasicMaterial({ transparent: true, opacity: 0.55 });
