/** Who pays what for a transaction, by the fee policies of blocks and of other clients' simulations. */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks/hardforks.ts";
import type { TransactionFields } from "../../src/chainspec/transaction/transaction-fields.ts";
import { Executor } from "../../src/executor/executor.ts";
import { runAlone, type TransactionOutcome } from "../../src/executor/run-transaction.ts";
import {
  BLOCK_CHECKS,
  type ChecksWanted,
  type FeePolicy,
  SIMULATION_CHECKS,
} from "../../src/executor/transaction-checks.ts";
import { createAddress } from "../../src/primitives/address.ts";
import { type Bytes, bytesToBigInt } from "../../src/primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../src/primitives/bytes/limits.ts";
import { waitingState } from "../engines/waiting-state.ts";
import {
  aBlock,
  addressOf,
  aState,
  aTransaction,
  COINBASE,
  engineOf,
  spec,
  TARGET,
  type TestAccount,
} from "../support/evm.ts";

const POOR = addressOf(0x11);
const RICH = addressOf(0x22);
const FUNDS = 10n ** 18n;
const REVERT = Uint8Array.of(0x5f, 0x5f, 0xfd);
const BLOB_HASH = Uint8Array.of(1, ...new Uint8Array(31));

interface Ran {
  readonly outcome: TransactionOutcome;
  balanceOf(address: Bytes): Promise<bigint>;
  nonceOf(address: Bytes): Promise<bigint | undefined>;
}

async function run(
  members: Partial<TransactionFields>,
  checks: ChecksWanted,
  accounts: readonly TestAccount[] = [],
  { hardfork = "cancun", isWaiting = false }: { hardfork?: Hardfork; isWaiting?: boolean } = {},
): Promise<Ran> {
  const state = aState([{ address: RICH, balance: FUNDS }, ...accounts]);
  const tx = aTransaction({ sender: RICH, ...members });
  const executor = new Executor(spec, await engineOf());
  const block = aBlock(hardfork, { baseFeePerGas: 4n, blobBaseFee: 3n });
  const rules = spec.rules(hardfork);
  const read = isWaiting ? waitingState(state) : state;
  const outcome = await runAlone({ executor, rules, state: read, target: state, block, tx, checks });
  const account = async (address: Bytes) => state.getAccount(address);
  return {
    outcome,
    balanceOf: async (address) => (await account(address))?.balance ?? 0n,
    nonceOf: async (address) => (await account(address))?.nonce,
  };
}
const simulated = (fees: FeePolicy): ChecksWanted => ({ ...SIMULATION_CHECKS, fees });

describe("the fees of a transaction", () => {
  it("are paid by its sender, and the tip goes to the coinbase", async () => {
    const { outcome, balanceOf } = await run({ value: 7n }, SIMULATION_CHECKS);
    // 21,000 gas at 5 wei, of which 4 are burnt.
    expect([outcome.gasUsed, outcome.effectiveGasPrice]).toEqual([21_000n, 5n]);
    expect(await balanceOf(RICH)).toBe(FUNDS - 7n - 105_000n);
    expect([await balanceOf(TARGET), await balanceOf(COINBASE)]).toEqual([7n, 21_000n]);
  });

  it("are paid for blobs, too, at their base fee, and are burnt", async () => {
    const blobs = { type: 3, blobVersionedHashes: [BLOB_HASH, BLOB_HASH], maxFeePerBlobGas: 9n };
    const { balanceOf } = await run(blobs, SIMULATION_CHECKS);
    expect(await balanceOf(RICH)).toBe(FUNDS - 105_000n - 2n * 131_072n * 3n);
    expect(await balanceOf(COINBASE)).toBe(21_000n);
  });

  it("are none where both caps are zero, and nobody is paid", async () => {
    const free = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, value: 7n };
    const { balanceOf } = await run(free, SIMULATION_CHECKS);
    expect([await balanceOf(RICH), await balanceOf(TARGET), await balanceOf(COINBASE)]).toEqual([FUNDS - 7n, 7n, 0n]);
  });

  it("do not move where they are waived", async () => {
    const { outcome, balanceOf } = await run({ value: 7n }, simulated("waived"));
    expect([await balanceOf(RICH), await balanceOf(TARGET), await balanceOf(COINBASE)]).toEqual([FUNDS - 7n, 7n, 0n]);
    expect([outcome.gasUsed, outcome.effectiveGasPrice]).toEqual([21_000n, 5n]);
  });
});

describe("a sender without the funds that is bailed out", () => {
  const bailedOut = (members: Partial<TransactionFields>, accounts: readonly TestAccount[] = []) =>
    run({ sender: POOR, value: 7n, ...members }, simulated("bailOut"), [{ address: POOR, balance: 3n }, ...accounts]);

  it("keeps its balance, while value and tip arrive", async () => {
    const { outcome, balanceOf } = await bailedOut({});
    expect(outcome.error).toBeUndefined();
    expect([await balanceOf(POOR), await balanceOf(TARGET), await balanceOf(COINBASE)]).toEqual([3n, 7n, 21_000n]);
  });

  it("keeps its balance where the call reverts, and the value does not arrive", async () => {
    const { outcome, balanceOf } = await bailedOut({}, [{ address: TARGET, code: REVERT }]);
    expect(outcome.error).toBe("reverted");
    expect([await balanceOf(POOR), await balanceOf(TARGET)]).toEqual([3n, 0n]);
    expect(await balanceOf(COINBASE)).toBe(outcome.gasUsed);
  });

  it("keeps its balance where it sends the value to itself", async () => {
    const { balanceOf } = await bailedOut({ to: POOR });
    expect(await balanceOf(POOR)).toBe(3n);
  });

  it("endows what it creates, or keeps its balance where that reverts", async () => {
    const created = createAddress(POOR, 0n);
    const made = await bailedOut({ to: undefined });
    expect([await made.balanceOf(POOR), await made.balanceOf(created)]).toEqual([3n, 7n]);
    const failed = await bailedOut({ to: undefined, data: REVERT });
    expect([await failed.balanceOf(POOR), await failed.balanceOf(created)]).toEqual([3n, 0n]);
  });

  it("pays as any other if it has the funds", async () => {
    const { balanceOf } = await run({ value: 7n }, simulated("bailOut"));
    expect(await balanceOf(RICH)).toBe(FUNDS - 7n - 105_000n);
  });
});

describe("a sender that is lent what it lacks", () => {
  const lent = (members: Partial<TransactionFields>, balance: bigint) =>
    run({ sender: POOR, value: 7n, ...members }, simulated("lent"), [
      { address: POOR, balance },
      // Returns what the caller has left.
      { address: TARGET, code: Uint8Array.of(0x33, 0x31, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3) },
    ]);
  const left = async (members: Partial<TransactionFields>, balance: bigint): Promise<bigint> =>
    bytesToBigInt((await lent(members, balance)).outcome.output);
  const FREE = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

  it("has nothing left for the code that it calls, and the value arrives", async () => {
    const { outcome, balanceOf } = await lent({}, 3n);
    expect([outcome.error, bytesToBigInt(outcome.output), await balanceOf(TARGET)]).toEqual([undefined, 0n, 7n]);
    expect(await left(FREE, 3n)).toBe(0n);
  });

  it("is lent nothing for what it has", async () => {
    expect(await left(FREE, 7n)).toBe(0n);
    expect(await left(FREE, 9n)).toBe(2n);
    // The value comes out of the loan where the fee takes all that it has.
    expect(await left({}, 9n)).toBe(0n);
    expect(await left({ gasLimit: 50_000n }, 50_000n * 5n + 9n)).toBe(2n);
  });
});

it("a transaction has the same effects where every read of the state takes a while", async () => {
  const calls: Partial<TransactionFields>[] = [{ value: 7n }, { to: undefined, value: 7n }, { to: RICH, value: 7n }];
  for (const members of calls) {
    const [now, later] = [await run(members, BLOCK_CHECKS), await run(members, BLOCK_CHECKS, [], { isWaiting: true })];
    expect(later.outcome).toEqual(now.outcome);
    for (const address of [RICH, TARGET, COINBASE, createAddress(RICH, 0n)]) {
      expect(await later.balanceOf(address)).toBe(await now.balanceOf(address));
      expect(await later.nonceOf(address)).toBe(await now.nonceOf(address));
    }
  }
});

describe("the nonce of a sender", () => {
  it("rises by one, also if the transaction fails", async () => {
    expect(await (await run({}, SIMULATION_CHECKS)).nonceOf(RICH)).toBe(1n);
    const failed = await run({}, SIMULATION_CHECKS, [{ address: TARGET, code: REVERT }]);
    expect([failed.outcome.error, await failed.nonceOf(RICH)]).toEqual(["reverted", 1n]);
  });

  it("that is the largest begins again after a call, and lets a creation fail with its gas kept (EIP-2681)", async () => {
    const old = { address: POOR, balance: FUNDS, nonce: MAX_UINT64 };
    const called = await run({ sender: POOR }, SIMULATION_CHECKS, [old]);
    expect([called.outcome.error, await called.nonceOf(POOR)]).toEqual([undefined, 0n]);
    const created = await run({ sender: POOR, to: undefined }, SIMULATION_CHECKS, [old]);
    expect([created.outcome.error, created.outcome.gasUsed]).toEqual(["nonceOverflow", 53_000n]);
    expect(await created.nonceOf(POOR)).toBe(MAX_UINT64);
  });
});
