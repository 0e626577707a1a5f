/** Compares what two engines made of the same transaction, and knows which differences are excused. */
import { StepOutcome } from "../../../src/evm/frames.ts";
import { Op, startsFrame } from "../../../src/evm/opcodes.ts";
import type { Story, StoryEnd, StoryEvent, StoryResult, StoryStep } from "./story.ts";

/** Differences that an engine's documentation names; `docs/engines.md` says why each is there. */
export type Excuse =
  /** SSTORE in a static frame: EthereumJS refuses it without a price, so that gas may have run out before. */
  | "staticStore"
  /** A call that cannot be paid to an account that was warm in a frame that was reverted. */
  | "coldAgain"
  /** EthereumJS has forgotten how much init code was too much, where it was not listened to. */
  | "initCodeSize"
  /** Without gas left, SSTORE's sentry cannot be told from a price, where EthereumJS was not listened to. */
  | "gaslessStore"
  /** The executor's prices of memory beyond any gas limit are not exact. */
  | "hugePrice"
  /** The executor calls every call a change of state that cannot be paid in a static frame, with value or without. */
  | "staticCall";

export interface Comparison {
  /** The first difference that is not excused, with its path and both sides; undefined where there is none. */
  readonly difference: string | undefined;
  readonly excused: ReadonlySet<Excuse>;
}

const COLD_SURCHARGE = 2500;
/** What 2 GiB of memory cost, in gas. */
const HUGE_PRICE = 8e12;

/** Compares two stories of one transaction, of EthereumJS' engine first where it is one of them. */
export function compareStories(left: Story, right: Story): Comparison {
  const excused = new Set<Excuse>();
  const excusedFrames = new Set<number>();
  const steps = right.steps.map((step, index) => {
    const other = left.steps[index];
    const excuse = other && excuseStep(other, step);
    if (other === undefined || excuse === undefined) return step;
    excused.add(excuse);
    if (excuse === "staticStore") excusedFrames.add(step.frame);
    const { cost, outcome, refund } = other;
    return excuse === "staticStore" ? { ...step, cost, outcome, refund } : { ...step, cost };
  });
  const ends = frameNumbers(right.events);
  const events = right.events.map((event, index) => {
    const other = left.events[index];
    if (event.event !== "exit" || other?.event !== "exit") return event;
    const isExcused = excusedFrames.has(ends.get(index) ?? -1);
    const isStaticCall = !isExcused && isOfStaticCall(other.end, event.end);
    if (isExcused && event.end.error !== other.end.error) excused.add("staticStore");
    if (isStaticCall) excused.add("staticCall");
    if (!isExcused && !isStaticCall) return event;
    return { ...event, end: { ...event.end, error: other.end.error, detail: other.end.detail } };
  });
  const excuse = excuseDetail(left.result, right.result);
  if (excuse !== undefined) excused.add(excuse);
  const result = excuse === undefined ? right.result : { ...right.result, detail: left.result.detail };
  return { difference: firstDifference(left, { ...right, result, steps, events }), excused };
}

function excuseStep(left: StoryStep, right: StoryStep): Excuse | undefined {
  if (left.opcode !== right.opcode || left.cost === right.cost) return undefined;
  if (left.opcode === Op.SSTORE && left.outcome === StepOutcome.failed) return "staticStore";
  const surcharge = right.cost - left.cost;
  const isUnpaid = left.outcome === StepOutcome.outOfGas && right.outcome === StepOutcome.outOfGas;
  if (isUnpaid && right.cost > HUGE_PRICE) return "hugePrice";
  const isCall = startsFrame(left.opcode) && left.opcode !== Op.CREATE && left.opcode !== Op.CREATE2;
  return isUnpaid && isCall && (surcharge === COLD_SURCHARGE || surcharge === 2 * COLD_SURCHARGE)
    ? "coldAgain"
    : undefined;
}

function excuseDetail(left: StoryResult, right: StoryResult): Excuse | undefined {
  if (left.error === "initCodeSizeExceeded" && left.detail === undefined && right.detail !== undefined) {
    return "initCodeSize";
  }
  const [cause, other] = [left.detail, right.detail].map((detail) => (detail && "cause" in detail ? detail.cause : ""));
  return cause === undefined && other === "reentrancySentry" ? "gaslessStore" : undefined;
}

function isOfStaticCall(left: StoryEnd, right: StoryEnd): boolean {
  if (left.error !== "outOfGas" || right.error !== "outOfGas") return false;
  if (left.detail === undefined || right.detail === undefined) return false;
  return "opcode" in left.detail && "opcode" in right.detail && startsFrame(left.detail.opcode)
    ? left.detail.cause === undefined && right.detail.cause === "staticFrame"
    : false;
}

/** Numbers of the frames that end at the exits among some events, by place. */
function frameNumbers(events: readonly StoryEvent[]): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  const open: number[] = [];
  let count = 0;
  events.forEach(({ event }, index) => {
    if (event === "refuse") count++;
    if (event === "enter") open.push(count++);
    if (event === "exit") numbers.set(index, open.pop() ?? -1);
  });
  return numbers;
}

/** Where two plain values differ first, with both sides; undefined where they are equal. */
export function firstDifference(left: unknown, right: unknown, path = ""): string | undefined {
  if (Object.is(left, right)) return undefined;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return `${path}: ${show(left)} / ${show(right)}`;
  }
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) {
    const at = left.findIndex((item, index) => firstDifference(item, right[index]) !== undefined);
    const index = at < 0 ? left.length : at;
    const lengths = `${left.length} / ${right.length}`;
    return `${path}.length: ${lengths}, from ${index} on: ${show(left[index])} / ${show(right[index])}`;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const member = (value: object): unknown => (value as Record<string, unknown>)[key];
    const found = firstDifference(member(left), member(right), `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member));
  return text ?? "undefined";
}
