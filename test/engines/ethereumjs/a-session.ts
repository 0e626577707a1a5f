/** Opens sessions of the reference engine on a state of a few accounts, and runs messages in transactions of their own. */
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { createEthereumJsEngine } from "../../../src/engines/ethereumjs/engine.ts";
import type {
  EngineSession,
  Message,
  MessageResult,
  Pace,
  SessionRequest,
  TransactionContext,
  TransactionEffects,
} from "../../../src/evm/engine.ts";
import type { EventSink } from "../../../src/evm/event-sink.ts";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import type { WorkingState } from "../../../src/state/working/working-state.ts";
import { aBlock, aState, SENDER, TARGET, type TestAccount } from "../../support/evm.ts";

const engine = createEthereumJsEngine();

/** A pace that never stops a run and never waits. */
const NO_PACE: Pace = { check: () => undefined };
/** Size limits of mainnet (EIP-170, EIP-3860). */
const SIZE_LIMITS = { maxCodeSize: 24_576, maxInitCodeSize: 49_152 };

/** A transaction of SENDER's that nobody listens to. */
export const QUIET: TransactionContext = { origin: SENDER, gasPrice: 1n, blobVersionedHashes: [] };

export interface TestSession {
  readonly session: EngineSession;
  readonly state: WorkingState;
}

/** A session on a state with SENDER and the given accounts, on mainnet's rules. */
export async function aSession(
  hardfork: Hardfork,
  accounts: readonly TestAccount[],
  overrides: Partial<SessionRequest> = {},
): Promise<TestSession> {
  const state = aState(accounts);
  const request = { state, block: aBlock(hardfork), chainId: 1n, pace: NO_PACE };
  return { session: await engine.open({ ...request, ...SIZE_LIMITS, ...overrides }), state };
}

/** A message of SENDER's to TARGET, with a million gas. */
export function aMessage(overrides: Partial<Message> = {}): Message {
  return {
    from: SENDER,
    to: TARGET,
    createdAddress: undefined,
    value: 0n,
    data: EMPTY_BYTES,
    gasLimit: 1_000_000n,
    stateGas: 0n,
    ...overrides,
  };
}

export interface TestRun extends TransactionEffects {
  readonly result: MessageResult;
}

/** Runs a message in a transaction of its own, and writes what it did to the state. */
export async function transact(
  { session, state }: TestSession,
  message: Partial<Message> = {},
  sink?: EventSink,
): Promise<TestRun> {
  session.begin({ ...QUIET, sink });
  const result = await session.run(aMessage(message));
  const effects = await session.end();
  state.apply(effects);
  return { result, ...effects };
}

/** Runs the code of TARGET, on a session of its own. */
export async function runTarget(
  hardfork: Hardfork,
  code: Uint8Array,
  { accounts = [], message, sink }: TargetRun = {},
): Promise<TestRun & TestSession> {
  const opened = await aSession(hardfork, [{ address: TARGET, code, balance: 1000n, nonce: 1n }, ...accounts]);
  return { ...(await transact(opened, message, sink)), ...opened };
}

export interface TargetRun {
  readonly accounts?: readonly TestAccount[];
  readonly message?: Partial<Message>;
  readonly sink?: EventSink;
}

/** Writes by address, in words. */
export function describeWrites({ writes }: Pick<TransactionEffects, "writes">): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    writes.map(({ address, isDeleted, nonce, balance, code, slots }) => [
      encodeData(address),
      isDeleted
        ? "deleted"
        : {
            nonce,
            balance,
            ...(code === undefined ? {} : { code: encodeData(code) }),
            ...(slots.length === 0
              ? {}
              : { slots: slots.map(({ slot, value }) => [Number(encodeData(slot)), encodeData(value)]) }),
          },
    ]),
  );
}
