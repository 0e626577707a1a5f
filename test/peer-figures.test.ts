/** Figures about peers: those in the README and in docs/speed.md are those of the bench's table, taken in the same way, and no others exist. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NEWEST_STABLE_HARDFORK } from "../src/chainspec/hardforks/hardforks.ts";
import { parseCommandLine } from "../src/cli/options/command-line.ts";
import { methods } from "../src/rpc/registry.ts";

const paper = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

/** The text between two markers. */
function between(text: string, name: string): string {
  const [, part] = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(text) ?? [];
  if (part === undefined) throw new Error(`no place for ${name}`);
  return part;
}

/** The rows of a table without the medians of the first rounds; the first one has the headings. */
const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("| ---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/ \(\d.*/, "")),
    );

const [benchHeads = [], ...bench] = rowsOf(between(paper("bench/README.md"), "peers"));
const [heads = [], ...rows] = rowsOf(between(paper("docs/speed.md"), "speed"));

/** A median of the bench's table. */
function measured(label: string, column: RegExp): string {
  const row = bench.find(([name = ""]) => name.startsWith(label));
  const place = benchHeads.findIndex((head) => column.test(head));
  if (row === undefined || place < 0) throw new Error(`no ${label} of ${column}`);
  return row[place] ?? "";
}

const COLUMNS: readonly (readonly [shown: string, measured: RegExp])[] = [
  ["Hindcast in process", /^Hindcast, in process$/],
  ["EDR in process", /^EDR in process$/],
  ["Hindcast over HTTP", /^Hindcast [\d.]+$/],
  ["Anvil", /^Anvil [\d.]+$/],
];

describe("the page about speed", () => {
  it("shows medians of the bench, ours beside a peer's on the same transport", () => {
    expect(heads.map((head) => head.replace(/Anvil [\d.]+ over HTTP/, "Anvil"))).toEqual([
      "",
      "Hindcast in process",
      "EDR in process",
      "÷",
      "Hindcast over HTTP",
      "Anvil",
      "÷",
    ]);
    expect(rows.length).toBeGreaterThan(15);
    for (const [label = "", inProcess, edr, , overHttp, anvil] of rows) {
      expect([label, inProcess, edr, overHttp, anvil]).toEqual([
        label,
        ...COLUMNS.map(([, column]) => measured(label, column)),
      ]);
    }
  });

  it("divides them right", () => {
    const number = (text = ""): number => Number(text.replaceAll(",", "").replace("–", "NaN"));
    for (const [label, inProcess, edr, first = "", overHttp, anvil, second = ""] of rows) {
      for (const [ours, theirs, shown] of [
        [inProcess, edr, first],
        [overHttp, anvil, second],
      ] as const) {
        const ratio = number(ours) / number(theirs);
        const text = Number.isNaN(ratio) ? "–" : ratio < 0.01 ? "< 0.01" : ratio.toFixed(2);
        expect([label, shown]).toEqual([label, text]);
      }
    }
  });

  it("is right in the first lines of the README too, of what is slower and what is faster", () => {
    const text = between(paper("README.md"), "speed in short").replaceAll("\n", " ");
    for (const [label, pattern] of [
      ["start to first answer", /the start takes (\S+) ms \((\S+)\)/],
      ["memory after start", /and (\S+) MB \((\S+)\)/],
      ["small call", /HTTP.*? a small call (\S+) ms \((\S+)\)/],
      ["automine transfer", /HTTP.*? a mined transfer (\S+) ms \((\S+)\)/],
      ["snapshot, transfer, revert", /a revert take (\S+) ms \((\S+)\)/],
    ] as const) {
      expect(pattern.exec(text)?.slice(1), label).toEqual([
        measured(label, /^Hindcast [\d.]+$/),
        measured(label, /^Anvil/),
      ]);
    }
    for (const [label, pattern] of [
      ["small call", /In process.* a small call takes (\S+) ms \((\S+)\)/],
      ["automine transfer", /In process.* a mined transfer (\S+) ms \((\S+)\)/],
    ] as const) {
      expect(pattern.exec(text)?.slice(1), label).toEqual([measured(label, /^Hindcast, in/), measured(label, /^EDR/)]);
    }
  });
});

const PEER = /\b(?:Anvil|EDR|Ganache|Hardhat)\b/;
const FIGURE = /(?<![-\w.])\d[\d.,]*\s?(?:ms|µs|s|MB|GB|times|microseconds|milliseconds)\b|(?:twice|half) as /;

/** Sentences with a peer's name and a figure of speed or size. */
function claimsIn(text: string): readonly string[] {
  const sentences = text.split(/\n\n|\n(?=[-|])/).flatMap((part) => part.replaceAll("\n", " ").split(/(?<=[.:])\s/));
  return sentences.filter((sentence) => PEER.test(sentence) && FIGURE.test(sentence));
}

it("a sentence with a peer and a figure is found", () => {
  const claims = [
    "A transfer is mined in 1.8 ms (in Anvil, over HTTP, in 11).",
    "It takes 1.5 times as long as in EDR.",
  ];
  expect(claimsIn(`${claims.join(" ")} Anvil 1.7.1 has it: a call takes 3 ms.`)).toEqual(claims);
});

it.each([
  ...["README.md", "SECURITY.md", "CONTRIBUTING.md", "examples/README.md"],
  ...readdirSync(new URL("../docs/", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
])("%s has no figure about a peer of its own", (name) => {
  const text = paper(name).replace(/<!-- (speed.*?) -->[\s\S]*?<!-- \/\1 -->/g, "");
  expect(claimsIn(text)).toEqual([]);
});

it("the command's help has none", () => {
  const line = parseCommandLine(["--help"], "1");
  expect(claimsIn(line.kind === "print" ? line.text : "")).toEqual([]);
});

describe("what the nodes can do, on the page of comparison", () => {
  const table = rowsOf(/## What they can do\n([\s\S]*?)\n## /.exec(paper("docs/comparison.md"))?.[1] ?? "");
  const ours = new Map(table.map(([subject = "", own = ""]) => [subject, own]));
  const version = (path: string, name: string): string => JSON.parse(paper(path)).dependencies[name];

  it("is said of the versions that are measured", () => {
    expect(table[0]?.slice(1)).toEqual([
      `Hindcast ${JSON.parse(paper("package.json")).version}`,
      `Anvil ${version("bench/peers/package.json", "@foundry-rs/anvil")}`,
      `Hardhat ${version("bench/peers/hardhat3/package.json", "hardhat").replace(/\.0$/, "")}`,
      `Ganache ${version("bench/peers/package.json", "ganache")}`,
    ]);
  });

  it("is true of this node", () => {
    expect(ours.get("newest hardfork")?.toLowerCase()).toMatch(new RegExp(`^${NEWEST_STABLE_HARDFORK},`));
    expect(ours.get("`trace_*` of Parity")).toBe("all");
    const names = methods.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        ...["trace_block", "trace_call", "trace_callMany", "trace_filter", "trace_get", "trace_rawTransaction"],
        ...["trace_replayBlockTransactions", "trace_replayTransaction", "trace_transaction"],
      ]),
    );
  });
});
