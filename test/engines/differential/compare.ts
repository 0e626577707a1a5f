/** Runs scenarios on both engines and finds where they differ. */
import type { EngineName } from "../../../src/evm/engine.ts";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { compareLongBytes, toUtf8 } from "../../../src/primitives/platform/encodings.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import type { Recording } from "../../../src/tracer/recording.ts";
import { Counts, count } from "./counts.ts";
import { formatsOf, type NamedText } from "./formats.ts";
import { faultIn, withListedMembers } from "./listed.ts";
import type { Scenario } from "./random/scenario.ts";
import { type Ran, runScenario } from "./run-scenario.ts";
import { isSameRecording } from "./same-recording.ts";

/** A transaction in which the engines differ, and not by what docs/engines.md lists. */
export interface Difference {
  readonly seed: number;
  readonly number: number;
  /** Index of the transaction in its scenario; -1 for the state behind all of them. */
  readonly index: number;
  readonly what: string;
  readonly wasm: string;
  readonly ethereumjs: string;
}

interface Recorded {
  readonly ran: Ran | undefined;
  readonly recording: Recording;
}

const RECORD_ALL = { logs: true, accesses: true, steps: true, memory: true };

/**
 * The texts that are made: of both engines' recordings, of both where they are not the same in every member and of the WASM
 * engine's elsewhere, or only of recordings that are not the same. Of the same recordings formats make the same texts: see
 * {@link isSameRecording}. With samples, these are made as well in some scenarios: of both engines', or of one.
 */
export type TextsOf =
  | "both"
  | "one where recordings are the same"
  | "samples where recordings are the same"
  | "different recordings";

/**
 * Of so many scenarios one has both engines' texts all the same, so that this comparison, too, is seen to work. Prime, so
 * that each hardfork is met.
 */
const SAMPLED_EVERY = 29;
/** Of so many samples have one engine's texts, so that formats meet random transactions that they could fail on. Prime, too. */
const MADE_EVERY = 5;

/** What is made of a scenario where samples are. */
function sampleOf({ number }: Scenario): TextsOf {
  if (number % SAMPLED_EVERY === 0) return "both";
  return number % MADE_EVERY === 0 ? "one where recordings are the same" : "different recordings";
}

/** Changes what EthereumJS' engine recorded: for tests that a comparison finds it. */
export type Alteration = (recording: Recording) => Recording;

/** Runs a scenario on both engines, recorded and unrecorded, and lists the differences. */
export async function compareScenario(
  scenario: Scenario,
  counts: Counts,
  textsOf: TextsOf = "both",
  alter: Alteration = (recording) => recording,
): Promise<readonly Difference[]> {
  if (textsOf === "samples where recordings are the same") {
    return compareScenario(scenario, counts, sampleOf(scenario), alter);
  }
  if (textsOf === "different recordings") {
    const quick = new Counts();
    const { isSame } = await compareOnce(scenario, quick, "none", alter);
    if (isSame) {
      counts.addPlain(quick.toJSON());
      return [];
    }
    counts.withTexts++;
  }
  const isOneEnough = textsOf === "one where recordings are the same" && scenario.number % SAMPLED_EVERY !== 0;
  const { differences, isSame } = await compareOnce(scenario, counts, isOneEnough ? "needed" : "both", alter);
  if (isOneEnough && !isSame) counts.withTexts++;
  return differences;
}

async function compareOnce(
  scenario: Scenario,
  counts: Counts,
  texts: "none" | "needed" | "both",
  alter: Alteration,
): Promise<{ readonly differences: readonly Difference[]; readonly isSame: boolean }> {
  const { seed, number, hardfork, transactions } = scenario;
  let isSame = true;
  const differences: Difference[] = [];
  const report = (index: number, what: string, wasm: unknown, ethereumjs: unknown): void => {
    const [left, right] = [show(wasm), show(ethereumjs)];
    const from = Math.max(0, firstDifference(left, right) - 200);
    const part = { wasm: left.slice(from, from + 400), ethereumjs: right.slice(from, from + 400) };
    differences.push({ seed, number, index, what, ...part });
  };
  counts.scenarios++;
  const ofWasm: (Recorded & { readonly texts: readonly NamedText[] })[] = [];
  const refused = number % 2 === 1;
  const wasmRoot = await recordScenario("wasm", scenario, refused, async (index, { ran, recording }) => {
    const tx = transactions[index];
    const hasTexts = texts !== "none" && ran !== undefined && tx !== undefined;
    const made = !hasTexts ? [] : await formatsOf(scenario, tx, ran, recording);
    ofWasm.push({ ran, recording, texts: made });
    if (ran === undefined) counts.rejected++;
    else counts.add(hardfork, ran.outcome.error === undefined, recording);
  });
  // A fault of EthereumJS' was met, and the states differ.
  let isTainted = false;
  const otherRoot = await recordScenario("ethereumjs", scenario, refused, async (index, { ran, recording }) => {
    const own = ofWasm[index];
    const tx = transactions[index];
    if (own?.ran === undefined || ran === undefined || tx === undefined) {
      if (own?.ran !== ran) report(index, "rejection", own?.ran === undefined, ran === undefined);
      return;
    }
    const fault = isTainted ? undefined : faultIn(own.recording, hardfork);
    if (fault !== undefined) {
      count(counts.listed, fault);
      isTainted = true;
    }
    if (isTainted) return;
    const made = withListedMembers(
      { outcome: own.ran.outcome, recording: own.recording },
      { outcome: ran.outcome, recording },
    );
    const { listed, outcome } = made;
    const patched = alter(made.recording);
    for (const name of listed) count(counts.listed, name);
    compareRuns(own.ran, { ...ran, outcome }, (what, left, right) => report(index, what, left, right));
    // Formats read outcomes and states as well, whose differences compareRuns reports.
    const isSameHere = texts !== "both" && isSameRecording(own.recording, patched) && differences.length === 0;
    isSame &&= isSameHere;
    if (texts === "none" || isSameHere) return;
    const others = await formatsOf(scenario, tx, { ...ran, outcome }, patched);
    compareTexts(own.texts, others, (what, left, right) => report(index, what, left, right));
  });
  if (wasmRoot !== otherRoot && !isTainted) report(-1, "state root", wasmRoot, otherRoot);
  await compareUnheard(
    scenario,
    ofWasm.map(({ ran }) => ran),
    wasmRoot,
    report,
  );
  return { differences, isSame: isSame && differences.length === 0 };
}

type Report = (index: number, what: string, wasm: unknown, ethereumjs: unknown) => void;

/** The WASM engine goes ways of its own where nobody listens: what it does must be the same. */
async function compareUnheard(
  scenario: Scenario,
  heard: readonly (Ran | undefined)[],
  heardRoot: string,
  report: Report,
): Promise<void> {
  const root = await runScenario(
    "wasm",
    scenario,
    () => undefined,
    (index, ran) => {
      const other = heard[index];
      if (other === undefined || ran === undefined) {
        if (other !== ran)
          report(index, "rejection (nobody listens, recorded)", ran === undefined, other === undefined);
        return;
      }
      compareRuns(ran, other, (what, left, right) => report(index, `${what} (nobody listens, recorded)`, left, right));
    },
  );
  if (root !== heardRoot) report(-1, "state root (nobody listens, recorded)", root, heardRoot);
}

async function recordScenario(
  engine: EngineName,
  scenario: Scenario,
  refusedAccesses: boolean,
  each: (index: number, recorded: Recorded) => Promise<void>,
): Promise<string> {
  const recorders = scenario.transactions.map(() => new Recorder({ ...RECORD_ALL, refusedAccesses }));
  return runScenario(
    engine,
    scenario,
    (index) => recorders[index],
    (index, ran) => each(index, { ran, recording: recorders[index] as Recorder }),
  );
}

function compareRuns(wasm: Ran, other: Ran, report: (what: string, wasm: unknown, other: unknown) => void): void {
  for (const what of ["outcome", "changes", "accesses"] as const) {
    // The delegate of the outermost call stays warm if the call fails, which has no effect.
    if (what === "accesses" && wasm.outcome.error !== undefined) continue;
    const [left, right] = [show(wasm[what]), show(other[what])];
    if (left !== right) report(what, left, right);
  }
}

function compareTexts(
  wasm: readonly NamedText[],
  other: readonly NamedText[],
  report: (what: string, wasm: string, other: string) => void,
): void {
  wasm.forEach(({ format, text }, index) => {
    const second = other[index]?.text ?? EMPTY_BYTES;
    if (compareLongBytes(text, second) !== 0) report(format, toUtf8(text), toUtf8(second));
  });
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}

function show(value: unknown): string {
  if (typeof value === "string") return value;
  return (
    JSON.stringify(value, (name, each: unknown) => {
      // It is that of whenever it was last computed.
      if (name === "storageRoot") return undefined;
      if (typeof each === "bigint") return `${each}n`;
      return each instanceof Uint8Array ? Buffer.from(each).toString("hex") : each;
    }) ?? "undefined"
  );
}
