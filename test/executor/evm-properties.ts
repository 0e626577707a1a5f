/** Our run loop against EthereumJS' own, on random programs. */

import { createEVM, EVMError } from "@ethereumjs/evm";
import { Address } from "@ethereumjs/util";
import fc from "fast-check";
import { expect } from "vitest";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis.ts";
import type { Hardfork } from "../../src/chainspec/hardforks.ts";
import { creationHandler } from "../../src/executor/bridged-creates.ts";
import { toCoreBlock } from "../../src/executor/evm-block.ts";
import type { OpcodeMapEntry } from "../../src/executor/evm-types.ts";
import { type Bytes, concatBytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { encodeData } from "../../src/primitives/hex.ts";
import { MAX_UINT64 } from "../../src/primitives/limits.ts";
import { EthereumJsStateManager } from "../../src/state/ethereumjs-state-manager.ts";
import { WorkingState } from "../../src/state/working-state.ts";
import type { Recorder } from "../../src/tracer/recorder.ts";
import { AsyncReader } from "../state/async-reader.ts";
import { creatingPrograms } from "../support/creating-programs.ts";
import { aBlock, addressOf, aState, runCode, SENDER, spec, TARGET, type TestAccount } from "../support/evm.ts";
import { precompile } from "../support/precompile-calls.ts";
import { OTHERS, programs } from "../support/programs.ts";

const world = (codes: readonly Bytes[]): TestAccount[] => [
  ...[TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce: 1n,
    storage: [
      [0n, 5n],
      [1n, 1n << 200n],
    ] as const,
  })),
  // An empty account is gone once it is touched; that of RIPEMD-160 even where its frame fails.
  ...[2, 3].map((number) => ({ address: precompile(number) })),
  { address: precompile(4), balance: 1n },
];

/** Their engines listen to their rules: other tests look who listens to those that all share. */
const theirSpec = new ChainSpec(parseGenesis({ config: { chainId: 1 }, alloc: {} }));

/** What both engines must agree on. */
interface Observed {
  readonly failed: boolean;
  readonly output: string;
  readonly gasUsed: bigint;
  readonly gasRefund: bigint;
  readonly logs: readonly string[];
  readonly changes: unknown;
}

/** A message of SENDER's. */
interface Call {
  /** Undefined for a creation. */
  readonly to: Bytes | undefined;
  readonly data?: Bytes;
  readonly value: bigint;
  readonly gasLimit: bigint;
}

async function ours(hardfork: Hardfork, accounts: readonly TestAccount[], message: Call): Promise<Observed> {
  const { result, state } = await runCode({ hardfork, accounts, message, record: false });
  return {
    failed: result.error !== undefined,
    output: encodeData(result.output),
    gasUsed: result.gasUsed,
    gasRefund: result.gasRefund,
    logs: result.logs.map(({ address, topics, data }) => [address, ...topics, data].map(encodeData).join()),
    changes: describeChanges(state),
  };
}

async function theirs(hardfork: Hardfork, accounts: readonly TestAccount[], call: Call): Promise<Observed> {
  const state = aState(accounts);
  const { block, blockchain } = toCoreBlock(aBlock(hardfork));
  const common = theirSpec.common(hardfork);
  const evm = await createEVM({ common, stateManager: new EthereumJsStateManager(state), blockchain });
  // Init code that begins like the EVM Object Format: EthereumJS alone does not run it.
  const table = (evm as unknown as { readonly _opcodeMap: OpcodeMapEntry[] })._opcodeMap;
  for (const opcode of [0xf0, 0xf5]) {
    const entry = table[opcode] as OpcodeMapEntry;
    table[opcode] = { ...entry, opHandler: creationHandler(opcode, entry.opHandler) };
  }
  if (spec.rules(hardfork).isBerlin) {
    for (const address of [SENDER, TARGET]) evm.journal.addAlwaysWarmAddress(encodeData(address).slice(2));
  }
  for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address);
  const caller = new Address(SENDER);
  const { execResult } = await evm.runCall({
    ...(call.to === undefined ? {} : { to: new Address(call.to) }),
    ...(call.data === undefined ? {} : { data: call.data }),
    caller,
    value: call.value,
    gasLimit: call.gasLimit,
    gasPrice: 1n,
    block,
    skipNonceIncrement: true,
  });
  // An engine would listen, and stay, for good.
  common.events.removeAllListeners();
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (common.isActivatedEIP(6780) && execResult.createdAddresses?.has(address) !== true) continue;
    await evm.journal.deleteAccount(new Address(new Uint8Array(Buffer.from(address.slice(2), "hex"))));
  }
  await evm.journal.cleanup();
  const error: string | undefined = execResult.exceptionError?.error;
  // Frontier's creation stands without its code: see `creationErrorOf`.
  const text = error === EVMError.errorMessages.CODESTORE_OUT_OF_GAS ? undefined : error;
  return {
    failed: text !== undefined,
    output: text === undefined || text === "revert" ? encodeData(execResult.returnValue) : "0x",
    gasUsed: execResult.executionGasUsed,
    gasRefund: execResult.gasRefund ?? 0n,
    logs: (execResult.logs ?? []).map(([address, topics, data]) => [address, ...topics, data].map(encodeData).join()),
    changes: describeChanges(state),
  };
}

function describeChanges(state: WorkingState): unknown {
  return state.transactionChanges().map(({ address, after, slots }) => ({
    address: encodeData(address),
    nonce: after?.nonce,
    balance: after?.balance,
    code: after && encodeData(after.codeHash),
    slots: slots.map(({ slot, after: value }) => `${encodeData(slot)}=${encodeData(value)}`),
  }));
}

/** Both engines do the same for a call. */
async function doTheSame(hardfork: Hardfork, accounts: readonly TestAccount[], call: Call): Promise<void> {
  expect(await ours(hardfork, accounts, call)).toEqual(await theirs(hardfork, accounts, call));
}

/** Random programs at three addresses, and a message that runs the first. */
const runsOf = (code: fc.Arbitrary<Bytes>, mostGas: number) =>
  fc
    .tuple(fc.array(code, { minLength: 3, maxLength: 3 }), fc.integer({ min: 100, max: mostGas }))
    .map(([codes, gas]) => [world(codes), { to: TARGET, value: 3n, gasLimit: BigInt(gas) }] as const);

/** The same with creations in the programs, and messages that run the first as init code. */
const creatingRuns = fc
  .tuple(runsOf(creatingPrograms, 800_000), creatingPrograms, fc.boolean(), fc.constantFrom(1n, 1n, MAX_UINT64 - 1n))
  .map(([[accounts, message], data, isCreation, nonce]) => {
    const creators = accounts.map((account) => (account.nonce === undefined ? account : { ...account, nonce }));
    return [creators, isCreation ? { ...message, to: undefined, data } : message] as const;
  });

/** The same with delegated accounts (EIP-7702): one that is called in the programs, and at times the one that is run. */
const delegatedRuns = fc
  .tuple(
    runsOf(programs, 500_000),
    fc.constantFrom(TARGET, ...OTHERS, precompile(4), addressOf(0x99)),
    fc.constantFrom(0, 1, 2, 2, 2),
  )
  .map(([[accounts, message], delegate, index]) => {
    const code = concatBytes(Uint8Array.of(0xef, 0x01, 0x00), delegate);
    return [accounts.map((account, at) => (at === index ? { ...account, code } : account)), message] as const;
  });

type Runs = fc.Arbitrary<readonly [readonly TestAccount[], Call]>;

export const RANDOM_RUNS: Readonly<Record<"any" | "creating" | "delegated", Runs>> = {
  any: runsOf(programs, 500_000),
  creating: creatingRuns,
  delegated: delegatedRuns,
};

/** Both engines do the same on random programs at one hardfork. */
export async function doesWhatEthereumJsDoes(hardfork: Hardfork, cases: Runs, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(cases, ([accounts, message]) => doTheSame(hardfork, accounts, message)),
    { numRuns: runs },
  );
}

const MAX_BALANCE = (1n << 256n) - 1n;

/** Both engines do the same where value moves to an account without code, or cannot move. */
export async function transfersAsEthereumJsDoes(hardfork: Hardfork, runs: number): Promise<void> {
  const receivers: readonly (TestAccount | undefined)[] = [
    undefined,
    { address: TARGET },
    { address: TARGET, nonce: 1n },
    { address: TARGET, balance: 5n },
    { address: TARGET, balance: MAX_BALANCE },
    { address: TARGET, balance: MAX_BALANCE - 2n },
  ];
  const cases = fc.record({
    receiver: fc.constantFrom(...receivers),
    to: fc.constantFrom(TARGET, TARGET, SENDER, addressOf(0), precompile(4), precompile(3), precompile(17)),
    value: fc.constantFrom(0n, 1n, 3n, 10n ** 20n, 10n ** 20n + 1n),
    gasLimit: fc.constantFrom(0n, 2300n, 100_000n),
  });
  await fc.assert(
    fc.asyncProperty(cases, ({ receiver, ...call }) =>
      doTheSame(hardfork, receiver === undefined ? [] : [receiver], call),
    ),
    { numRuns: runs },
  );
}

/** Everything that was recorded, as plain values. */
function describeRecording({ frames, steps }: Recorder): unknown {
  const rows = Array.from({ length: steps?.length ?? 0 }, (_, step) => steps?.at(step));
  return { frames, rows };
}

/**
 * What runs here, and through EthereumJS' handlers where the state does not answer at once or accesses are recorded,
 * leaves the same behind and is recorded alike.
 */
export async function recordsAlikeOnAnyWay(hardfork: Hardfork, cases: Runs, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(cases, async ([accounts, message]) => {
      const recorded = async (state: WorkingState, accesses = false) => {
        const record = { logs: true, steps: true, memory: true, accesses };
        const { result, recorder } = await runCode({ hardfork, state, message, record });
        return { result, recording: describeRecording(recorder) };
      };
      const here = await recorded(aState(accounts));
      expect(here).toEqual(await recorded(new WorkingState(new AsyncReader(aState(accounts)))));
      expect(here).toEqual(await recorded(aState(accounts), true));
    }),
    { numRuns: runs },
  );
}
