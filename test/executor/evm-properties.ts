/** Our run loop against EthereumJS' own, on random programs. */
import { createEVM } from "@ethereumjs/evm";
import { Address } from "@ethereumjs/util";
import fc from "fast-check";
import { expect } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks.ts";
import { toCoreBlock } from "../../src/executor/evm-block.ts";
import { type Bytes, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { encodeData } from "../../src/primitives/hex.ts";
import { EthereumJsStateManager } from "../../src/state/ethereumjs-state-manager.ts";
import type { WorkingState } from "../../src/state/working-state.ts";
import { aBlock, aState, runCode, SENDER, spec, TARGET, type TestAccount } from "../support/evm.ts";
import { OTHERS, programs } from "../support/programs.ts";

const world = (codes: readonly Bytes[]): TestAccount[] =>
  [TARGET, ...OTHERS].map((address, index) => ({
    address,
    code: codes[index] ?? EMPTY_BYTES,
    balance: 1000n,
    nonce: 1n,
    storage: [
      [0n, 5n],
      [1n, 1n << 200n],
    ],
  }));

/** What both engines must agree on. */
interface Observed {
  readonly failed: boolean;
  readonly output: string;
  readonly gasUsed: bigint;
  readonly gasRefund: bigint;
  readonly logs: readonly string[];
  readonly changes: unknown;
}

async function ours(hardfork: Hardfork, codes: readonly Bytes[], gasLimit: bigint): Promise<Observed> {
  const { result, state } = await runCode({
    hardfork,
    accounts: world(codes),
    message: { gasLimit, value: 3n },
    record: false,
  });
  return {
    failed: result.error !== undefined,
    output: encodeData(result.output),
    gasUsed: result.gasUsed,
    gasRefund: result.gasRefund,
    logs: result.logs.map(({ address, topics, data }) => [address, ...topics, data].map(encodeData).join()),
    changes: describeChanges(state),
  };
}

async function theirs(hardfork: Hardfork, codes: readonly Bytes[], gasLimit: bigint): Promise<Observed> {
  const state = aState(world(codes));
  const { block, blockchain } = toCoreBlock(aBlock(hardfork));
  const common = spec.common(hardfork).copy();
  const evm = await createEVM({ common, stateManager: new EthereumJsStateManager(state), blockchain });
  if (spec.rules(hardfork).isBerlin) {
    for (const address of [SENDER, TARGET]) evm.journal.addAlwaysWarmAddress(encodeData(address).slice(2));
  }
  for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address);
  const to = new Address(TARGET);
  const caller = new Address(SENDER);
  const { execResult } = await evm.runCall({
    to,
    caller,
    value: 3n,
    gasLimit,
    gasPrice: 1n,
    block,
    skipNonceIncrement: true,
  });
  for (const address of execResult.selfdestruct?.keys() ?? []) {
    if (common.isActivatedEIP(6780) && execResult.createdAddresses?.has(address) !== true) continue;
    await evm.journal.deleteAccount(new Address(new Uint8Array(Buffer.from(address.slice(2), "hex"))));
  }
  await evm.journal.cleanup();
  const text: string | undefined = execResult.exceptionError?.error;
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

/** Both engines do the same on random programs at one hardfork. */
export async function doesWhatEthereumJsDoes(hardfork: Hardfork, runs: number): Promise<void> {
  const cases = fc.tuple(fc.array(programs, { minLength: 3, maxLength: 3 }), fc.integer({ min: 100, max: 500_000 }));
  await fc.assert(
    fc.asyncProperty(cases, async ([codes, gas]) => {
      expect(await ours(hardfork, codes, BigInt(gas))).toEqual(await theirs(hardfork, codes, BigInt(gas)));
    }),
    { numRuns: runs },
  );
}
