// What README.md and docs/speed.md say about speed, made of the table in bench/README.md, so that no figure is older or
// kinder than it.
import { readFileSync, writeFileSync } from "node:fs";
import { replaceBetween } from "../../.ci/doc-tables.mjs";
import { LOOP_LABEL } from "./instruction-rows.mjs";

const BENCH = new URL("../README.md", import.meta.url);
const ROOT = new URL("../../", import.meta.url);
const MARKS = /<!-- peers -->\n([\s\S]*?)<!-- \/peers -->/;

/** Columns by their heading in the table. */
const COLUMNS = {
  inProcess: /^Hindcast, in process$/,
  edr: /^EDR in process$/,
  overHttp: /^Hindcast \d/,
  anvil: /^Anvil /,
};

/** Rows that docs/speed.md shows, by the beginning of their label. */
export const SHOWN = [
  "start to first answer",
  "memory after start",
  "round trip",
  "small call",
  "token transfer call",
  "swap call",
  "loop of 30 M gas",
  LOOP_LABEL,
  "1,000 cold SSTORE",
  "Groth16 verification",
  "trace_transaction",
  "trace_filter, 1,000 blocks",
  "struct log",
  "getLogs, 10,000",
  "automine transfer",
  "snapshot, transfer, revert",
  "100 raw transactions",
  "block of 500 transfers",
  "memory after all",
];

/**
 * Rows of the table in bench/README.md: medians as they are written there, without those of the first rounds.
 *
 * @returns {{ conditions: string, anvil: string,
 *   rows: { label: string, inProcess: string, edr: string, overHttp: string, anvil: string }[] }}
 */
export function measuredTable(text = readFileSync(BENCH, "utf8")) {
  const [, block = ""] = MARKS.exec(text) ?? [];
  const lines = block.split("\n").filter((line) => line.startsWith("|"));
  const cellsOf = (line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const heads = cellsOf(lines[0] ?? "");
  const places = Object.entries(COLUMNS).map(([name, pattern]) => [
    name,
    heads.findIndex((head) => pattern.test(head)),
  ]);
  const rows = lines.slice(2).map((line) => {
    const [label, ...cells] = cellsOf(line);
    const medianOf = (place) => cells[place - 1]?.replace(/ \(.*/, "") ?? "–";
    return { label, ...Object.fromEntries(places.map(([name, place]) => [name, medianOf(place)])) };
  });
  const conditions = block.split(/ In brackets|\n\n\|/)[0]?.trim() ?? "";
  return { conditions, anvil: heads.find((head) => COLUMNS.anvil.test(head)), rows };
}

/** The texts by page, and there by the name of their place. */
export function speedTexts(table = measuredTable()) {
  return {
    "README.md": { "speed in short": inShort(table) },
    "docs/speed.md": { speed: inFull(table) },
    "docs/comparison.md": { "speed of peers": whereSlower(table) },
  };
}

/** Puts the texts into their pages. */
export function writeSpeedTexts() {
  for (const [page, texts] of Object.entries(speedTexts())) {
    const file = new URL(page, ROOT);
    const before = readFileSync(file, "utf8");
    const after = Object.entries(texts).reduce((text, [name, part]) => replaceBetween(text, name, part), before);
    if (after !== before) writeFileSync(file, after);
  }
}

/** Each of our figures beside the peer's that was taken in the same way. */
function inShort({ anvil, rows }) {
  const of = (label) => rows.find((row) => row.label.startsWith(label)) ?? {};
  const http = (label, unit) => `${of(label).overHttp}${unit} (${of(label).anvil})`;
  const process = (label) => `${of(label).inProcess} ms (${of(label).edr})`;
  return inColumns(
    [
      `Over HTTP, with ${anvil} in brackets: the start takes ${http("start to first answer", " ms")} and ${http("memory after start", " MB")}, a small call`,
      `${http("small call", " ms")}, a mined transfer ${http("automine transfer", " ms")}. A snapshot, a transfer and a revert take ${http("snapshot, transfer, revert", " ms")}. In process, with`,
      `EDR in brackets: a small call takes ${process("small call")}, a mined transfer ${process("automine transfer")}. [Speed](docs/speed.md) has more.`,
    ].join(" "),
  );
}

function inFull({ conditions, anvil, rows }) {
  const shown = rows.filter(({ label }) => SHOWN.some((begin) => label.startsWith(begin)));
  const lines = shown.map(({ label, inProcess, edr, overHttp, anvil: theirs }) => {
    const cells = [inProcess, edr, ratioText(inProcess, edr), overHttp, theirs, ratioText(overHttp, theirs)];
    return `| ${[plainLabel(label), ...cells].join(" | ")} |`;
  });
  const heads = ["Hindcast in process", "EDR in process", "÷", "Hindcast over HTTP", `${anvil} over HTTP`, "÷"];
  return [
    conditions,
    "",
    `| | ${heads.join(" | ")} |`,
    `| --- |${" ---: |".repeat(heads.length)}`,
    ...lines,
    "",
    ...comparison(rows, "overHttp", "anvil", `${anvil} over HTTP`),
    ...comparison(rows, "inProcess", "edr", "EDR in process"),
  ].join("\n");
}

/** The rows in which a peer is better, the largest ratio first. */
function whereSlower({ conditions, anvil, rows }) {
  return [
    conditions,
    "",
    ...slowerRows(rows, "overHttp", "anvil", `${anvil} over HTTP`),
    "",
    ...slowerRows(rows, "inProcess", "edr", "EDR in process"),
  ].join("\n");
}

function slowerRows(rows, ours, theirs, peer) {
  const measured = rows.filter((row) => Number.isFinite(ratioOf(row[ours], row[theirs])));
  const slower = measured
    .filter((row) => ratioOf(row[ours], row[theirs]) > 1)
    .toSorted((left, right) => ratioOf(right[ours], right[theirs]) - ratioOf(left[ours], left[theirs]));
  return [
    `Beside ${peer}, Hindcast takes more in ${slower.length} of ${measured.length} rows, and less in the others:`,
    "",
    `| Row | Hindcast | ${peer} | ÷ |`,
    "| --- | ---: | ---: | ---: |",
    ...slower.map(
      (row) => `| ${plainLabel(row.label)} | ${row[ours]} | ${row[theirs]} | ${ratioText(row[ours], row[theirs])} |`,
    ),
  ];
}

const plainLabel = (label) => label.replace(/ \(`node.*| \(Anvil: .*/, "");

/** In how many rows ours is the slower one, and what plain instructions cost. */
function comparison(rows, ours, theirs, peer) {
  const ratios = rows.flatMap((row) => {
    const ratio = ratioOf(row[ours], row[theirs]);
    return Number.isFinite(ratio) ? [{ label: row.label, ratio }] : [];
  });
  const slower = ratios.filter(({ ratio }) => ratio > 1).length;
  const sentence = `Beside ${peer}, Hindcast is slower or larger in ${slower} of ${ratios.length} rows of the whole table.`;
  const loops = ratios.filter(({ label }) => label.startsWith(LOOP_LABEL)).map(({ ratio }) => ratio);
  if (loops.length === 0) return [sentence];
  const mean = Math.exp(loops.reduce((sum, ratio) => sum + Math.log(ratio), 0) / loops.length);
  const [least, most] = [Math.min(...loops), Math.max(...loops)].map((ratio) => ratio.toFixed(2));
  return [
    sentence,
    `Its loops of plain instructions take ${least} to ${most} times as long; the geometric mean is ${mean.toFixed(2)}.`,
  ];
}

/** Lines of at most 100 columns, as all pages have them. */
function inColumns(text) {
  return text.replace(/(?=.{101})(.{1,100}) /g, "$1\n");
}

/** `÷` of two medians as they are written; `–` if one is missing. */
export function ratioText(ours, theirs) {
  const ratio = ratioOf(ours, theirs);
  if (!Number.isFinite(ratio)) return "–";
  return ratio < 0.01 ? "< 0.01" : ratio.toFixed(2);
}

/** The ratio of two medians as they are written; NaN if one is missing. */
export function ratioOf(ours, theirs) {
  return numberOf(ours) / numberOf(theirs);
}

function numberOf(text) {
  return text === undefined || text === "–" ? Number.NaN : Number(text.replaceAll(",", ""));
}
