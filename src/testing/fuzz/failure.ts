/** A failing sequence as text: its calls by name, the trace of the last, and a test of it to paste. */
import type { AbiValue } from "../../explain/abi/coder.ts";
import { describeRevert } from "../../explain/abi/describe-revert.ts";
import { formatArguments, formatInteger } from "../../explain/abi/format-value.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import type { WholeCall } from "./calls.ts";
import type { Outcome } from "./chain-runner.ts";
import type { Targets } from "./functions.ts";
import type { Violation } from "./invariants.ts";
import type { FuzzCall } from "./options.ts";

/** Thrown for a sequence of calls that broke an invariant. Its message shows all that there is to see. */
export class FuzzFailure extends Error {
  /** Name of the invariant; undefined if the last call failed in a way that `failOn` names. */
  readonly invariant: string | undefined;
  /** The shortest sequence that was found. */
  readonly calls: readonly FuzzCall[];

  /** @internal */
  constructor(message: string, { invariant, error }: Violation, calls: readonly FuzzCall[]) {
    super(message, error === undefined ? undefined : { cause: error });
    this.name = "FuzzFailure";
    this.invariant = invariant;
    this.calls = calls;
  }
}

/** A sequence that was executed, on the node that it was executed on. */
export interface ExecutedSequence {
  readonly node: HindcastNode;
  readonly targets: Targets;
  readonly calls: readonly WholeCall[];
  readonly outcomes: readonly Outcome[];
  readonly violation: Violation;
}

/**
 * The message of a failure.
 *
 * @param found - how it was found, for the first line; undefined for a replay, which needs no test to paste
 */
export async function failureText(executed: ExecutedSequence, found: string | undefined): Promise<string> {
  const { node, calls, outcomes, violation } = executed;
  const hash = outcomes.at(-1)?.hash;
  const count = `${calls.length} ${calls.length === 1 ? "call" : "calls"}`;
  const what = violation.invariant === undefined ? "The last call failed" : `"${violation.invariant}" does not hold`;
  const parts = [
    `${what} after ${count}${found === undefined ? "" : ` (${found})`}.${reasonOf(violation)}`,
    calls.map((call, index) => `  ${index + 1}. ${callText(executed, call, outcomes[index])}`).join("\n"),
    hash === undefined ? "" : `The last call:\n\n${indented(await node.renderTrace(hash))}`,
    found === undefined ? "" : `A test of it:\n\n${indented(testText(violation, calls))}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function reasonOf({ error }: Violation): string {
  if (error === undefined) return "";
  return ` ${error instanceof Error ? error.message : String(error)}`;
}

function callText({ node, targets }: ExecutedSequence, call: WholeCall, outcome: Outcome | undefined): string {
  const { item } = targets.requireFunction(call.target, call.function);
  const values = item.inputs.map((parameter, index) => ({ parameter, value: call.args[index] }));
  const wait = call.delay === 0n ? "" : `${call.delay} s later: `;
  const value = call.value === 0n ? "" : ` with ${formatInteger(call.value)} wei`;
  const text = `${wait}${call.target}.${item.name}(${formatArguments(values, true)}) from ${call.from}${value}`;
  if (outcome === undefined || outcome.status === "succeeded") return text;
  const reason =
    outcome.status === "refused" ? new TextDecoder().decode(outcome.output) : describeRevert(outcome.output, node.abi);
  return `${text} ✗ ${outcome.status}${reason === "" ? "" : `: ${reason}`}`;
}

function testText({ invariant }: Violation, calls: readonly WholeCall[]): string {
  const title = invariant ?? calls.map((call) => call.function).join(", ");
  const rows = calls.map((call) => `    ${callSource(call)},\n`).join("");
  return `it(${JSON.stringify(title)}, async () => {\n  await replay(node, options, [\n${rows}  ]);\n});`;
}

/** TypeScript of a call, without the members that have their default. */
function callSource({ target, function: name, args, from, value, delay }: WholeCall): string {
  const members = [
    `target: ${JSON.stringify(target)}`,
    `function: ${JSON.stringify(name)}`,
    ...(args.length === 0 ? [] : [`args: ${valueSource(args)}`]),
    `from: ${JSON.stringify(from)}`,
    ...(value === 0n ? [] : [`value: ${value}n`]),
    ...(delay === 0n ? [] : [`delay: ${delay}n`]),
  ];
  return `{ ${members.join(", ")} }`;
}

function valueSource(value: AbiValue): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Uint8Array) return `Uint8Array.of(${value.join(", ")})`;
  return Array.isArray(value) ? `[${value.map(valueSource).join(", ")}]` : JSON.stringify(value);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
