/** A state, a block and an engine for tests that run code without a chain. */
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis/genesis.ts";
import { HARDFORKS, type Hardfork, isAtLeast } from "../../src/chainspec/hardforks/hardforks.ts";
import type { TransactionFields } from "../../src/chainspec/transaction/transaction-fields.ts";
import type {
  BlockContext,
  Engine,
  EngineName,
  EngineSession,
  Message,
  MessageResult,
  PrecompileTable,
  TransactionContext,
} from "../../src/evm/engine.ts";
import type { EventSink } from "../../src/evm/event-sink.ts";
import type { ExecutionLimits } from "../../src/executor/clock.ts";
import { Executor } from "../../src/executor/executor.ts";
import { openEngine } from "../../src/node/engines.ts";
import { createAddress } from "../../src/primitives/address.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../src/primitives/hash/hash.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import type { WorkingState } from "../../src/state/working/working-state.ts";
import { Recorder, type RecorderRequest } from "../../src/tracer/recorder.ts";

/** An address of one repeated byte. */
export function addressOf(byte: number): Bytes {
  return new Uint8Array(20).fill(byte);
}

export const SENDER = addressOf(0xaa);
export const TARGET = addressOf(0xbb);
export const COINBASE = addressOf(0xc0);

export const spec = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} }));

/** Hardforks that EthereumJS knows. */
export const REFERENCE_HARDFORKS: readonly Hardfork[] = HARDFORKS.filter((name) => isAtLeast("amsterdam", name));

/** Hardforks that change what opcodes do or cost, and that both engines know. */
export const OPCODE_HARDFORKS: readonly Hardfork[] = REFERENCE_HARDFORKS.filter(
  (name) => !/^(?:muirGlacier|arrowGlacier|grayGlacier|bpo\d)$/.test(name),
);

/** For tables over hardforks in default tests: the oldest, those whose rules of calls, state or gas change most, the newest. */
export const SELECTED_HARDFORKS: ReadonlySet<string> = new Set([
  ...["chainstart", "tangerineWhistle", "spuriousDragon", "byzantium", "constantinople", "istanbul", "berlin"],
  ...["london", "paris", "cancun", "osaka", "amsterdam"],
]);

/**
 * Those in which the gas of a frame is what its operations have. From Amsterdam on the state that they grow is paid from
 * gas beside it (EIP-8037).
 */
export const HARDFORKS_OF_ONE_GAS = OPCODE_HARDFORKS.filter((name) => !isAtLeast(name, "amsterdam"));

export interface TestAccount {
  readonly address: Bytes;
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Bytes;
  readonly storage?: readonly (readonly [slot: bigint, value: bigint])[];
}

/** A state with the given accounts; the sender has 100 ether, and its nonce is bumped already. */
export function aState(accounts: readonly TestAccount[] = []): WorkingState {
  const state = new StateDatabase({ getTrieNode: () => undefined, getCode: () => undefined }).empty();
  for (const account of [{ address: SENDER, balance: 10n ** 20n, nonce: 1n }, ...accounts]) addAccount(state, account);
  state.computeStateRoot();
  return state;
}

function addAccount(state: WorkingState, { address, balance = 0n, nonce = 0n, code, storage }: TestAccount): void {
  state.putAccount(address, { nonce, balance, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH });
  if (code !== undefined) void state.putCode(address, code);
  for (const [slot, value] of storage ?? []) state.putStorage(address, word(slot), word(value));
}

/** A 32-byte word. */
export function word(value: bigint): Bytes {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, "0"), "hex"));
}

export function aBlock(hardfork: Hardfork, overrides: Partial<BlockContext> = {}): BlockContext {
  const rules = spec.rules(hardfork);
  return {
    hardfork,
    number: 100n,
    timestamp: 1_700_000_000n,
    coinbase: COINBASE,
    gasLimit: 30_000_000n,
    difficulty: rules.has(3675) ? 0n : 131_072n,
    prevRandao: new Uint8Array(32).fill(7),
    baseFeePerGas: rules.has(1559) ? 1n : undefined,
    blobBaseFee: rules.has(4844) ? 1n : undefined,
    blockHash: (number) => (number < 100n ? word(number + 1n) : undefined),
    ...overrides,
  };
}

const engines = new Map<string, Promise<Engine>>();

/** An engine that all tests of a process share, by default with the usual limit of memory. */
export function engineOf(name: EngineName = "wasm", executionMemory?: number): Promise<Engine> {
  const key = `${name} ${executionMemory}`;
  let engine = engines.get(key);
  if (engine === undefined) {
    engine = openEngine(name, executionMemory === undefined ? {} : { executionMemory });
    engines.set(key, engine);
  }
  return engine;
}

export interface TestSession {
  readonly engine?: EngineName;
  readonly hardfork?: Hardfork;
  readonly state?: WorkingState;
  readonly block?: BlockContext;
  readonly limits?: ExecutionLimits | undefined;
  readonly precompiles?: PrecompileTable;
  /** Most bytes of memory of an execution, where the engine has such a limit. */
  readonly executionMemory?: number;
}

/** Opens a session of an engine; whoever opens it closes it. */
export async function openSession(options: TestSession = {}): Promise<EngineSession> {
  const { engine, hardfork = "cancun", state = aState(), limits, precompiles } = options;
  const executor = new Executor(spec, await engineOf(engine, options.executionMemory));
  const block = options.block ?? aBlock(hardfork);
  return executor.open({ rules: spec.rules(hardfork), state, block, limits, precompiles });
}

/** A message with what its transaction shares. */
export type TestMessage = Message & TransactionContext;

/** A message from SENDER to TARGET, by default with 100,000 gas. */
export function aMessage(message: Partial<TestMessage> = {}): TestMessage {
  const from = message.from ?? SENDER;
  return {
    from,
    to: TARGET,
    // The sender's nonce is bumped already.
    createdAddress: "to" in message && message.to === undefined ? createAddress(from, 0n) : undefined,
    value: 0n,
    data: EMPTY_BYTES,
    gasLimit: 100_000n,
    stateGas: 0n,
    origin: from,
    gasPrice: 1n,
    blobVersionedHashes: [],
    ...message,
  };
}

export interface TestRun extends TestSession {
  readonly accounts?: readonly TestAccount[];
  /** Code at TARGET. */
  readonly code?: Bytes;
  readonly message?: Partial<TestMessage>;
  /** The data to record; false for none. */
  readonly record?: RecorderRequest | false;
  /** Hears of the run in place of the recorder. */
  readonly sink?: EventSink;
}

export interface TestOutcome {
  readonly result: MessageResult;
  /** Accounts that the transaction deleted. */
  readonly deleted: readonly Bytes[];
  readonly recorder: Recorder;
  readonly state: WorkingState;
}

/** Runs a message in a transaction of its own, by default with everything recorded. Sender and TARGET are warm. */
export async function runCode(run: TestRun): Promise<TestOutcome> {
  const { hardfork = "cancun", accounts = [], code, record } = run;
  const target = code === undefined ? [] : [{ address: TARGET, code }];
  const state = run.state ?? aState([...target, ...accounts]);
  const recorder = new Recorder(record || { logs: true, accesses: true, steps: true, memory: true });
  const session = await openSession({ ...run, state });
  const message = aMessage(run.message);
  try {
    session.begin({ ...message, sink: run.sink ?? (record === false ? undefined : recorder) });
    if (spec.rules(hardfork).has(2929)) for (const address of [SENDER, TARGET]) session.warmAddress(address);
    const result = await session.run(message);
    const effects = await session.end();
    const deleted = effects.writes.filter(({ isDeleted }) => isDeleted).map(({ address }) => address);
    state.apply(effects);
    return { result, deleted, recorder, state };
  } finally {
    session.close();
  }
}

/** A transaction of type 2 from {@link SENDER} to {@link TARGET}, with other members where they are given. */
export function aTransaction(members: Partial<TransactionFields> = {}): TransactionFields {
  return {
    type: 2,
    sender: SENDER,
    to: TARGET,
    nonce: 0n,
    gasLimit: 100_000n,
    value: 0n,
    data: EMPTY_BYTES,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    accessList: [],
    blobVersionedHashes: [],
    maxFeePerBlobGas: 0n,
    authorizations: [],
    ...members,
  };
}
