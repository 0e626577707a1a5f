/** SSTORE and SLOAD by hardfork: prices, refunds, original values; transient storage (EIP-1153). */
import { describe, expect, it } from "vitest";
import { type Hardfork, isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { bytesKey, bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling } from "../../support/assembler.ts";
import {
  addressOf,
  OPCODE_HARDFORKS,
  REFERENCE_HARDFORKS,
  SELECTED_HARDFORKS,
  SENDER,
  TARGET,
  word,
} from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { isSlow, sweep } from "../../support/seed.ts";
import { AROUND, left, priceOf, runProgram, Transactions } from "./running.ts";

const C = addressOf(0xcc);

/** Gas and refund of SSTOREs of several values to one slot in sequence, without the pushes. */
async function storing(engine: EngineName, hardfork: Hardfork, original: number, ...values: readonly number[]) {
  const program = values.map((value) => `${value} 1 SSTORE`).join(" ");
  const storage = [[1n, BigInt(original)]] as const;
  const { result, slot } = await runProgram(engine, program, { hardfork, target: { storage } });
  expect(result.error).toBeUndefined();
  expect(slot(TARGET, 1n)).toBe(BigInt(values.at(-1) ?? original));
  return [Number(result.gasUsed) - 6 * values.length, Number(result.gasRefund)] as const;
}

/** Hardforks that have the rules which began with the first of some, until another began. */
const between = (first: Hardfork, end?: Hardfork): readonly Hardfork[] =>
  REFERENCE_HARDFORKS.filter((name) => isAtLeast(name, first) && (end === undefined || !isAtLeast(name, end)));

/** Original value and what is stored, with the gas and the refund of each of the examples of EIP-1283 and EIP-2200. */
type Example = readonly [original: number, values: readonly number[], gas: number, refund: number];

const FRONTIER: readonly Example[] = [
  [0, [0], 5_000, 0],
  [0, [1], 20_000, 0],
  [1, [0], 5_000, 15_000],
  [1, [1], 5_000, 0],
  [1, [2], 5_000, 0],
  // Neither what was there before the transaction counts, nor is anything taken back.
  [0, [1, 0], 25_000, 15_000],
  [0, [1, 0, 1], 45_000, 15_000],
  [1, [0, 1, 0], 30_000, 30_000],
  [1, [2, 1], 10_000, 0],
];

/** EIP-1283's table. */
const CONSTANTINOPLE: readonly Example[] = [
  [0, [0, 0], 400, 0],
  [0, [0, 1], 20_200, 0],
  [0, [1, 0], 20_200, 19_800],
  [0, [1, 2], 20_200, 0],
  [0, [1, 1], 20_200, 0],
  [1, [0, 0], 5_200, 15_000],
  [1, [0, 1], 5_200, 4_800],
  [1, [0, 2], 5_200, 0],
  [1, [2, 0], 5_200, 15_000],
  [1, [2, 3], 5_200, 0],
  [1, [2, 1], 5_200, 4_800],
  [1, [2, 2], 5_200, 0],
  [1, [1, 0], 5_200, 15_000],
  [1, [1, 2], 5_200, 0],
  [1, [1, 1], 400, 0],
  [0, [1, 0, 1], 40_200, 19_800],
  [1, [0, 1, 0], 10_200, 19_800],
];

/** EIP-2200's table. */
const ISTANBUL: readonly Example[] = [
  [0, [0, 0], 1_600, 0],
  [0, [0, 1], 20_800, 0],
  [0, [1, 0], 20_800, 19_200],
  [0, [1, 2], 20_800, 0],
  [0, [1, 1], 20_800, 0],
  [1, [0, 0], 5_800, 15_000],
  [1, [0, 1], 5_800, 4_200],
  [1, [0, 2], 5_800, 0],
  [1, [2, 0], 5_800, 15_000],
  [1, [2, 3], 5_800, 0],
  [1, [2, 1], 5_800, 4_200],
  [1, [2, 2], 5_800, 0],
  [1, [1, 0], 5_800, 15_000],
  [1, [1, 2], 5_800, 0],
  [1, [1, 1], 1_600, 0],
  [0, [1, 0, 1], 40_800, 19_200],
  [1, [0, 1, 0], 10_800, 19_200],
];

/** EIP-2929's prices: 2,100 for the first look at the slot, 100 for others. */
const BERLIN: readonly Example[] = [
  [0, [0, 0], 2_300, 0],
  [0, [0, 1], 22_200, 0],
  [0, [1, 0], 22_200, 19_900],
  [1, [0, 0], 5_100, 15_000],
  [1, [0, 1], 5_100, 2_800],
  [1, [0, 2], 5_100, 0],
  [1, [2, 0], 5_100, 15_000],
  [1, [2, 1], 5_100, 2_800],
  [1, [1, 1], 2_300, 0],
  [0, [1, 0, 1], 42_200, 19_900],
  [1, [0, 1, 0], 8_000, 17_800],
];

/** EIP-3529's table. */
const LONDON: readonly Example[] = [
  [0, [0, 0], 2_300, 0],
  [0, [0, 1], 22_200, 0],
  [0, [1, 0], 22_200, 19_900],
  [0, [1, 2], 22_200, 0],
  [1, [0, 0], 5_100, 4_800],
  [1, [0, 1], 5_100, 2_800],
  [1, [0, 2], 5_100, 0],
  [1, [2, 0], 5_100, 4_800],
  [1, [2, 3], 5_100, 0],
  [1, [2, 1], 5_100, 2_800],
  [1, [1, 0], 5_100, 4_800],
  [1, [1, 2], 5_100, 0],
  [1, [1, 1], 2_300, 0],
  [0, [1, 0, 1], 42_200, 19_900],
  [1, [0, 1, 0], 8_000, 7_600],
];

/** EIP-8038's prices, with 97,920 for a new slot (EIP-8037), which come back as gas and not as a refund. */
const AMSTERDAM: readonly Example[] = [
  [0, [0, 0], 2_200, 0],
  [0, [0, 1], 110_120, 0],
  [0, [1, 0], 12_200, 10_000],
  [0, [1, 2], 110_120, 0],
  [1, [0, 0], 12_200, 11_616],
  [1, [0, 1], 12_200, 10_000],
  [1, [0, 2], 12_200, 0],
  [1, [2, 0], 12_200, 11_616],
  [1, [2, 3], 12_200, 0],
  [1, [2, 1], 12_200, 10_000],
  [1, [1, 0], 12_200, 11_616],
  [1, [1, 2], 12_200, 0],
  [1, [1, 1], 2_200, 0],
  [0, [1, 0, 1], 120_220, 10_000],
  [1, [0, 1, 0], 22_300, 21_616],
];

const TABLES: readonly (readonly [readonly Hardfork[], readonly Example[]])[] = [
  [between("chainstart", "constantinople"), FRONTIER],
  [["constantinople"], CONSTANTINOPLE],
  [["petersburg"], FRONTIER],
  [between("istanbul", "berlin"), ISTANBUL],
  [between("berlin", "london"), BERLIN],
  [between("london", "amsterdam"), LONDON],
  [between("amsterdam"), AMSTERDAM],
];
const BY_HARDFORK = TABLES.flatMap(([hardforks, examples]) =>
  hardforks.map((hardfork) => [hardfork, examples] as const),
);

describe.each(ENGINE_NAMES)("SSTORE (%s)", (engine) => {
  const it = onEngine(engine);
  it("has a table of prices for every hardfork", () => {
    expect(BY_HARDFORK.map(([hardfork]) => hardfork).toSorted()).toEqual(REFERENCE_HARDFORKS.toSorted());
  });

  it.each(sweep(BY_HARDFORK, ([hardfork]) => engine === "wasm" || SELECTED_HARDFORKS.has(hardfork)))(
    "costs and earns what the rules of %s say",
    async (hardfork, examples) => {
      for (const [original, values, gas, refund] of examples) {
        const found = await storing(engine, hardfork, original, ...values);
        expect([original, values, ...found]).toEqual([original, values, gas, refund]);
      }
    },
  );

  it.each(["istanbul", "berlin", "london", "bpo5"] as const)(
    "needs more gas than a stipend, whatever it costs, since EIP-2200 (%s)",
    async (hardfork) => {
      const storage = [[1n, 1n]] as const;
      // Two pushes before it; 2,300 gas are too little even for storing what is there.
      const at = async (gas: bigint) =>
        (await runProgram(engine, "1 1 SLOAD POP 1 1 SSTORE", { hardfork, target: { storage }, gasLimit: gas })).result;
      const before = isAtLeast(hardfork, "berlin") ? 3n + 3n + 2100n + 2n + 6n : 3n + 3n + 800n + 2n + 6n;
      const refused = await at(before + 2300n);
      expect(refused).toMatchObject({ error: "outOfGas", gasUsed: before + 2300n });
      expect(await at(before + 2301n)).toMatchObject({ error: undefined });
    },
  );

  it.each(["chainstart", "constantinople", "petersburg"] as const)(
    "needs no more than its price before (%s)",
    async (hardfork) => {
      const gasLimit = hardfork === "constantinople" ? 206n : 5_006n;
      const { result } = await runProgram(engine, "0 1 SSTORE", { hardfork, gasLimit });
      expect(result).toMatchObject({ error: undefined, gasUsed: gasLimit });
    },
  );

  it.each(["constantinople", "istanbul", "berlin", "cancun"] as const)(
    "takes back in a call what was earned outside of it, so that the call earns less than nothing (%s)",
    async (hardfork) => {
      // TARGET clears its slot; it is called again, and sets the slot to another value.
      const code = `CALLVALUE @again JUMPI 0 1 SSTORE ${calling("CALL", TARGET, 1n)} 0 0 LOG0 STOP again: 7 1 SSTORE`;
      const given = { hardfork, target: { storage: [[1n, 5n]] as const, balance: 1n } };
      const { result, slot } = await runProgram(engine, code, given);
      expect(result).toMatchObject({ error: undefined, gasRefund: 0n });
      expect(slot(TARGET, 1n)).toBe(7n);
      // If the call fails, the refund that it took back is restored.
      const failing = await runProgram(engine, `${code} 0 0 REVERT`, given);
      const earned = isAtLeast(hardfork, "london") ? 4_800n : 15_000n;
      expect(failing.result).toMatchObject({ error: undefined, gasRefund: earned });
      expect(failing.slot(TARGET, 1n)).toBe(0n);
    },
  );

  it.each(sweep(OPCODE_HARDFORKS, (hardfork) => engine === "wasm" || SELECTED_HARDFORKS.has(hardfork)))(
    "measures by the value before the transaction, which is another for the next one (%s)",
    async (hardfork) => {
      using transactions = await Transactions.open({
        engine,
        hardfork,
        accounts: [{ address: TARGET, code: assemble("0 CALLDATALOAD 1 SSTORE"), storage: [[1n, 5n]] }],
      });
      const gas: number[] = [];
      for (const value of [6n, 6n, 5n, 0n, 0n]) {
        const { result } = await transactions.run({ data: word(value) });
        gas.push(Number(result.gasUsed) - 9);
      }
      const noop = hardfork === "constantinople" ? 200 : isAtLeast(hardfork, "berlin") ? 2_200 : 800;
      if (hardfork === "amsterdam") {
        expect(gas).toEqual([12_100, 2_100, 12_100, 12_100, 2_100]);
        return;
      }
      const hasNetMetering = hardfork === "constantinople" || isAtLeast(hardfork, "istanbul");
      expect(gas).toEqual(hasNetMetering ? [5_000, noop, 5_000, 5_000, noop] : [5_000, 5_000, 5_000, 5_000, 5_000]);
      expect(transactions.slot(TARGET, 1n)).toBe(0n);
    },
  );

  it("forgets a change of a frame that failed: the next one pays as the first would have", async () => {
    const code = assemble("CALLVALUE @fail JUMPI 6 1 SSTORE STOP fail: 9 1 SSTORE INVALID");
    const accounts = [{ address: C, code, storage: [[1n, 5n]] as const }];
    const calls = `0 0 0 0 1 0x${"cc".repeat(20)} 50000 CALL POP ${priceOf(calling("CALL", C))}`;
    const ofCall = AROUND + 6n * 3n + 2n + 100n;
    const ofCode = 2n + 3n + 10n + 6n;
    // The slot is cold again, and its original value the one of before.
    expect(await left(engine, calls, { accounts, target: { balance: 1n } })).toBe(ofCall + ofCode + 5_000n);
  });

  it("of a static frame is refused", async () => {
    const accounts = [{ address: C, code: assemble("1 1 SSTORE") }];
    const { frame, slot } = await runProgram(engine, calling("STATICCALL", C), { accounts });
    expect(frame?.error).toBe("staticStateChange");
    expect(slot(C, 1n)).toBe(0n);
  });
});

describe.each(ENGINE_NAMES)("SLOAD (%s)", (engine) => {
  const it = onEngine(engine);
  it.each<readonly [Hardfork, number, number]>([
    ["chainstart", 50, 50],
    ["tangerineWhistle", 200, 200],
    ["constantinople", 200, 200],
    ["istanbul", 800, 800],
    ["berlin", 2100, 100],
    ["osaka", 2100, 100],
  ])("costs by the rules of %s %i gas, then %i", async (hardfork, first, second) => {
    const { result } = await runProgram(engine, "1 SLOAD 1 SLOAD", { hardfork });
    expect(Number(result.gasUsed)).toBe(6 + first + second);
  });

  it("sees what was stored before, of the account that runs", async () => {
    const accounts = [
      { address: C, code: assemble("1 SLOAD 0 MSTORE 7 1 SSTORE 32 0 RETURN"), storage: [[1n, 40n]] as const },
    ];
    const inner = (kind: string) => `${calling(kind, C)} POP 32 0 0 RETURNDATACOPY 0 MLOAD`;
    expect(await left(engine, `5 1 SSTORE ${inner("CALL")} 1 SLOAD ADD`, { accounts })).toBe(45n);
    expect(await left(engine, `5 1 SSTORE ${inner("DELEGATECALL")} 1 SLOAD ADD`, { accounts })).toBe(12n);
    expect(await left(engine, `5 1 SSTORE ${inner("CALLCODE")} 1 SLOAD ADD`, { accounts })).toBe(12n);
  });

  it("tells slots apart by all of their bits, and accounts", async () => {
    const keys = [
      "0",
      "1",
      `0x01${"00".repeat(8)}`,
      `0x01${"00".repeat(16)}`,
      `0x80${"00".repeat(31)}`,
      `0x${"ff".repeat(32)}`,
    ];
    const stores = keys.map((key, index) => `${index + 1} ${key} SSTORE`).join(" ");
    for (const [index, key] of keys.entries()) {
      expect(await left(engine, `${stores} ${key} SLOAD`)).toBe(BigInt(index + 1));
    }
  });

  if (isSlow || engine === "wasm") {
    it("finds every slot where there are hundreds", async () => {
      const program =
        "600 loop: DUP1 DUP1 SSTORE 1 SWAP1 SUB DUP1 @loop JUMPI 600 sum: DUP1 SLOAD DUP3 ADD SWAP2 POP 1 SWAP1 SUB DUP1 @sum JUMPI POP";
      expect(await left(engine, program, { gasLimit: 100_000_000n })).toBe((600n * 601n) / 2n);
    });
  }
});

describe.each(ENGINE_NAMES)("what a transaction has written to storage (%s)", (engine) => {
  it("are the slots whose values differ from those before it", async () => {
    // Slot 1 gets another value, 2 its own again, 3 none, 4 a value and none again.
    const code = assemble("9 1 SSTORE 8 2 SSTORE 5 2 SSTORE 0 3 SSTORE 7 4 SSTORE 0 4 SSTORE");
    const storage = [1n, 2n, 3n].map((slot) => [slot, 5n] as const);
    using transactions = await Transactions.open({ engine, accounts: [{ address: TARGET, code, storage }] });
    const { writes } = await transactions.run();
    const slots = writes.find(({ address }) => bytesKey(address) === bytesKey(TARGET))?.slots ?? [];
    const written = new Map(slots.map(({ slot, value }) => [bytesToBigInt(slot), bytesToBigInt(value)]));
    expect(written).toEqual(
      new Map([
        [1n, 9n],
        [3n, 0n],
      ]),
    );
  });
});

describe.each(ENGINE_NAMES)("transient storage (%s)", (engine) => {
  const it = onEngine(engine);
  it("is of one account, apart from its storage, at 100 gas", async () => {
    const accounts = [{ address: C, code: assemble("1 TLOAD 0 MSTORE 32 0 RETURN") }];
    const program = `7 1 TSTORE ${calling("CALL", C)} POP 32 0 0 RETURNDATACOPY 0 MLOAD 1 SLOAD ADD`;
    expect(await left(engine, program, { accounts })).toBe(0n);
    expect(
      await left(engine, `7 1 TSTORE ${calling("DELEGATECALL", C)} POP 32 0 0 RETURNDATACOPY 0 MLOAD`, { accounts }),
    ).toBe(7n);
    expect((await runProgram(engine, "7 1 TSTORE 1 TLOAD")).result.gasUsed).toBe(9n + 200n);
  });

  it("is undone where a frame fails, and refused in a static one", async () => {
    const accounts = [{ address: C, code: assemble("9 1 TSTORE 0 0 REVERT") }];
    expect(await left(engine, `7 1 TSTORE ${calling("DELEGATECALL", C)} POP 1 TLOAD`, { accounts })).toBe(7n);
    const { frame } = await runProgram(engine, calling("STATICCALL", C), { accounts });
    expect(frame?.error).toBe("staticStateChange");
  });

  it("earns nothing, and ends with its transaction", async () => {
    using transactions = await Transactions.open({
      engine,
      accounts: [{ address: TARGET, code: assemble("1 TLOAD 0 MSTORE 7 1 TSTORE 0 1 TSTORE 8 1 TSTORE 32 0 RETURN") }],
    });
    for (let round = 0; round < 2; round++) {
      const { result } = await transactions.run();
      expect(result).toMatchObject({ output: word(0n), gasRefund: 0n });
    }
  });

  it("lasts through the messages of a transaction, though not with EthereumJS", async () => {
    using transactions = await Transactions.open({
      engine,
      accounts: [{ address: TARGET, code: assemble("1 TLOAD 0 MSTORE 7 1 TSTORE 32 0 RETURN") }],
    });
    const { session } = transactions;
    const message = {
      from: SENDER,
      to: TARGET,
      createdAddress: undefined,
      value: 0n,
      data: word(0n),
      gasLimit: 100_000n,
      stateGas: 0n,
    };
    session.begin({ origin: SENDER, gasPrice: 1n, blobVersionedHashes: [] });
    await session.run(message);
    // docs/engines.md: it ends with each message there.
    expect((await session.run(message)).output).toEqual(word(engine === "ethereumjs" ? 0n : 7n));
    await session.end();
  });
});
