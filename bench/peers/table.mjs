// The table of bench/README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { EDR, IN_PROCESS, LIBRARY } from "./in-process.mjs";
import { FIRST_ROUNDS } from "./measure-rows.mjs";
import { programVersion, versionOf } from "./nodes.mjs";
import { writePictures } from "./pictures.mjs";
import { ratioText, writeSpeedTexts } from "./speed-texts.mjs";

const README = new URL("../README.md", import.meta.url);
/** Our own medians are compared with those that were taken in the same way. */
const RATIOS = [
  { title: "Hindcast over HTTP ÷ Anvil", of: ["hindcast", "anvil"] },
  { title: "Hindcast in process ÷ EDR", of: [IN_PROCESS, EDR] },
];
const MARKS = /(<!-- peers -->\n)[\s\S]*(<!-- \/peers -->)/;
const PUBLIC_MARKS = /(<!-- public -->\n)[\s\S]*(<!-- \/public -->)/;

/**
 * Markdown of the measured rows.
 *
 * @param columns - names of the nodes
 * @param load - load of the machine before the first row: well above zero says that it was shared
 */
export function tableOf(rows, columns, load) {
  const heads = columns.map(title);
  const machine = `${availableParallelism()} cores (${processor()}), Node ${process.version}`;
  return [
    `Medians in milliseconds where nothing else is said. ${new Date().toISOString().slice(0, 10)}, ${machine},`,
    `load ${load.toFixed(1)} at the start. In brackets: the first ${FIRST_ROUNDS} rounds, where there were more.`,
    "",
    `| | ${[...heads, ...RATIOS.map(({ title: text }) => text)].join(" | ")} |`,
    `| --- |${" ---: |".repeat(columns.length + RATIOS.length)}`,
    ...rows.map((row) => lineOf(row, columns)),
  ].join("\n");
}

/** Its name, without marks: with them the line gets too long for a page. */
function processor() {
  const model = cpus()[0]?.model ?? "unknown";
  return model
    .replaceAll(/\((?:R|TM)\)|\b(?:CPU|Processor)\b/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Markdown of the rows of public code: ratios only. */
export function ratiosOf(rows, load) {
  const show = (cells, { of: [ours, theirs] }) => ratioText(format(cells[ours]), format(cells[theirs]));
  return [
    `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, load ${load.toFixed(1)} at the start.`,
    "",
    `| | ${RATIOS.map((ratio) => ratio.title).join(" | ")} |`,
    `| --- |${" ---: |".repeat(RATIOS.length)}`,
    ...rows.map(({ label, cells }) => `| ${[label, ...RATIOS.map((ratio) => show(cells, ratio))].join(" | ")} |`),
  ].join("\n");
}

function lineOf({ label, unit, cells, first }, columns) {
  const show = unit === "MB" ? (value) => value?.toFixed(0) ?? "–" : format;
  const withFirst = (read) =>
    first === undefined || read(first) === "–" ? read(cells) : `${read(cells)} (${read(first)})`;
  const values = columns.map((name) => withFirst((medians) => show(medians[name])));
  const ratios = RATIOS.map(({ of: [ours, theirs] }) =>
    withFirst((medians) => ratioText(show(medians[ours]), show(medians[theirs]))),
  );
  return `| ${[label, ...values, ...ratios].join(" | ")} |`;
}

function format(value) {
  if (value === undefined) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function title(name) {
  if (name === IN_PROCESS) return "Hindcast, in process";
  if (name === EDR) return name;
  if (name === LIBRARY) return `${LIBRARY} ${versionOf(`../../node_modules/${LIBRARY}/package.json`)}, in process`;
  const shown = `${name[0].toUpperCase()}${name.slice(1)}`;
  try {
    return `${shown} ${programVersion(name)}`;
  } catch {
    return `${shown}, not installed`;
  }
}

/** @throws {Error} where the README has no place for a table */
export function requirePlace() {
  const text = readFileSync(README, "utf8");
  if (!MARKS.test(text) || !PUBLIC_MARKS.test(text)) throw new Error("bench/README.md has no place for the table.");
}

/** Puts the tables in the places of the last ones, and the figures of the first in the README of the project. */
export function writeTables(table, ratios) {
  const put = (text, marks, filled) =>
    filled === undefined ? text : text.replace(marks, (_all, open, close) => `${open}\n${filled}\n\n${close}`);
  const text = readFileSync(README, "utf8");
  writeFileSync(README, put(put(text, MARKS, table), PUBLIC_MARKS, ratios));
  if (table !== undefined) {
    writeSpeedTexts();
    writePictures();
  }
}
