// Makes elements. Text enters the page only as text nodes, so nothing that a run contains can become an element.

const SVG = "http://www.w3.org/2000/svg";

const fill = (element, attributes, children) => {
	for (const [name, value] of Object.entries(attributes)) {
		if (name === "style") {
			Object.entries(value).forEach(([property, text]) => element.style.setProperty(property, text));
		} else if (value !== undefined) {
			element.setAttribute(name, value);
		}
	}
	element.append(...children.flat());
	return element;
};

// Returns a new element. `attributes` with the value undefined are left out, and `style` is an object of properties;
// `children` are elements, texts, and arrays of both.
export const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const makeSvg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
