/** Finds which row of docs/amsterdam.md explains that a scenario of Amsterdam ends another way in EthereumJS' VM. */
import { ACCOUNT_BYTES, GAS_PER_STATE_BYTE, SLOT_BYTES } from "../../../../src/chainspec/hardforks/state-gas.ts";
import { TRANSACTION_GAS_CAP } from "../../../../src/chainspec/transaction/intrinsic-gas.ts";
import { FrameKind, isCreation } from "../../../../src/evm/frames.ts";
import { Op, startsFrame } from "../../../../src/evm/opcodes.ts";
import { bytesKey } from "../../../../src/primitives/bytes/bytes.ts";
import type { Recorder } from "../../../../src/tracer/recorder.ts";
import type { Scenario } from "../random/scenario.ts";
import { runHere } from "./own-run.ts";
import type { WholeRun } from "./reference-vm.ts";

/** Rows of docs/amsterdam.md in which EthereumJS is another way. */
export type Reason =
  | "creation that cannot begin"
  | "gas for state of a failed transaction"
  | "balance of an account created and destroyed"
  | "undone authorizations"
  | "creation in a static frame"
  | "state paid from gas for running";

/** A scenario that differs. */
export interface Differing {
  readonly scenario: Scenario;
  /** Of the first transaction that differs; -1 if only what is behind them does. */
  readonly index: number;
  readonly ours: WholeRun;
  readonly theirs: WholeRun;
  readonly recorders: readonly Recorder[];
  readonly isAmple: boolean;
}

/** The row of docs/amsterdam.md that explains a difference, if there is one. */
export async function reasonOf(differing: Differing): Promise<Reason | undefined> {
  const { scenario, index, ours, theirs, recorders, isAmple } = differing;
  if (scenario.hardfork !== "amsterdam") return undefined;
  // A transaction that differs changes what the next ones find.
  const last = index === -1 ? ours.transactions.length : index;
  if (recorders.slice(0, last + 1).some(hasRefusedCreation)) return "creation that cannot begin";
  if (losesReservoir(differing)) return "gas for state of a failed transaction";
  if (index === -1 && ours.stateRoot === theirs.stateRoot) {
    if (recorders.some(keepsBalanceOfDestroyed)) return "balance of an account created and destroyed";
    if (undoesAuthorizations(scenario, ours)) return "undone authorizations";
    if (await createsInStaticFrame(scenario)) return "creation in a static frame";
  }
  return !isAmple && (await drawsStateGas(scenario, last)) ? "state paid from gas for running" : undefined;
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
function losesReservoir({ scenario, index, ours, theirs, recorders }: Differing): boolean {
  const [tx, recorder] = [scenario.transactions[index], recorders[index]];
  const [mine, other] = [ours.transactions[index], theirs.transactions[index]];
  if (tx === undefined || mine === undefined || other === undefined || recorder === undefined) return false;
  // Gas for the accounts of authorizations stays paid, although the transaction fails.
  const takesAllBelowCap = mine.gasUsed === TRANSACTION_GAS_CAP + mine.stateGas;
  const ranOut = recorder.frames[0]?.error === "outOfGas" && takesAllBelowCap;
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
