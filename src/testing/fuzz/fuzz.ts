/**
 * `hindcast/fuzz`: stateful fuzzing. It calls contracts in random sequences and checks invariants after each call.
 *
 * fast-check makes the sequences and shortens one that fails. They run on a branch of the node, which stays as it is.
 */

import fc from "fast-check";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { constantsOf } from "../../explain/storage/code-constants.ts";
import type { HindcastNode } from "../../node/hindcast-node.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { wholeCall } from "./calls.ts";
import { type BrokenBy, ChainRunner } from "./chain-runner.ts";
import { FuzzFailure, failureText } from "./failure.ts";
import { Targets } from "./functions.ts";
import type { FuzzCall, FuzzOptions, FuzzReport } from "./options.ts";
import { type Sequence, Sequences } from "./sequences.ts";
import { StoredSequences } from "./stored-sequences.ts";

const ZERO_ADDRESS: Hex = `0x${"00".repeat(20)}`;
const ETHER = 10n ** 18n;
const DAY = 86_400n;
const DEFAULTS = { runs: 1_000, maxCalls: 20, timeoutMs: 20_000, maxValue: 100n * ETHER, maxDelay: 400n * DAY };
const DEFAULT_SENDERS = 3;

/**
 * Looks for a sequence of calls that breaks an invariant. Returns if it finds none in the runs and the time that it has.
 *
 * @param node - its chain is where each sequence begins; it is not changed
 * @throws {FuzzFailure} with the shortest such sequence, and a test of it to paste
 * @throws {InvalidParamsError} `INVALID_ABI`, `INVALID_OPTION`
 */
export async function fuzz(node: HindcastNode, options: FuzzOptions): Promise<FuzzReport> {
  const targets = new Targets(options.targets);
  const { seed = Math.trunc(Math.random() * 2 ** 31) } = options;
  const stored = new StoredSequences(options.file, options.name ?? Object.keys(options.targets).join(", "));
  return onBranch(node, async (branch) => {
    const sequences = await sequencesOf(branch, targets, options);
    const onNewCode = (calls: Sequence): void => sequences.keep(calls);
    const runner = await ChainRunner.open({ node: branch, targets, options, onNewCode });
    await requireStart(runner);
    const { broken, runs, firstLength } = await search(runner, sequences, { options, seed, stored });
    if (broken === undefined) return { runs, calls: runner.calls, blocks: branch.coverage.blocks, seed };
    stored.add(broken.calls);
    throw await failureOf(runner, targets, broken, `run ${runs} of seed ${seed}, shortened from ${firstLength}`);
  });
}

/**
 * Executes one sequence of calls on a branch of the node, and checks the invariants after each.
 *
 * @param options - those of {@link fuzz}; `targets`, `invariants`, `failOn` and `gasLimit` count
 * @throws {FuzzFailure} if the sequence breaks an invariant
 * @throws {InvalidParamsError} `INVALID_ABI`, `INVALID_OPTION`
 */
export async function replay(node: HindcastNode, options: FuzzOptions, calls: readonly FuzzCall[]): Promise<void> {
  const targets = new Targets(options.targets);
  await onBranch(node, async (branch) => {
    const runner = await ChainRunner.open({ node: branch, targets, options, onNewCode: () => undefined });
    const broken = await runner.run(calls.map(wholeCall));
    if (broken !== undefined) throw await failureOf(runner, targets, broken, undefined);
  });
}

async function onBranch<Result>(node: HindcastNode, run: (branch: HindcastNode) => Promise<Result>): Promise<Result> {
  const branch = await node.branch();
  try {
    return await run(branch);
  } finally {
    await branch.close();
  }
}

/** Executes the sequence once more for the text. */
async function failureOf(
  runner: ChainRunner,
  targets: Targets,
  { calls, violation }: BrokenBy,
  found: string | undefined,
): Promise<FuzzFailure> {
  const outcomes = await runner.replay(calls);
  const text = await failureText({ node: runner.node, targets, calls, outcomes, violation }, found);
  return new FuzzFailure(text, violation, calls);
}

/** The parts of sequences: functions, senders, and the constants of the targets' code. */
async function sequencesOf(node: HindcastNode, targets: Targets, options: FuzzOptions): Promise<Sequences> {
  const accounts = node.accounts.slice(0, DEFAULT_SENDERS).map(({ address }) => encodeData(address));
  const { senders = accounts } = options;
  const { maxValue, maxDelay, maxCalls } = { ...DEFAULTS, ...options };
  const functions = targets.called;
  if (functions.length === 0) throw invalid("The targets have no functions to call.");
  if (senders.length === 0) throw invalid("There are no senders.");
  const codes = await Promise.all(targets.all.map(({ address }) => node.getCode(address)));
  const addresses = [...senders, ...targets.all.map(({ address }) => encodeData(address)), ZERO_ADDRESS];
  const sources = { senders, addresses, constants: constantsOf(codes), maxValue, maxDelay };
  return new Sequences(functions, sources, maxCalls);
}

async function requireStart(runner: ChainRunner): Promise<void> {
  const violation = await runner.checkStart();
  if (violation === undefined) return;
  const { error } = violation;
  const reason = error instanceof Error ? ` ${error.message}` : "";
  throw new FuzzFailure(`"${violation.invariant}" does not hold before the first call.${reason}`, violation, []);
}

interface Search {
  readonly options: FuzzOptions;
  readonly seed: number;
  readonly stored: StoredSequences;
}

interface SearchResult {
  /** The shortest sequence that failed. */
  readonly broken: BrokenBy | undefined;
  readonly runs: number;
  /** Calls of the first sequence that failed. */
  readonly firstLength: number;
}

/** Stored sequences run first. Of a sequence that fails, shorter and simpler ones are tried. */
async function search(
  runner: ChainRunner,
  sequences: Sequences,
  { options, seed, stored }: Search,
): Promise<SearchResult> {
  const { runs: numRuns, timeoutMs } = { ...DEFAULTS, ...options };
  const known = stored.read().filter((sequence) => sequences.canShrinkWithoutContext(sequence));
  let broken: BrokenBy | undefined;
  let firstLength = 0;
  let deadline = performance.now() + timeoutMs;
  const property = fc.asyncProperty(sequences, async (calls) => {
    if (performance.now() > deadline) throw new fc.PreconditionFailure(true);
    const found = await runner.run(calls);
    if (found === undefined) return;
    if (broken === undefined) {
      firstLength = found.calls.length;
      deadline = performance.now() + timeoutMs;
    }
    broken = found;
    throw new Error("An invariant does not hold.");
  });
  const examples = known.map((sequence): [Sequence] => [sequence]);
  const { numRuns: runs } = await fc.check(property, { numRuns: numRuns + known.length, seed, examples });
  return { broken, runs, firstLength };
}

function invalid(what: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what, fix: "See docs/fuzzing.md." });
}

export type { FuzzCall, FuzzFailure, FuzzOptions, FuzzReport };
