import { describe, expect, it } from "vitest";
import type { AccountAccess } from "../../../src/evm/engine.ts";
import { STEP_BYTES, STEP_WORDS, StepBuffer, StepWord } from "../../../src/evm/step-buffer.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import type { CallFrame, Recording } from "../../../src/tracer/recording.ts";
import { type Alteration, compareScenario } from "./compare.ts";
import { Counts } from "./counts.ts";
import { formatsOf } from "./formats.ts";
import { PrecompilePool } from "./random/precompile-pool.ts";
import { makeScenario } from "./random/scenario.ts";
import { type Ran, runScenario } from "./run-scenario.ts";
import { isSameRecording } from "./same-recording.ts";

const WRITES = Uint8Array.of(7, 8, 9);

/** Three steps with numbers of their own in every word; the last one wrote the last two bytes of {@link WRITES}. */
function steps(first = 0, end = 3): StepBuffer {
  const words = Uint32Array.from({ length: 3 * STEP_WORDS }, (_, index) => index);
  for (let row = 0; row < 3; row++) words[row * STEP_WORDS + StepWord.writeLength] = row === 2 ? 2 : 0;
  words[2 * STEP_WORDS + StepWord.writeStart] = 1;
  const bytes = new Uint8Array(words.buffer).slice(first * STEP_BYTES, end * STEP_BYTES);
  return new StepBuffer(first, bytes, WRITES.slice());
}

const FRAME = { index: 0, gasUsed: 5n, output: Uint8Array.of(1) } as unknown as CallFrame;
const ACCESS = { address: Uint8Array.of(1), slots: [Uint8Array.of(2)] };

function aRecording(changes: Partial<Recording> = {}): Recording {
  return { frames: [FRAME], steps: [steps()], accesses: [ACCESS], ...changes };
}

describe("recordings are the same", () => {
  it("wherever their buffers end", () => {
    expect(isSameRecording(aRecording(), aRecording({ steps: [steps(0, 1), steps(1)] }))).toBe(true);
  });

  it("only if no word of a step differs but the place of its write", () => {
    for (let place = 0; place < STEP_WORDS; place++) {
      const changed = steps();
      const at = STEP_WORDS + place;
      changed.words[at] = (changed.words[at] as number) + 1;
      const isSame = isSameRecording(aRecording(), aRecording({ steps: [changed] }));
      expect([place, isSame]).toEqual([place, place === StepWord.writeStart]);
    }
  });

  it("only if they wrote the same to memory", () => {
    const changed = steps();
    changed.writes[2] = 1;
    expect(isSameRecording(aRecording(), aRecording({ steps: [changed] }))).toBe(false);
    // No step wrote the first byte.
    const unread = steps();
    unread.writes[0] = 1;
    expect(isSameRecording(aRecording(), aRecording({ steps: [unread] }))).toBe(true);
  });

  it("only if neither has more steps, frames or accesses", () => {
    for (const less of [{ steps: [steps(0, 2)] }, { frames: [] }, { accesses: [] }]) {
      expect(isSameRecording(aRecording(), aRecording(less))).toBe(false);
      expect(isSameRecording(aRecording(less), aRecording())).toBe(false);
    }
    const frames = [{ ...FRAME, output: Uint8Array.of(2) }];
    expect(isSameRecording(aRecording(), aRecording({ frames }))).toBe(false);
  });
});

/** Its transactions have logs, failures with details, and accesses of slots. */
const SCENARIO = makeScenario(20_260_401, 9, new PrecompilePool(20_260_401));

/** Handed each transaction of {@link SCENARIO} that ran, with what was recorded of it. */
async function eachRecorded(
  told: (index: number, ran: Ran, recorder: Recorder) => Promise<void> | void,
): Promise<void> {
  const request = { logs: true, accesses: true, steps: true, memory: true };
  const recorders = SCENARIO.transactions.map(() => new Recorder(request));
  await runScenario(
    "wasm",
    SCENARIO,
    (index) => recorders[index],
    (index, ran) => (ran === undefined ? undefined : told(index, ran, recorders[index] as Recorder)),
  );
}

/** The parts of a recording that are compared, and no more: steps are in one buffer, with the bytes that they wrote. */
function comparedParts({ frames, accesses, steps }: Recording): Recording & { readonly accesses: AccountAccess[] } {
  const records: Uint8Array[] = [];
  const writes: Uint8Array[] = [];
  let written = 0;
  for (const buffer of (steps ?? []) as Iterable<StepBuffer>) {
    const words = new Uint32Array(buffer.bytes.slice().buffer);
    for (let row = 0; row < buffer.length; row++) {
      words[row * STEP_WORDS + StepWord.writeStart] = written;
      if (buffer.writeLength(row) === 0) continue;
      writes.push(buffer.written(row).slice());
      written += buffer.writeLength(row);
    }
    records.push(new Uint8Array(words.buffer));
  }
  const bytes = new Uint8Array(Buffer.concat(records));
  const all = new StepBuffer(0, bytes, new Uint8Array(Buffer.concat(writes)));
  return { frames: structuredClone(frames), accesses: structuredClone(accesses) as AccountAccess[], steps: [all] };
}

/** Changes each number, text, flag, absent value and byte string within a value, and takes each change back after a look. */
function eachChange(value: object, look: (path: string) => void, path = ""): number {
  let changes = 0;
  for (const [name, each] of Object.entries(value) as [never, unknown][]) {
    const here = `${path}.${name}`;
    const changed = otherThan(each);
    if (changed === undefined) changes += eachChange(each as object, look, here);
    else {
      value[name] = changed as never;
      look(here);
      value[name] = each as never;
      changes++;
    }
  }
  return changes;
}

function otherThan(value: unknown): unknown {
  if (value instanceof Uint8Array)
    return value.length === 0 ? Uint8Array.of(0) : value.map((byte, at) => byte ^ +(at === 0));
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return `${value}.`;
  return value === undefined || value === null ? 0 : undefined;
}

describe("of a transaction", () => {
  it("formats read nothing but what is compared", async () => {
    let formats = 0;
    await eachRecorded(async (index, ran, recorder) => {
      const tx = SCENARIO.transactions[index] as (typeof SCENARIO.transactions)[0];
      const parts = comparedParts(recorder);
      expect(isSameRecording(recorder, parts)).toBe(true);
      const texts = await formatsOf(SCENARIO, tx, ran, parts);
      expect(texts).toEqual(await formatsOf(SCENARIO, tx, ran, recorder));
      formats += texts.length;
    });
    expect(formats).toBeGreaterThan(10);
  });

  it("each value of frames and accesses is compared", async () => {
    let changes = 0;
    const members = new Set<string>();
    await eachRecorded((_, __, recorder) => {
      // Without steps, which have tests of their own above: a look takes less.
      const parts = { ...comparedParts(recorder), steps: [] };
      const other = comparedParts(recorder);
      const own = { ...other, steps: [] };
      changes += eachChange({ frames: own.frames, accesses: own.accesses }, (path) => {
        members.add(path.replaceAll(/\.\d+/g, ""));
        expect([path, isSameRecording(own, parts)]).toEqual([path, false]);
      });
      expect(isSameRecording(own, parts)).toBe(true);
    });
    expect(changes).toBeGreaterThan(100);
    for (const member of Object.keys(FRAME)) expect(members).toContain(`.frames.${member}`);
    const deep = [".frames.detail.opcode", ".frames.logs.topics", ".frames.logs.position", ".accesses.slots"];
    expect(deep.filter((member) => !members.has(member))).toEqual([]);
  });
});

describe("a comparison of the engines", () => {
  const isOther: Alteration = ({ frames: [first, ...others], ...rest }) => ({
    ...rest,
    frames: [{ ...(first as CallFrame), from: Uint8Array.of(...new Uint8Array(19), 1) }, ...others],
  });

  it.each([
    ...(["both", "one where recordings are the same", "samples where recordings are the same"] as const),
    "different recordings",
  ] as const)("shows in which formats recordings differ, with texts of %s", async (textsOf) => {
    expect(await compareScenario(SCENARIO, new Counts(), textsOf)).toEqual([]);
    const differences = await compareScenario(SCENARIO, new Counts(), textsOf, isOther);
    const formats = differences.map(({ what }) => what);
    expect(formats).toContain('flatCallTracer {"includePrecompiles":true}');
    expect(formats).toContain("erigon");
    expect(formats).not.toContain("outcome");
  });

  it("has the texts of one engine only where recordings are the same", async () => {
    const counts = new Counts();
    const textsOf = "one where recordings are the same";
    await compareScenario(SCENARIO, counts, textsOf);
    expect(counts.withTexts).toBe(0);
    await compareScenario(SCENARIO, counts, textsOf, isOther);
    expect(counts.withTexts).toBe(1);
  });
});
