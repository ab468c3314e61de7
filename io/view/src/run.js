// Reads a run from the bytes in the page (io/view/pack.h) into plain arrays, in SI units.
import { Bits } from "./bits.js";

// Indices of the numbers of a body in a frame.
export const POSITION = 0, QUATERNION = 3, VELOCITY = 7, SPIN = 10, PER_BODY = 13;
// Indices of the numbers of a contact.
export const SCALING = 0, GAP = 1, POINT = 2, NORMAL = 5, IMPULSE = 8, FRICTION = 9, PER_CONTACT = 12;
// Indices in the file, where the normal takes two columns instead of three.
const FILE_NORMAL = 5, FILE_IMPULSE = 7, FILE_COLUMNS = 11;

const KINDS = {
	times: Float64Array, energy: Float64Array, mesh_triangles: Uint32Array, mesh_normals: Int8Array,
	motion: Uint8Array, contact_columns: Uint8Array, joint_columns: Uint8Array, sensor_columns: Uint8Array,
};

export const decodeBase64 = (text) => {
	if (Uint8Array.fromBase64) {
		return Uint8Array.fromBase64(text);
	}
	const binary = atob(text), bytes = new Uint8Array(binary.length);
	for (let i = 0; i < binary.length; i++) {
		bytes[i] = binary.charCodeAt(i);
	}
	return bytes;
};

const readHead = (bytes) => {
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	if (new TextDecoder().decode(bytes.subarray(0, 8)) !== "abut-run") {
		throw new Error("this page contains no run");
	}
	const length = view.getUint32(8, true);
	const head = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + length)));
	const start = Math.ceil((12 + length) / 8) * 8;
	const section = (name) => {
		const [offset, count] = head.sections[name];
		return new (KINDS[name] ?? Float32Array)(bytes.buffer, bytes.byteOffset + start + offset, count);
	};
	return { head, section };
};

const readMeshes = (head, section) => {
	const positions = section("mesh_positions"), normals = section("mesh_normals"), triangles = section("mesh_triangles");
	let v = 0, t = 0;
	return head.meshes.map(([nVertices, nTriangles]) => {
		const mesh = {
			positions: positions.subarray(3 * v, 3 * (v + nVertices)),
			normals: Float32Array.from(normals.subarray(3 * v, 3 * (v + nVertices)), (n) => n / 127),
			triangles: triangles.subarray(3 * t, 3 * (t + nTriangles)),
		};
		v += nVertices;
		t += nTriangles;
		return mesh;
	});
};

// Returns the motion (frames x bodies x 13), with unit quaternions.
const readMotion = (head, section) => {
	const scales = section("motion_scales"), bits = new Bits(section("motion"));
	const n = head.frames, nBodies = head.bodies.length, stride = nBodies * PER_BODY;
	const motion = new Float32Array(n * stride);
	for (let body = 0; body < nBodies; body++) {
		for (let c = 0; c < PER_BODY; c++) {
			const first = scales[2 * (body * PER_BODY + c)], step = scales[2 * (body * PER_BODY + c) + 1];
			const at = body * PER_BODY + c;
			bits.column(n, (i, value) => { motion[i * stride + at] = first + step * value; });
		}
	}
	for (let i = QUATERNION; i < motion.length; i += PER_BODY) {
		const length = Math.hypot(motion[i], motion[i + 1], motion[i + 2], motion[i + 3]);
		for (let k = 0; k < 4; k++) {
			motion[i + k] /= length;
		}
	}
	return motion;
};

// Computes the unit normal from its point on the octahedron.
const unfold = (x, y, out, at) => {
	let z = 1 - Math.abs(x) - Math.abs(y);
	if (z < 0) {
		[x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
	}
	const length = Math.hypot(x, y, z);
	out[at] = x / length;
	out[at + 1] = y / length;
	out[at + 2] = z / length;
};

// Reads the contacts. The file sorts them by pair, then by frame; here frame f has rows first[f] to first[f + 1] - 1.
const readContacts = (head, section) => {
	const n = head.contacts, scales = section("contact_scales"), bits = new Bits(section("contact_columns"));
	const pairOf = new Int32Array(n), frameOf = new Int32Array(n), first = new Int32Array(head.frames + 1);
	bits.column(n, (i, value) => { pairOf[i] = value; });
	bits.column(n, (i, value) => { frameOf[i] = value; first[value + 1]++; });
	for (let f = 0; f < head.frames; f++) {
		first[f + 1] += first[f];
	}
	const next = first.slice(), place = new Int32Array(n), pairs = new Int32Array(n);
	for (let i = 0; i < n; i++) {
		place[i] = next[frameOf[i]]++;
		pairs[place[i]] = pairOf[i];
	}
	const values = new Float32Array(n * PER_CONTACT), folded = new Float32Array(n);
	for (let c = 0; c < FILE_COLUMNS; c++) {
		const start = scales[2 * c], step = scales[2 * c + 1];
		bits.column(n, (i, value) => {
			const at = place[i] * PER_CONTACT, x = start + step * value;
			if (c === FILE_NORMAL) {
				folded[i] = x;
			} else if (c === FILE_NORMAL + 1) {
				unfold(folded[i], x, values, at + NORMAL);
			} else {
				values[at + (c < FILE_NORMAL ? c : c - FILE_IMPULSE + IMPULSE)] = x;
			}
		});
	}
	return { n, first, pairs, values };
};

// Reads the joints: `values` of a joint has for each frame, and each freedom, coordinate and efforts of limit, friction
// and motor; then force and torque. Runs without joints.csv have none.
const readJoints = (head, section) => {
	const joints = (head.joints ?? []).map((joint) => ({ ...joint, size: 4 * joint.freedoms + 6 }));
	if (!head.sections.joint_scales) {
		return joints;
	}
	const scales = section("joint_scales"), bits = new Bits(section("joint_columns"));
	let column = 0;
	for (const joint of joints) {
		joint.values = new Float32Array(head.frames * joint.size);
		for (let c = 0; c < joint.size; c++, column++) {
			const first = scales[2 * column], step = scales[2 * column + 1];
			bits.column(head.frames, (i, value) => { joint.values[i * joint.size + c] = first + step * value; });
		}
	}
	for (const joint of joints) { // whether efforts of limit, friction and motor occur
		const occurs = (k) => joint.values.some((value, i) => i % joint.size < 4 * joint.freedoms && (i % joint.size) % 4 === k && value !== 0);
		joint.acts = { limit: occurs(1), friction: occurs(2), motor: occurs(3) };
	}
	return joints;
};

// Reads the sensors: `values` of a sensor has its values for each frame. Runs without sensors.csv have none.
const readSensors = (head, section) => {
	const sensors = head.sensors ?? [];
	if (sensors.length > 0) {
		const scales = section("sensor_scales"), bits = new Bits(section("sensor_columns"));
		let column = 0;
		for (const sensor of sensors) {
			sensor.values = new Float32Array(head.frames * sensor.size);
			for (let c = 0; c < sensor.size; c++, column++) {
				const first = scales[2 * column], step = scales[2 * column + 1];
				bits.column(head.frames, (i, value) => { sensor.values[i * sensor.size + c] = first + step * value; });
			}
		}
	}
	return sensors;
};

// Returns a joint in a frame as plain numbers; null without joints.csv.
export const jointAt = (run, frame, index) => {
	const { freedoms, size, values } = run.joints[index];
	if (!values) {
		return null;
	}
	const at = frame * size, take = (k) => Array.from({ length: freedoms }, (_, i) => values[at + 4 * i + k]);
	const vector = (k) => Array.from(values.subarray(at + 4 * freedoms + k, at + 4 * freedoms + k + 3));
	return { position: take(0), limit: take(1), friction: take(2), motor: take(3), force: vector(0), torque: vector(3) };
};

// Returns whether freedom `axis` of a type of joint slides.
export const slides = (type, axis) => type === "slide" || (type === "cylindrical" && axis === 0) || (type === "planar" && axis < 2);

export const readRun = (text) => {
	const { head, section } = readHead(decodeBase64(text.trim()));
	const series = {};
	for (const name of ["energy", "momentum", "penetration", "iterations", "residual", "complementarity",
		"active_contacts", "outcome"]) {
		series[name] = section(name);
	}
	return {
		...head,
		times: section("times"),
		series,
		meshes: readMeshes(head, section),
		motion: readMotion(head, section),
		contacts: readContacts(head, section),
		joints: readJoints(head, section),
		sensors: readSensors(head, section),
	};
};

// Returns the last frame at or before `time`, with a tolerance for rounding.
export const frameAt = (run, time) => {
	let low = 0, high = run.frames - 1;
	const target = time + 1e-6 * run.timestep;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (run.times[middle] <= target) {
			low = middle;
		} else {
			high = middle - 1;
		}
	}
	return low;
};
