// Shows one run in three dimensions: scene, camera and picture.
import {
	Color, DirectionalLight, HemisphereLight, LineBasicMaterial, LineSegments, MOUSE, PCFShadowMap, PerspectiveCamera,
	Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { contactAt, contactsOf, ContactLayer } from "./contacts.js";
import { boxOf, boxOfFrame, extentOf } from "./extent.js";
import { Ghosts } from "./ghosts.js";
import { Grounds, roundLength } from "./ground.js";
import { JointLayer } from "./joints.js";
import { ScaledShapes } from "./scaled.js";
import { PER_BODY, POSITION } from "./run.js";
import { edgeMaterialOf, Parts } from "./shapes.js";
import { bodyColors } from "./theme.js";
import { Triad } from "./triad.js";

const FRONT = new Vector3(0.62, -1, 0.5).normalize(); // direction from the target to the camera

export class View {
	constructor(run, container, onChange) {
		this.run = run;
		this.container = container;
		this.onChange = onChange; // called when the picture must be redrawn
		this.frame = 0;
		this.selection = { body: null, pair: null, joint: null };
		this.colors = bodyColors(run);
		this.canvas = container.appendChild(document.createElement("canvas"));
		this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
		this.renderer.shadowMap.enabled = true;
		this.renderer.shadowMap.type = PCFShadowMap;
		this.scene = new Scene();
		this.extent = extentOf(run);
		this.triad = new Triad(container);
		this.makeBodies();
		this.makeLights();
		this.makeCamera();
		this.resize();
		new ResizeObserver(() => this.resize()).observe(container);
	}

	makeBodies() {
		const { box, radius } = this.extent, centre = box.getCenter(new Vector3());
		const reach = box.getSize(new Vector3()).length();
		this.edgeMaterial = edgeMaterialOf();
		this.parts = new Parts(this.run, this.colors, this.edgeMaterial);
		this.parts.addTo(this.scene);
		this.grounds = new Grounds(this.run, centre, 6 * reach, roundLength(radius));
		this.scene.add(this.grounds.group);
		this.contacts = new ContactLayer(this.run, this.scene, 1.2 * radius);
		this.joints = new JointLayer(this.run, this.scene, 1.2 * radius);
		this.scaled = new ScaledShapes(this.parts, this.scene);
		this.ghosts = { start: new Ghosts(this.parts, this.scene, 0), end: new Ghosts(this.parts, this.scene, this.run.frames - 1) };
		this.highlightMaterial = new LineBasicMaterial({ depthTest: false });
		this.highlight = [];
	}

	makeLights() {
		const { box } = this.extent, centre = box.getCenter(new Vector3()), reach = box.getSize(new Vector3()).length();
		this.sky = new HemisphereLight(0xffffff, 0xa7b0ba, 2.0);
		this.sky.position.set(0, 0, 1);
		this.sun = new DirectionalLight(0xffffff, 1.9);
		this.sun.position.copy(centre).add(new Vector3(-0.5, -0.7, 1.4).multiplyScalar(reach));
		this.sun.target.position.copy(centre);
		this.sun.castShadow = true;
		this.sun.shadow.mapSize.set(2048, 2048);
		this.sun.shadow.normalBias = 0.01 * this.extent.radius;
		this.sun.shadow.radius = 3;
		const camera = this.sun.shadow.camera;
		camera.left = camera.bottom = -0.8 * reach;
		camera.right = camera.top = 0.8 * reach;
		camera.near = 0.1 * reach;
		camera.far = 4 * reach;
		this.scene.add(this.sky, this.sun, this.sun.target);
	}

	makeCamera() {
		this.camera = new PerspectiveCamera(38, 1, 0.01, 1000);
		this.camera.up.set(0, 0, 1);
		this.controls = new OrbitControls(this.camera, this.canvas);
		this.controls.zoomToCursor = true;
		this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
		this.controls.addEventListener("change", () => this.onChange(this));
	}

	// Frames a box in the picture, from the current viewing direction or from the front.
	frameBox(box, fromFront) {
		const centre = box.getCenter(new Vector3());
		const away = fromFront ? FRONT.clone() : this.camera.position.clone().sub(this.controls.target).normalize();
		const distance = this.distanceFor(box, centre, away);
		this.camera.near = distance / 200;
		this.camera.far = distance * 60;
		this.camera.updateProjectionMatrix();
		this.controls.target.copy(centre);
		this.camera.position.copy(centre).addScaledVector(away, distance);
		this.controls.update();
		this.onChange(this);
	}

	// Returns the distance at which all corners of the box are in the picture, with some margin.
	distanceFor(box, centre, away) {
		const right = new Vector3().crossVectors(this.camera.up, away).normalize(), up = new Vector3().crossVectors(away, right);
		const high = Math.tan((this.camera.fov * Math.PI) / 360) * 0.86, wide = high * this.camera.aspect;
		let distance = 0;
		for (let i = 0; i < 8; i++) {
			const corner = new Vector3(i & 1 ? box.min.x : box.max.x, i & 2 ? box.min.y : box.max.y, i & 4 ? box.min.z : box.max.z);
			corner.sub(centre);
			const towards = corner.dot(away);
			distance = Math.max(distance, towards + Math.abs(corner.dot(right)) / wide, towards + Math.abs(corner.dot(up)) / high);
		}
		return distance;
	}

	frameAll() {
		this.frameBox(this.extent.box, true);
	}

	// Frames the selected body, or all bodies if none is selected.
	frameSelection() {
		const { body } = this.selection;
		if (body === null || this.run.bodies[body].parts.every((part) => part.mesh === undefined)) {
			this.frameBox(boxOfFrame(this.run, this.frame), false);
			return;
		}
		this.frameBox(boxOf(this.run, this.frame, body).expandByScalar(0.5 * this.extent.radius), false);
	}

	// Moves the camera so that the selected body, or the mean position of the moving bodies, is in the centre.
	chase() {
		const to = this.middleOf(this.selection.body), by = to.clone().sub(this.controls.target);
		if (by.length() > 1e-9 * this.extent.radius) {
			this.camera.position.add(by);
			this.controls.target.copy(to);
			this.controls.update();
		}
	}

	middleOf(body) {
		const bodies = this.run.bodies.map((_, b) => b).filter((b) => (body === null ? !this.run.bodies[b].static : b === body));
		const middle = new Vector3();
		for (const b of bodies) {
			const at = (this.frame * this.run.bodies.length + b) * PER_BODY + POSITION;
			middle.addScaledVector(new Vector3().fromArray(this.run.motion, at), 1 / bodies.length);
		}
		return middle;
	}

	lookLike(other) {
		this.camera.position.copy(other.camera.position);
		this.controls.target.copy(other.controls.target);
		this.camera.near = other.camera.near;
		this.camera.far = other.camera.far;
		this.camera.updateProjectionMatrix();
		this.controls.update();
	}

	resize() {
		const { clientWidth: width, clientHeight: height } = this.container;
		if (width > 0 && height > 0) {
			this.renderer.setPixelRatio((this.coarse ? 0.5 : 1) * Math.min(devicePixelRatio, 2));
			this.renderer.setSize(width, height, false);
			this.camera.aspect = width / height;
			this.camera.updateProjectionMatrix();
			if (!this.framed) { // the size of the page is first known here
				this.framed = true;
				this.frameAll();
			}
			this.onChange(this);
		}
	}

	paint(theme) {
		this.theme = theme;
		this.scene.background = theme.color("sky");
		this.edgeMaterial.color = theme.color("edge");
		this.highlightMaterial.color = theme.color("accent");
		const still = theme.color("static");
		this.parts.paint((body) => (this.colors[body] ? new Color(this.colors[body]) : still));
		for (const layer of [this.grounds, this.contacts, this.joints, this.scaled, this.ghosts.start, this.ghosts.end]) {
			layer.paint(theme);
		}
		this.show(this.frame);
	}

	show(frame) {
		this.frame = frame;
		this.parts.place(frame);
		this.contacts.place(frame, this.selection);
		this.joints.place(frame, this.selection);
		this.scaled.place(frame, this.selection);
		this.placeHighlight();
	}

	select(body, pair, joint = null) {
		this.selection = { body, pair, joint };
		this.show(this.frame);
	}

	placeHighlight() {
		for (const line of this.highlight) {
			this.scene.remove(line);
		}
		this.highlight = [];
		const { body } = this.selection;
		if (body === null) {
			return;
		}
		for (const part of this.run.bodies[body].parts) {
			if (part.mesh !== undefined) {
				const line = new LineSegments(this.parts.edges[part.mesh], this.highlightMaterial);
				line.matrixAutoUpdate = false;
				this.parts.poses.read(this.frame, body, line.matrix);
				line.renderOrder = 8;
				this.scene.add(line);
				this.highlight.push(line);
			}
		}
	}

	// Returns the body, contact or joint at a point of the page.
	pick(clientX, clientY) {
		const rect = this.canvas.getBoundingClientRect();
		const at = new Vector2(clientX - rect.left, clientY - rect.top);
		const pair = this.pickContact(at, rect);
		if (pair !== null) {
			return { body: this.selection.body, pair, joint: null };
		}
		const joint = this.pickJoint(at, rect);
		if (joint !== null) {
			return { body: this.selection.body, pair: null, joint };
		}
		const ray = new Raycaster();
		ray.setFromCamera(new Vector2((2 * at.x) / rect.width - 1, 1 - (2 * at.y) / rect.height), this.camera);
		const hits = ray.intersectObjects([...this.parts.groups.map((group) => group.solid), ...this.grounds.plates]);
		if (hits.length === 0) {
			return { body: null, pair: null, joint: null };
		}
		const { object, instanceId } = hits[0];
		return { body: object.userData.bodies ? object.userData.bodies[instanceId] : object.userData.body, pair: null, joint: null };
	}

	pickContact(at, rect) {
		if (!this.contacts.show.points) {
			return null;
		}
		const { from, to } = contactsOf(this.run, this.frame);
		const contacts = Array.from({ length: to - from }, (_, i) => contactAt(this.run, from + i));
		return this.nearest(at, rect, contacts.map(({ point, pair }) => [new Vector3(...point), pair]));
	}

	pickJoint(at, rect) {
		const shown = this.run.joints.slice(0, this.joints.count);
		return this.nearest(at, rect, shown.map((_, i) => [this.joints.anchor(this.frame, i), i]));
	}

	// Returns the value of the [point, value] nearest to a point of the canvas, within 10 pixels.
	nearest(at, rect, points) {
		let nearest = 10, found = null; // pixels
		for (const [point, value] of points) {
			const p = point.project(this.camera);
			const distance = Math.hypot(((p.x + 1) * rect.width) / 2 - at.x, ((1 - p.y) * rect.height) / 2 - at.y);
			if (p.z < 1 && distance < nearest) {
				nearest = distance;
				found = value;
			}
		}
		return found;
	}

	setCoarse(coarse) {
		this.coarse = coarse;
		this.sun.castShadow = !coarse;
		this.resize();
	}

	draw() {
		this.renderer.render(this.scene, this.camera);
		this.triad.show(this.camera);
	}
}
