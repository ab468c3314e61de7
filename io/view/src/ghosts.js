// Shows the start and end positions of the moving bodies as transparent shapes.
import { InstancedMesh, Matrix4, MeshLambertMaterial } from "three";

export class Ghosts {
	constructor(parts, scene, frame) {
		this.material = new MeshLambertMaterial({ transparent: true, opacity: 0.22, depthWrite: false });
		const matrix = new Matrix4();
		this.meshes = parts.groups.map(({ bodies, solid }) => {
			const moving = bodies.filter((body) => !parts.run.bodies[body].static);
			const mesh = new InstancedMesh(solid.geometry, this.material, moving.length);
			moving.forEach((body, i) => mesh.setMatrixAt(i, parts.poses.read(frame, body, matrix)));
			mesh.frustumCulled = false;
			mesh.renderOrder = 4;
			mesh.visible = false;
			scene.add(mesh);
			return mesh;
		});
	}

	get count() {
		return this.meshes.reduce((sum, mesh) => sum + (mesh.visible ? mesh.count : 0), 0);
	}

	set visible(visible) {
		for (const mesh of this.meshes) {
			mesh.visible = visible;
		}
	}

	paint(theme) {
		this.material.color = theme.color("ghost");
	}
}
