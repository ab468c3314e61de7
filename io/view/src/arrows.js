// Draws many arrows or balls at once, on top of everything else so that bodies do not hide them.
import {
	Color, CylinderGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3, ConeGeometry,
} from "three";

const UP = new Vector3(0, 1, 0);

const overlay = () => new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false });

// An instanced mesh whose capacity grows with the number of objects.
export class Pool {
	constructor(scene, geometry, order) {
		this.scene = scene;
		this.geometry = geometry;
		this.order = order;
		this.material = overlay();
		this.mesh = null;
		this.count = 0;
	}

	begin(most) {
		if (!this.mesh || this.mesh.instanceMatrix.count < most) {
			const wasVisible = this.mesh?.visible ?? true;
			this.dispose();
			this.mesh = new InstancedMesh(this.geometry, this.material, Math.max(16, 2 * most));
			this.mesh.frustumCulled = false;
			this.mesh.renderOrder = this.order;
			this.mesh.visible = wasVisible;
			this.scene.add(this.mesh);
		}
		this.count = 0;
	}

	add(matrix, color) {
		this.mesh.setMatrixAt(this.count, matrix);
		this.mesh.setColorAt(this.count++, color);
	}

	end() {
		this.mesh.count = this.count;
		this.mesh.instanceMatrix.needsUpdate = true;
		if (this.mesh.instanceColor) {
			this.mesh.instanceColor.needsUpdate = true;
		}
	}

	dispose() {
		if (this.mesh) {
			this.scene.remove(this.mesh);
			this.mesh.dispose();
		}
	}
}

export class Balls {
	constructor(scene, order) {
		this.pool = new Pool(scene, new SphereGeometry(1, 16, 10), order);
		this.matrix = new Matrix4();
	}

	begin(most) { this.pool.begin(most); }

	add(at, radius, color) {
		this.matrix.makeScale(radius, radius, radius).setPosition(at);
		this.pool.add(this.matrix, color);
	}

	end() { this.pool.end(); }
	get count() { return this.pool.count; }
}

// Each arrow has a shaft and a head; the head takes at most half of the length.
export class Arrows {
	constructor(scene, order) {
		this.shafts = new Pool(scene, new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), order);
		this.heads = new Pool(scene, new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), order);
		this.matrix = new Matrix4();
		this.turn = new Quaternion();
		this.scale = new Vector3();
		this.at = new Vector3();
		this.along = new Vector3();
	}

	begin(most) {
		this.shafts.begin(most);
		this.heads.begin(most);
	}

	// Adds an arrow that starts at `from` (Vector3) and ends at `from` + `vector`; `width` is the radius of the shaft.
	add(from, vector, width, color) {
		const length = vector.length();
		if (!(length > 0)) {
			return;
		}
		const head = Math.min(5 * width, 0.5 * length);
		this.along.copy(vector).divideScalar(length);
		this.turn.setFromUnitVectors(UP, this.along);
		this.shafts.add(this.matrix.compose(from, this.turn, this.scale.set(width, length - head, width)), color);
		this.at.copy(from).addScaledVector(this.along, length - head);
		this.heads.add(this.matrix.compose(this.at, this.turn, this.scale.set(0.45 * head, head, 0.45 * head)), color);
	}

	end() {
		this.shafts.end();
		this.heads.end();
	}

	get count() { return this.shafts.count; }
}

export const colorOf = (theme, name) => new Color(theme.css(name));
