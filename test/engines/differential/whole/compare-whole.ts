/**
 * Compares whole transactions, of Amsterdam unless others are asked for, with EthereumJS' VM, which has its own code for everything around the
 * instructions: intrinsic gas, state gas, authorizations, refunds, logs of transfers, the gas of a block and its access list.
 *
 * The two engines of this project share that code, so they cannot check each other on it.
 */
import type { Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { ACCOUNT_BYTES, GAS_PER_STATE_BYTE, SLOT_BYTES } from "../../../../src/chainspec/hardforks/state-gas.ts";
import { TRANSACTION_GAS_CAP } from "../../../../src/chainspec/transaction/intrinsic-gas.ts";
import { FrameKind, isCreation } from "../../../../src/evm/frames.ts";
import { Op, startsFrame } from "../../../../src/evm/opcodes.ts";
import { BlockAccessListBuilder } from "../../../../src/executor/block-access-list.ts";
import { bytesKey } from "../../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { Recorder, type RecorderRequest } from "../../../../src/tracer/recorder.ts";
import { PrecompilePool } from "../random/precompile-pool.ts";
import { makeScenario, type Scenario } from "../random/scenario.ts";
import { runScenario } from "../run-scenario.ts";
import { NO_ACCESS_LIST, runInReferenceVm, type WholeRun, type WholeTransaction } from "./reference-vm.ts";

export interface WholeDifference {
  readonly seed: number;
  /** Of the scenario. */
  readonly number: number;
  /** Of the first transaction that differs; the number of transactions if only the state after them differs. */
  readonly index: number;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface WholeCounts {
  transactions: number;
  succeeded: number;
  /** Transactions that used state gas. */
  withStateGas: number;
  /** Scenarios that differ for a reason that docs/hardforks.md gives. */
  explained: number;
  readonly differences: WholeDifference[];
}

export interface WholeRunOptions {
  readonly seed: number;
  /** Number of the first scenario; default 0. */
  readonly first?: number;
  /** Transactions to run at least. */
  readonly transactions: number;
  /** Which take turns; by default Amsterdam alone. */
  readonly hardforks?: readonly Hardfork[];
  readonly onDifference?: (difference: WholeDifference) => void;
  /** Told after each scenario; true ends the run. */
  readonly onProgress?: (counts: WholeCounts) => boolean;
}

/** Compares the scenarios of a seed until so many transactions have run. */
export async function compareManyWhole(options: WholeRunOptions): Promise<WholeCounts> {
  const { seed, first = 0, transactions, hardforks = ["amsterdam"], onDifference, onProgress } = options;
  const pool = new PrecompilePool(seed);
  const counts: WholeCounts = { transactions: 0, succeeded: 0, withStateGas: 0, explained: 0, differences: [] };
  for (let number = first; counts.transactions < transactions; number++) {
    const scenario = makeScenario(seed, number, pool, hardforks);
    const difference = await compareScenario(
      scenario.hardfork === "amsterdam" ? withMoreGas(scenario) : scenario,
      counts,
    );
    if (difference !== undefined) {
      counts.differences.push(difference);
      onDifference?.(difference);
    }
    if (onProgress?.(counts) === true) break;
  }
  return counts;
}

/** Gives every third transaction gas above EIP-7825's cap, which pays only for state (EIP-8037). */
function withMoreGas(scenario: Scenario): Scenario {
  const transactions = scenario.transactions.map((tx, index) => {
    const turn = scenario.number + index;
    if (turn % 3 !== 0) return tx;
    return { ...tx, gasLimit: TRANSACTION_GAS_CAP + BigInt(turn % 2 === 0 ? turn % 1_000 : 1_000 * (turn % 997)) };
  });
  return { ...scenario, transactions };
}

async function compareScenario(scenario: Scenario, counts: WholeCounts): Promise<WholeDifference | undefined> {
  const { run: ours, recorders } = await runHere(scenario);
  const theirs = withUnpaidCodes(scenario, await runInReferenceVm(scenario), ours);
  counts.transactions += ours.transactions.length;
  counts.succeeded += ours.transactions.filter((tx) => tx?.succeeded === true).length;
  counts.withStateGas += ours.transactions.filter((tx) => tx !== undefined && tx.stateGas > 0n).length;
  const { seed, number } = scenario;
  const index = ours.transactions.findIndex((mine, at) => text(mine) !== text(theirs.transactions[at]));
  const isSameState = ours.stateRoot === theirs.stateRoot && ours.accessList === theirs.accessList;
  if (index === -1 && isSameState) return undefined;
  const place = index === -1 ? ours.transactions.length : index;
  // A transaction that differs changes what the next ones find.
  const isList = index === -1 && ours.stateRoot === theirs.stateRoot;
  const isKnown =
    scenario.hardfork === "amsterdam" &&
    (recorders.slice(0, place + 1).some(hasRefusedCreation) ||
      losesReservoir(scenario, index, ours, theirs, recorders) ||
      (isList && recorders.some(keepsBalanceOfDestroyed)) ||
      (isList && (undoesAuthorizations(scenario, ours) || (await createsInStaticFrame(scenario)))) ||
      (await drawsStateGas(scenario, place)));
  if (isKnown) {
    counts.explained++;
    return undefined;
  }
  if (isList) return { seed, number, index: place, ours: ours.accessList, theirs: theirs.accessList };
  if (index === -1) return { seed, number, index: place, ours: ours.stateRoot, theirs: theirs.stateRoot };
  return { seed, number, index, ours: ours.transactions[index], theirs: theirs.transactions[index] };
}

/**
 * In Frontier a creation that cannot pay for its code makes an account without code, and succeeds. EthereumJS makes it,
 * but says that the transaction failed, which no receipt before Byzantium (EIP-658) tells.
 */
function withUnpaidCodes({ hardfork, transactions }: Scenario, theirs: WholeRun, ours: WholeRun): WholeRun {
  if (hardfork !== "chainstart") return theirs;
  const ran = theirs.transactions.map((other, index) => {
    const isCreation = transactions[index]?.to === undefined;
    return other && isCreation && ours.transactions[index]?.succeeded ? { ...other, succeeded: true } : other;
  });
  return { ...theirs, transactions: ran };
}

/** EthereumJS charges for the account of a creation before it finds that the creation cannot begin. */
function hasRefusedCreation({ frames }: Recorder): boolean {
  return frames.some(
    ({ kind, error }) =>
      (kind === FrameKind.create || kind === FrameKind.create2) &&
      (error === "insufficientBalance" || error === "callTooDeep" || error === "nonceOverflow"),
  );
}

/**
 * EthereumJS has the address of a creation in the access list although the frame may not create. In execution-specs that
 * is checked before anything else.
 */
async function createsInStaticFrame(scenario: Scenario): Promise<boolean> {
  const { recorders } = await runHere(scenario, { steps: true });
  return recorders.some(({ steps, frames }) =>
    [...(steps ?? [])].some((buffer) =>
      Array.from({ length: buffer.length }, (_, row) => row).some(
        (row) => CREATIONS.has(buffer.opcode(row)) && frames[buffer.frame(row)]?.error === "staticStateChange",
      ),
    ),
  );
}

/**
 * EthereumJS lists no balance of an account that was created and destroyed in one transaction, although the account keeps
 * it (EIP-8246), as the state shows.
 */
function keepsBalanceOfDestroyed({ frames }: Recorder): boolean {
  const created = new Set(frames.filter(({ kind }) => isCreation(kind)).map(({ to }) => to && bytesKey(to)));
  return frames.some(({ selfDestruct }) => selfDestruct !== undefined && created.has(bytesKey(selfDestruct.address)));
}

/**
 * EthereumJS has the authorities of a transaction in the access list as changed, although its gas did not suffice for them
 * and all were undone, as the state shows (EIP-8037). EIP-7928 lists what has changed after the transaction.
 */
function undoesAuthorizations({ transactions }: Scenario, { transactions: ran }: WholeRun): boolean {
  return transactions.some(({ authorizations, gasLimit }, index) => {
    const { succeeded, gasUsed, stateGas } = ran[index] ?? { succeeded: true };
    return authorizations.length > 0 && !succeeded && gasUsed === gasLimit && stateGas === 0n;
  });
}

const CREATIONS: ReadonlySet<number> = new Set([Op.CREATE, Op.CREATE2]);

/**
 * EthereumJS takes the gas above the cap too, if a call lacks gas for its callee and the transaction then runs out of gas.
 * By EIP-8037 an exceptional halt does not consume the reservoir.
 */
function losesReservoir(
  { transactions }: Scenario,
  index: number,
  ours: WholeRun,
  theirs: WholeRun,
  recorders: readonly Recorder[],
): boolean {
  const [tx, recorder] = [transactions[index], recorders[index]];
  const [mine, other] = [ours.transactions[index], theirs.transactions[index]];
  if (tx === undefined || mine === undefined || other === undefined || recorder === undefined) return false;
  const ranOut = recorder.frames[0]?.error === "outOfGas" && mine.gasUsed === TRANSACTION_GAS_CAP;
  return ranOut && other.gasUsed === tx.gasLimit && !other.succeeded && hasCallWithoutGas(recorder);
}

function hasCallWithoutGas({ frames }: Recorder): boolean {
  return frames.some(
    ({ error, detail }) =>
      error === "outOfGas" && typeof detail === "object" && "opcode" in detail && startsFrame(detail.opcode),
  );
}

/**
 * Two differences that concern gas for state which a frame pays from its gas for running.
 *
 * EthereumJS computes the gas that a call may pass on (EIP-150) before it charges for the account that the call creates;
 * execution-specs and go-ethereum compute it from what is left after that charge. And if that gas comes back, EthereumJS
 * keeps it for state, where the others return it to where it was drawn from.
 */
async function drawsStateGas(scenario: Scenario, until: number): Promise<boolean> {
  const { run, recorders } = await runHere(scenario, { steps: true });
  return recorders.slice(0, until + 1).some(({ steps }, index) => {
    const [tx, ran] = [scenario.transactions[index], run.transactions[index]];
    const paysBefore = tx !== undefined && (tx.to === undefined || tx.value > 0n);
    if (ran?.succeeded === false && paysBefore) return true;
    let drawn = depositsOf(recorders[index]);
    for (const buffer of steps ?? []) {
      for (let row = 0; row < buffer.length; row++) {
        const opcode = buffer.opcode(row);
        if (!GROWING.has(opcode) || buffer.cost(row) < LEAST_STATE_PRICE) continue;
        drawn += opcode === Op.SSTORE ? SLOT_STATE_GAS : ACCOUNT_STATE_GAS;
        const left = buffer.gas(row) - buffer.cost(row);
        if (opcode === Op.CALL && buffer.forwarded(row) >= left - Math.floor(left / 64)) return true;
      }
    }
    return ran !== undefined && ran.stateGas < drawn;
  });
}

/** State gas of the codes that creations below the outermost frame deployed. */
function depositsOf(recorder: Recorder | undefined): bigint {
  const created = recorder?.frames
    .slice(1)
    .filter(({ kind, error }) => kind >= FrameKind.create && error === undefined);
  return (created ?? []).reduce((sum, { output }) => sum + BigInt((output?.length ?? 0) * GAS_PER_STATE_BYTE), 0n);
}

const GROWING: ReadonlySet<number> = new Set([Op.SSTORE, Op.CALL, Op.CREATE, Op.CREATE2]);
/** More than these opcodes cost without gas for state, if the memory is short. */
const LEAST_STATE_PRICE = 30_000;
const SLOT_STATE_GAS = BigInt(SLOT_BYTES * GAS_PER_STATE_BYTE);
const ACCOUNT_STATE_GAS = BigInt(ACCOUNT_BYTES * GAS_PER_STATE_BYTE);

function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}` : member)) ?? "";
}

async function runHere(
  scenario: Scenario,
  request?: RecorderRequest,
): Promise<{ readonly run: WholeRun; readonly recorders: readonly Recorder[] }> {
  const transactions: (WholeTransaction | undefined)[] = [];
  const recorders: Recorder[] = [];
  const list = new BlockAccessListBuilder();
  const stateRoot = await runScenario(
    "wasm",
    scenario,
    (index) => {
      const recorder = new Recorder(request);
      recorders[index] = recorder;
      return recorder;
    },
    (index, ran) => {
      const outcome = ran?.outcome;
      list.see(ran?.effects.seen() ?? []);
      for (const [at, write] of ran?.effects.writes.entries() ?? []) list.change(index + 1, ran?.before[at], write);
      transactions.push(
        outcome && {
          succeeded: outcome.error === undefined,
          gasUsed: outcome.gasUsed,
          blockGas: outcome.blockGas,
          stateGas: outcome.stateGasUsed,
          logs: outcome.logs.map(({ address, topics, data }) => [address, ...topics, data].map(encodeData).join(" ")),
        },
      );
    },
  );
  const accessList = scenario.hardfork === "amsterdam" ? encodeData(list.encode()) : NO_ACCESS_LIST;
  return { run: { transactions, stateRoot, accessList }, recorders };
}
