// SVG drawings: elements, and the markers of the lines of a chart. Each line has its own shape, so that
// lines differ by more than their colour.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Make an SVG element.
 *
 * @param {string} tag
 * @param {{[name: string]: string | number}} [attributes]
 * @param {...(SVGElement | string | number)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const child of children) element.append(typeof child === 'number' ? String(child) : child);
  return element;
}

/** The corners of the shapes around 0,0, each with about the area of a circle of radius 1. */
const SHAPES = [
  null, // a circle
  [-1, -1, 1, -1, 1, 1, -1, 1],
  [0, -1.3, 1.2, 0.9, -1.2, 0.9],
  [0, -1.4, 1.4, 0, 0, 1.4, -1.4, 0],
  [0, 1.3, 1.2, -0.9, -1.2, -0.9],
  [-0.5, -1.3, 0.5, -1.3, 0.5, -0.5, 1.3, -0.5, 1.3, 0.5, 0.5, 0.5, 0.5, 1.3, -0.5, 1.3].concat([
    -0.5, 0.5, -1.3, 0.5, -1.3, -0.5, -0.5, -0.5,
  ]),
  [0, -1.3, 1.25, -0.4, 0.8, 1.1, -0.8, 1.1, -1.25, -0.4],
  [-1.3, -0.6, 1.3, -0.6, 1.3, 0.6, -1.3, 0.6],
];

/**
 * Draw the marker of a line at a point.
 *
 * @param {number} style of the line
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
export function marker(style, x, y, radius) {
  const corners = SHAPES[style % SHAPES.length];
  const name = `chart-marker chart-line-${style}`;
  if (!corners) return svg('circle', { class: name, cx: x, cy: y, r: radius });
  const points = corners.map((at, i) => (at * radius + (i % 2 ? y : x)).toFixed(1)).join(' ');
  return svg('polygon', { class: name, points });
}
