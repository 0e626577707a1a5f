// Writes a picture of a page with 256 colours, which takes a third of the bytes and looks the same. Pure.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLORS = 256;
/** Squared, over the three channels. */
const LEAST_DISTANCE = 90;

/**
 * @param {Buffer} png - 8 bits a channel, without interlace, as browsers write it
 * @returns {Buffer} the same picture with a palette
 */
export function smallerPng(png) {
  const { width, height, channels, rows } = decode(png);
  const counts = new Map();
  for (let at = 0; at < rows.length; at += channels) {
    const color = rows.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const palette = paletteOf([...counts].sort((left, right) => right[1] - left[1]).map(([color]) => color));
  const indexes = new Map(palette.map((color, index) => [color, index]));
  const pixels = Buffer.alloc((width + 1) * height);
  for (let at = 0, pixel = 0; at < rows.length; at += channels, pixel++) {
    const color = rows.readUIntBE(at, 3);
    let index = indexes.get(color);
    if (index === undefined) {
      index = nearest(palette, color);
      indexes.set(color, index);
    }
    pixels[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.concat(palette.map((color) => Buffer.from([color >> 16, (color >> 8) & 255, color & 255])));
  const data = deflateSync(pixels, { level: 9 });
  const chunks = [chunk("IHDR", header), chunk("PLTE", colors), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

/** The most frequent colours that are not nearly the same, so that rare ones keep their hue. */
function paletteOf(colors) {
  const palette = [];
  for (const color of colors) {
    if (palette.length === COLORS) break;
    if (palette.every((other) => distance(color, other) >= LEAST_DISTANCE)) palette.push(color);
  }
  return palette;
}

function nearest(palette, color) {
  let best = 0;
  for (let index = 1; index < palette.length; index++)
    if (distance(color, palette[index]) < distance(color, palette[best])) best = index;
  return best;
}

function distance(left, right) {
  return [16, 8, 0].reduce((sum, shift) => sum + (((left >> shift) & 255) - ((right >> shift) & 255)) ** 2, 0);
}

/** Undoes the filters of each row (PNG specification, chapter 9). */
function decode(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const filtered = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rows = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = filtered[row * (stride + 1)];
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const left = column < channels ? 0 : rows[at - channels];
      const up = row === 0 ? 0 : rows[at - stride];
      const corner = row === 0 || column < channels ? 0 : rows[at - stride - channels];
      rows[at] = filtered[row * (stride + 1) + 1 + column] + predicted(filter, left, up, corner);
    }
  }
  return { width, height, channels, rows };
}

function predicted(filter, left, up, corner) {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
