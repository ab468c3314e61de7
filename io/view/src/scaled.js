// Shows the two shapes of a contact scaled by its alpha about their centres, where they share one point.
import { DoubleSide, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, Vector3 } from "three";
import { contactAt, contactsOf } from "./contacts.js";

const MOST = 40; // maximum number of contacts shown at once

export class ScaledShapes {
	constructor(parts, scene) {
		this.parts = parts;
		this.run = parts.run;
		this.scene = scene;
		this.fill = new MeshBasicMaterial({ transparent: true, opacity: 0.16, depthWrite: false, side: DoubleSide });
		this.line = new LineBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false });
		this.shown = [];
		this.visible = false;
		this.pose = new Matrix4();
		this.scale = new Matrix4();
		this.centre = new Vector3();
	}

	paint(theme) {
		this.fill.color = theme.color("scaled");
		this.line.color = theme.color("scaled");
	}

	clear() {
		for (const object of this.shown) {
			this.scene.remove(object);
		}
		this.shown = [];
	}

	// Adds a scaled part; halfspaces are not shown.
	add(frame, body, partIndex, alpha) {
		const part = this.run.bodies[body].parts[partIndex];
		if (part.mesh === undefined || !(alpha > 0)) {
			return;
		}
		this.centre.fromArray(part.centre);
		this.scale.makeScale(alpha, alpha, alpha).setPosition(this.centre.clone().multiplyScalar(1 - alpha));
		this.parts.poses.read(frame, body, this.pose).multiply(this.scale);
		const fill = new Mesh(this.parts.geometries[part.mesh], this.fill);
		const line = new LineSegments(this.parts.edges[part.mesh], this.line);
		for (const object of [fill, line]) {
			object.matrixAutoUpdate = false;
			object.matrix.copy(this.pose);
			object.renderOrder = 6;
			this.scene.add(object);
			this.shown.push(object);
		}
	}

	// Shows the selected contact, otherwise the contacts of the selected body, otherwise all contacts.
	place(frame, selection) {
		this.clear();
		if (!this.visible) {
			return;
		}
		const { from, to } = contactsOf(this.run, frame);
		for (let i = from, n = 0; i < to && n < MOST; i++) {
			const contact = contactAt(this.run, i);
			const wanted = selection.pair !== null ? selection.pair === contact.pair
				: selection.body === null || contact.bodyA === selection.body || contact.bodyB === selection.body;
			if (wanted) {
				this.add(frame, contact.bodyA, contact.partA, contact.scaling);
				this.add(frame, contact.bodyB, contact.partB, contact.scaling);
				n++;
			}
		}
	}
}
