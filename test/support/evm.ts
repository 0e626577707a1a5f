/** A state, a block and an EVM for tests that run code without a chain. */
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis.ts";
import { HARDFORKS, type Hardfork } from "../../src/chainspec/hardforks.ts";
import { Evm } from "../../src/executor/evm.ts";
import type { BlockContext, EvmMessage, EvmResult, ExecutionLimits } from "../../src/executor/types.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { EMPTY_CODE_HASH, EMPTY_TRIE_ROOT } from "../../src/primitives/hash.ts";
import { StateDatabase } from "../../src/state/state-database.ts";
import type { WorkingState } from "../../src/state/working-state.ts";
import { Recorder, type RecorderRequest } from "../../src/tracer/recorder.ts";

/** An address of one repeated byte. */
export function addressOf(byte: number): Bytes {
  return new Uint8Array(20).fill(byte);
}

export const SENDER = addressOf(0xaa);
export const TARGET = addressOf(0xbb);
export const COINBASE = addressOf(0xc0);

export const spec = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} }));

/** Hardforks that change what opcodes do or cost. */
export const OPCODE_HARDFORKS: readonly Hardfork[] = HARDFORKS.filter(
  (name) => !/^(?:muirGlacier|arrowGlacier|grayGlacier|bpo\d)$/.test(name),
);

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
  state.beginTransaction();
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
    difficulty: rules.isMerged ? 0n : 131_072n,
    prevRandao: new Uint8Array(32).fill(7),
    baseFeePerGas: rules.isLondon ? 1n : undefined,
    blobBaseFee: rules.isCancun ? 1n : undefined,
    blockHash: (number) => (number < 100n ? word(number + 1n) : undefined),
    ...overrides,
  };
}

export interface TestRun {
  readonly hardfork?: Hardfork;
  readonly accounts?: readonly TestAccount[];
  /** Where to run instead of on a state with the accounts. */
  readonly state?: WorkingState;
  /** Code at TARGET. */
  readonly code?: Bytes;
  readonly message?: Partial<EvmMessage>;
  readonly limits?: ExecutionLimits;
  /** What to record; false for nothing. */
  readonly record?: RecorderRequest | false;
}

export interface TestOutcome {
  readonly result: EvmResult;
  readonly recorder: Recorder;
  readonly state: WorkingState;
}

/** Runs a message from SENDER to TARGET, by default with 100,000 gas and everything recorded. */
export async function runCode(run: TestRun): Promise<TestOutcome> {
  const { hardfork = "cancun", accounts = [], code, message, limits, record } = run;
  const target = code === undefined ? [] : [{ address: TARGET, code }];
  const state = run.state ?? aState([...target, ...accounts]);
  const recorder = new Recorder(record || { logs: true, accesses: true, steps: true, memory: true });
  const evm = Evm.open({
    common: spec.common(hardfork),
    state,
    block: aBlock(hardfork),
    ...(record === false ? {} : { recorder }),
    ...(limits === undefined ? {} : { limits }),
  });
  try {
    if (spec.rules(hardfork).isBerlin) for (const address of [SENDER, TARGET]) evm.warmAddress(address);
    evm.warmPrecompiles();
    const result = await evm.run({ ...DEFAULT_MESSAGE, ...message });
    for (const address of result.destroyed) evm.deleteAccount(address);
    await evm.finishTransaction();
    return { result, recorder, state };
  } finally {
    evm.close();
  }
}

const DEFAULT_MESSAGE: EvmMessage = {
  from: SENDER,
  to: TARGET,
  value: 0n,
  data: EMPTY_BYTES,
  gasLimit: 100_000n,
  gasPrice: 1n,
  blobVersionedHashes: [],
};
