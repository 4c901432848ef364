// Fills paths and writes PNG files: enough for flat drawings, with smooth edges and no dependency.

import { crc32, deflateSync } from 'node:zlib';

/**
 * @typedef {[x: number, y: number]} Point
 * @typedef {(point: Point) => Point} Transform
 * @typedef {{width: number, height: number, pixels: Float64Array}} Picture RGBA, each from 0 to 1
 */

const CURVE_STEPS = 12;
const ROWS = 4; // samples of a pixel's height; its width is exact

/** @param {number} width @param {number} height @returns {Picture} */
export const makePicture = (width, height) => ({
  width,
  height,
  pixels: new Float64Array(width * height * 4),
});

/** Return a colour as numbers from 0 to 1. @param {string} hex e.g. `#14523f` */
export const colour = (hex) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);

/** Return a point of a Bézier curve. @param {Point[]} points @param {number} t @returns {Point} */
function bezier(points, t) {
  if (points.length === 1) return points[0];
  const between = points.slice(1).map(([x, y], at) => {
    const [fromX, fromY] = points[at];
    return /** @type {Point} */ ([fromX + (x - fromX) * t, fromY + (y - fromY) * t]);
  });
  return bezier(between, t);
}

const PARAMETERS = { M: 2, L: 2, H: 1, V: 1, C: 6, Q: 4, Z: 0 };

/** Return the lines of an SVG path, each as its points. @param {string} path @returns {Point[][]} */
export function linesOf(path) {
  const lines = [];
  let [x, y] = [0, 0];
  for (const [, letter, rest] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const kind = letter.toUpperCase();
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const size = PARAMETERS[kind];
    for (let at = 0; at < Math.max(numbers.length, 1); at += size || 1) {
      const own = numbers.slice(at, at + size);
      const [fromX, fromY] = letter === kind ? [0, 0] : [x, y];
      const points = [];
      if (kind === 'H') points.push([own[0] + fromX, y]);
      else if (kind === 'V') points.push([x, own[0] + fromY]);
      else for (let i = 0; i < size; i += 2) points.push([own[i] + fromX, own[i + 1] + fromY]);
      if (kind === 'Z') {
        lines.at(-1).push(lines.at(-1)[0]);
        [x, y] = lines.at(-1)[0];
      } else if (kind === 'M' && at === 0) lines.push([points[0]]);
      else {
        const steps = points.length > 1 ? CURVE_STEPS : 1;
        for (let i = 1; i <= steps; i += 1)
          lines.at(-1).push(bezier([[x, y], ...points], i / steps));
      }
      [x, y] = points.at(-1) ?? [x, y];
    }
  }
  return lines;
}

/** Return the outline of a line that is drawn with a round pen, as overlapping polygons. @param {Point[]} line @param {number} weight @returns {Point[][]} */
export function stroked(line, weight) {
  const radius = weight / 2;
  return line.slice(1).map(([toX, toY], at) => {
    const [x, y] = line[at];
    const angle = Math.atan2(toY - y, toX - x);
    const arc = (/** @type {Point} */ [cx, cy], /** @type {number} */ from) =>
      Array.from({ length: 9 }, (_, i) => {
        const a = from + (i * Math.PI) / 8;
        return /** @type {Point} */ ([cx + radius * Math.cos(a), cy + radius * Math.sin(a)]);
      });
    return [...arc([toX, toY], angle - Math.PI / 2), ...arc([x, y], angle + Math.PI / 2)];
  });
}

/** Return a rectangle with round corners. @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius @returns {Point[]} */
export function rounded(x, y, width, height, radius) {
  const corners = [
    [x + width - radius, y + radius, -90],
    [x + width - radius, y + height - radius, 0],
    [x + radius, y + height - radius, 90],
    [x + radius, y + radius, 180],
  ];
  return corners.flatMap(([cx, cy, from]) =>
    Array.from({ length: 13 }, (_, i) => {
      const a = ((from + i * 7.5) * Math.PI) / 180;
      return /** @type {Point} */ ([cx + radius * Math.cos(a), cy + radius * Math.sin(a)]);
    }),
  );
}

/**
 * Fill polygons, which may overlap, with a colour.
 *
 * @param {Picture} picture
 * @param {Point[][]} polygons
 * @param {number[]} paint
 * @param {number} [alpha]
 */
export function fill({ width, height, pixels }, polygons, paint, alpha = 1) {
  const edges = polygons.flatMap((points) =>
    points.map((from, at) => [from, points[(at + 1) % points.length]]),
  );
  const all = edges.flatMap(([[, y], [, other]]) => [y, other]);
  const top = Math.max(0, Math.floor(Math.min(...all)));
  const bottom = Math.min(height, Math.ceil(Math.max(...all)));
  const covered = new Float64Array(width);
  for (let row = top; row < bottom; row += 1) {
    covered.fill(0);
    for (let sample = 0; sample < ROWS; sample += 1) {
      const y = row + (sample + 0.5) / ROWS;
      const crossings = edges
        .filter(([[, a], [, b]]) => a <= y !== b <= y)
        .map(([[ax, ay], [bx, by]]) => ({
          x: ax + ((y - ay) / (by - ay)) * (bx - ax),
          down: by > ay,
        }))
        .sort((a, b) => a.x - b.x);
      let winding = 0;
      crossings.forEach(({ x, down }, at) => {
        winding += down ? 1 : -1;
        if (winding !== 0) cover(covered, x, crossings[at + 1].x);
      });
    }
    for (let column = 0; column < width; column += 1) {
      const share = Math.min(1, covered[column]) * alpha;
      if (share > 0) blend(pixels, (row * width + column) * 4, paint, share);
    }
  }
}

/** Add a span to the shares of pixels that are covered. @param {Float64Array} covered @param {number} from @param {number} to */
function cover(covered, from, to) {
  const last = Math.min(to, covered.length);
  for (let column = Math.max(0, Math.floor(from)); column < last; column += 1)
    covered[column] += (Math.min(last, column + 1) - Math.max(from, column)) / ROWS;
}

/** @param {Float64Array} pixels @param {number} at @param {number[]} paint @param {number} share */
function blend(pixels, at, paint, share) {
  const below = pixels[at + 3] * (1 - share);
  const total = share + below;
  for (let i = 0; i < 3; i += 1)
    pixels[at + i] = (paint[i] * share + pixels[at + i] * below) / total;
  pixels[at + 3] = total;
}

/** Return the bytes of a picture, four a pixel. @param {Picture} picture */
export const bytesOf = ({ pixels }) => Buffer.from(pixels.map((value) => Math.round(value * 255)));

/** @param {string} name @param {Buffer} data */
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, check]);
}

/** Return a picture as a PNG file, without transparency if it has none. @param {Picture} picture */
export function png(picture) {
  const { width, height } = picture;
  const bytes = bytesOf(picture);
  const opaque = bytes.every((value, at) => at % 4 < 3 || value === 255);
  const size = opaque ? 3 : 4;
  const rows = Buffer.alloc(height * (1 + width * size));
  for (let y = 0; y < height; y += 1) {
    const start = y * (1 + width * size);
    rows[start] = 2; // each byte is the difference to the one above it
    for (let at = 0; at < width * size; at += 1) {
      const source = (row) => bytes[(row * width + Math.floor(at / size)) * 4 + (at % size)];
      rows[start + 1 + at] = source(y) - (y > 0 ? source(y - 1) : 0);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, opaque ? 2 : 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Return PNG files of different sizes as one icon file. @param {{size: number, file: Buffer}[]} images */
export function ico(images) {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach(({ size, file }, at) => {
    const entry = 6 + 16 * at;
    head.set([size, size, 0, 0, 1, 0, 32, 0], entry);
    head.writeUInt32LE(file.length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += file.length;
  });
  return Buffer.concat([head, ...images.map(({ file }) => file)]);
}
