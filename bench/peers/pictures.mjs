// Pictures of docs/, drawn of the tables that the bench and the campaign have written: ratios beside peers by row, and the time
// per block over a long chain. Each in a light and a dark form.
import { readFileSync, writeFileSync } from "node:fs";
import { measuredTable, ratioOf, SHOWN } from "./speed-texts.mjs";

const ROOT = new URL("../../", import.meta.url);
const THEMES = {
  light: { text: "#1f2328", quiet: "#59636e", line: "#d1d9e0", first: "#0550ae", second: "#bc4c00" },
  dark: { text: "#e6edf3", quiet: "#9198a1", line: "#3d444d", first: "#6cb6ff", second: "#f0883e" },
};
const WIDTH = 760;
const LABELS = 300;
const ROW = 20;

/** Files of pictures by path, with their content. */
export function pictures(table = measuredTable(), reliability = page("docs/reliability.md")) {
  return Object.fromEntries(
    Object.entries(THEMES).flatMap(([name, theme]) => [
      [`docs/pictures/ratios-${name}.svg`, ratios(table, theme)],
      [`docs/pictures/long-chain-${name}.svg`, longChain(reliability, theme)],
    ]),
  );
}

/** Writes the pictures. */
export function writePictures() {
  for (const [path, text] of Object.entries(pictures())) writeFileSync(new URL(path, ROOT), text);
}

const page = (name) => readFileSync(new URL(name, ROOT), "utf8");

/** A row for each line of docs/speed.md, on a logarithmic axis from a hundredth to ten. */
function ratios({ anvil, rows }, theme) {
  const shown = rows
    .filter(({ label }) => SHOWN.some((begin) => label.startsWith(begin)))
    .map((row) => ({
      label: row.label.replace(/^3 M gas of /, "").replace(/ \(.*/, ""),
      http: ratioOf(row.overHttp, row.anvil),
      process: ratioOf(row.inProcess, row.edr),
    }));
  const top = 56;
  const bottom = top + shown.length * ROW;
  const across = (ratio) => LABELS + ((Math.log10(Math.max(ratio, 0.01)) + 2) / 3) * (WIDTH - LABELS - 20);
  const grid = [0.01, 0.1, 1, 10].map(
    (ratio) =>
      line([across(ratio), top - 8], [across(ratio), bottom], ratio === 1 ? theme.quiet : theme.line) +
      text(across(ratio), bottom + 16, String(ratio), theme.quiet, "middle"),
  );
  const marks = shown.map(({ label, http, process }, index) => {
    const y = top + index * ROW + ROW / 2;
    return (
      text(LABELS - 12, y + 4, label, theme.text, "end") +
      line([LABELS, y], [WIDTH - 20, y], theme.line) +
      (Number.isNaN(http) ? "" : `<circle cx="${round(across(http))}" cy="${y}" r="5" fill="${theme.first}"/>`) +
      (Number.isNaN(process) ? "" : square(across(process), y, theme.second))
    );
  });
  const legend =
    `<circle cx="${LABELS + 6}" cy="16" r="5" fill="${theme.first}"/>` +
    text(LABELS + 18, 20, `over HTTP ÷ ${anvil}`, theme.text) +
    square(LABELS + 196, 16, theme.second) +
    text(LABELS + 208, 20, "in process ÷ EDR", theme.text) +
    text(LABELS, 42, "← Hindcast takes less", theme.quiet) +
    text(WIDTH - 20, 42, "Hindcast takes more →", theme.quiet, "end");
  const title = `Time and memory of Hindcast divided by that of ${anvil} and EDR, by row`;
  return svg(bottom + 28, title, [...grid, ...marks, legend]);
}

/** Processor time per block, from the table of docs/reliability.md whose columns are numbers of blocks. */
function longChain(reliability, theme) {
  const [, head = "", body = ""] = /^\| Blocks \|(.*)\|\n\|[-: |]+\|\n((?:\|.*\n)+)/m.exec(reliability) ?? [];
  const blocks = head.split("|").map(numberIn);
  const lines = body
    .trim()
    .split("\n")
    .map((row) => row.split("|").slice(1, -1))
    .map(([label = "", ...cells]) => ({ label: label.trim(), times: cells.map(numberIn) }));
  const [left, right, top, bottom] = [60, WIDTH - 220, 24, 220];
  const most = Math.ceil(Math.max(...lines.flatMap(({ times }) => times)));
  const across = (count) => left + ((count - blocks[0]) / (blocks.at(-1) - blocks[0])) * (right - left);
  const down = (time) => bottom - (time / most) * (bottom - top);
  const grid = Array.from({ length: most + 1 }, (_, time) => [
    line([left, down(time)], [right, down(time)], theme.line),
    text(left - 8, down(time) + 4, `${time} ms`, theme.quiet, "end"),
  ]);
  const colours = [theme.first, theme.quiet, theme.second];
  const drawn = lines.map(({ label, times }, index) => {
    const points = times.map((time, place) => `${round(across(blocks[place]))},${round(down(time))}`).join(" ");
    return (
      `<polyline points="${points}" fill="none" stroke="${colours[index]}" stroke-width="2"/>` +
      text(right + 10, down(times.at(-1)) + 4, label, colours[index])
    );
  });
  const under = blocks.map((count) =>
    text(across(count), bottom + 18, count.toLocaleString("en"), theme.quiet, "middle"),
  );
  const axis = text((left + right) / 2, bottom + 38, "blocks of the chain", theme.quiet, "middle");
  return svg(bottom + 50, "Processor time per block over a chain of 48,000 blocks", [
    ...grid.flat(),
    ...drawn,
    ...under,
    axis,
  ]);
}

const numberIn = (text) => Number(text.replaceAll(/[^\d.]/g, ""));
const round = (number) => Number(number.toFixed(1));
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function svg(height, title, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function line([x1, y1], [x2, y2], colour) {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}"/>`;
}

function square(x, y, colour) {
  return `<rect x="${round(x - 4.5)}" y="${round(y - 4.5)}" width="9" height="9" fill="${colour}"/>`;
}

function text(x, y, words, colour, anchor = "start") {
  return `<text x="${round(x)}" y="${round(y)}" fill="${colour}" text-anchor="${anchor}">${escaped(words)}</text>`;
}
