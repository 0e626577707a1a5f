/** Steps of a transaction as JSON. */
import { StepOutcome } from "../../../evm/frames.ts";
import type { SourceRange } from "../../../explain/source/source-file.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { InspectedStep, ListedStep, StepPart } from "../../../services/simulate/inspect/inspector.ts";
import { gethOpcodeName } from "../../../tracer/formats/geth-errors.ts";
import { arrayOf, BOOLEAN, INTEGER, named, object, orNull, TEXT } from "../../openrpc/json-schema.ts";
import { ADDRESS, DATA, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { Step as StepJson, StepPart as StepPartJson } from "../../wire-types.generated.ts";
import { encodeWord } from "./calls.ts";

const LISTED_STEP = {
  step: INTEGER,
  call: INTEGER,
  depth: INTEGER,
  pc: INTEGER,
  op: TEXT,
  gas: QUANTITY,
  gasCost: QUANTITY,
  isBroken: BOOLEAN,
  file: orNull(TEXT),
  line: orNull(INTEGER),
};

export const stepPartSchema = named("StepPart", () =>
  object({ stepCount: INTEGER, steps: arrayOf(object(LISTED_STEP)) }),
);

export const stepSchema = named("Step", () =>
  object({
    ...LISTED_STEP,
    stepCount: INTEGER,
    account: orNull(ADDRESS),
    codeAddress: orNull(ADDRESS),
    refund: QUANTITY,
    stack: arrayOf(QUANTITY),
    memory: DATA,
    memoryLength: INTEGER,
    returnData: DATA,
    storage: arrayOf(object({ slot: WORD, value: WORD })),
    source: arrayOf(object({ line: INTEGER, text: TEXT })),
  }),
);

/** Bytes of memory that are shown; `debug_traceTransaction` has the whole. */
const SHOWN_BYTES = 64 * 1024;
/** Lines of source around the one that a step stands at. */
const LINES_AROUND = 4;

/** Steps of a part, with the count of all. */
export function encodeStepPart({ total, steps }: StepPart): StepPartJson {
  return { stepCount: total, steps: steps.map(encodeListedStep) };
}

/** Memory and return data are cut; their lengths are those of the whole. */
export function encodeStep(step: InspectedStep): StepJson {
  const { steps, row, frame, machine, storage } = step;
  const memoryLength = steps.memoryBytes(row);
  return {
    ...encodeListedStep(step),
    stepCount: step.total,
    account: frame.account === undefined ? null : encodeData(frame.account),
    codeAddress: frame.to === undefined ? null : encodeData(frame.to),
    refund: encodeQuantity(steps.refund(row)),
    stack: machine.stack.map(encodeQuantity),
    memory: encodeData(machine.readMemory(0, Math.min(memoryLength, SHOWN_BYTES))),
    memoryLength,
    returnData: encodeData(machine.returnData.subarray(0, SHOWN_BYTES)),
    storage: storage.map(({ slot, value }) => ({ slot: encodeWord(slot), value: encodeWord(value) })),
    source: linesAround(step.range),
  };
}

function encodeListedStep({ number, steps, row, frame, range }: ListedStep): StepPartJson["steps"][number] {
  return {
    step: number,
    call: frame.index,
    depth: frame.depth,
    pc: steps.pc(row),
    op: gethOpcodeName(steps.opcode(row)),
    gas: encodeQuantity(steps.gas(row)),
    gasCost: encodeQuantity(steps.cost(row)),
    isBroken: steps.outcome(row) !== StepOutcome.done,
    file: range?.file.path ?? null,
    line: range?.file.positionOf(range.start).line ?? null,
  };
}

function linesAround(range: SourceRange | undefined): StepJson["source"] {
  if (range === undefined) return [];
  const { file, start } = range;
  const { line } = file.positionOf(start);
  const last = file.positionOf(file.length).line;
  const lines: StepJson["source"] = [];
  for (let at = Math.max(1, line - LINES_AROUND); at <= Math.min(last, line + LINES_AROUND); at++) {
    lines.push({ line: at, text: file.lineText(at) });
  }
  return lines;
}
