/**
 * Instructions and rules of Amsterdam: DUPN, SWAPN, EXCHANGE (EIP-8024), SLOTNUM (7843), code sizes (7954), state gas
 * (8037, 8038), logs and SELFDESTRUCT (7708, 8246).
 */
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { encodeData as hex } from "../../../src/primitives/bytes/hex.ts";
import { calling } from "../../support/assembler.ts";
import { aBlock, addressOf, SENDER, TARGET } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { AROUND, creating, left, priceOf, runProgram } from "./running.ts";

const hardfork = "amsterdam";
const C = addressOf(0xcc);
const NEW_ACCOUNT = 183_600n;
const NEW_SLOT = 97_920n;
const zeros = (count: number) => "PUSH0 ".repeat(count);

describe.each(ENGINE_NAMES)("deep stack operations, EIP-8024 (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    // The examples of the EIP.
    ["DUPN of the 17th item", `1 ${zeros(16)} DUPN [80]`, 1n],
    ["SWAPN with the 18th", `1 ${zeros(16)} 2 SWAPN [80]`, 1n],
    ["EXCHANGE of the second and the third", "0 1 2 EXCHANGE [8e] POP", 0n],
    // (0 + 145) mod 256
    ["DUPN at the end of what it reaches, from below", `7 ${zeros(144)} DUPN [00]`, 7n],
    ["DUPN of the 108th, the last before the gap", `7 ${zeros(234)} DUPN [5a]`, 7n],
  ])("%s", async (_, program, top) => {
    expect(await left(engine, program, { hardfork })).toBe(top);
  });

  it.each([
    ["DUPN", "5b"],
    ["DUPN", "7f"],
    ["SWAPN", "5b"],
    ["SWAPN", "60"],
    ["EXCHANGE", "52"],
    ["EXCHANGE", "7f"],
  ])("%s of %s is no operation", async (name, immediate) => {
    const { result } = await runProgram(engine, `${zeros(300)} ${name} [${immediate}]`, { hardfork });
    expect(result).toMatchObject({ error: "invalidOpcode", gasUsed: 10_000_000n });
  });

  it("leaves a JUMPDEST behind it that no valid operand is", async () => {
    expect(await left(engine, "4 JUMP DUPN [5b] 9", { hardfork })).toBe(9n);
  });

  it.each([`${zeros(16)} DUPN [80]`, `${zeros(17)} SWAPN [80]`, "0 1 EXCHANGE [8e]"])(
    "needs the items: %s",
    async (program) => {
      expect((await runProgram(engine, program, { hardfork })).result.error).toBe("stackUnderflow");
    },
  );

  it("costs 3", async () => {
    const price = await left(engine, `${zeros(17)} ${priceOf("DUPN [80]")}`, { hardfork });
    expect(price).toBe(3n + AROUND);
  });

  it.each(["DUPN", "SWAPN", "EXCHANGE", "SLOTNUM"])("is no operation before: %s", async (name) => {
    const { result } = await runProgram(engine, `${zeros(30)} ${name} [80]`, { hardfork: "bpo5" });
    expect(result.error).toBe("invalidOpcode");
  });
});

describe.each(ENGINE_NAMES)("SLOTNUM, EIP-7843 (%s)", (engine) => {
  it("is the slot of the block", async () => {
    const block = aBlock(hardfork, { slotNumber: 1_234_567n });
    expect(await left(engine, "SLOTNUM", { hardfork, block })).toBe(1_234_567n);
    expect(await left(engine, priceOf("SLOTNUM"), { hardfork, block })).toBe(2n + AROUND);
  });
});

describe.each(ENGINE_NAMES)("prices, EIP-8038 (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    ["BALANCE", `${hex(C)} BALANCE`, 3_000n + 3n],
    ["EXTCODESIZE, which reads the code too", `${hex(C)} EXTCODESIZE`, 3_000n + 100n + 3n],
    ["EXTCODEHASH", `${hex(C)} EXTCODEHASH`, 3_000n + 3n],
    ["SLOAD", "5 SLOAD", 2_100n + 3n],
  ])("%s of what is cold", async (_, program, price) => {
    expect(await left(engine, priceOf(program), { hardfork })).toBe(price + AROUND);
  });
});

describe.each(ENGINE_NAMES)("state gas, EIP-8037 (%s)", (engine) => {
  const it = onEngine(engine);
  const run = (program: string, gasLimit: bigint, stateGas: bigint) =>
    runProgram(engine, program, { hardfork, gasLimit, message: { stateGas } });

  it("comes from its own gas first", async () => {
    const { result } = await run("1 1 SSTORE", 100_000n, 100_000n);
    expect(result).toMatchObject({ error: undefined, stateGasUsed: NEW_SLOT, stateGasLeft: 100_000n - NEW_SLOT });
    expect(result.gasUsed).toBe(6n + 12_100n);
  });

  it("comes from other gas where there is none, to the last unit", async () => {
    const { result: plenty } = await run("1 1 SSTORE", 1_000_000n, 0n);
    expect(plenty).toMatchObject({ error: undefined, stateGasUsed: NEW_SLOT, stateGasLeft: 0n });
    const need = plenty.gasUsed;
    expect(await run("1 1 SSTORE", need, 0n)).toMatchObject({ result: { error: undefined, gasUsed: need } });
    expect(await run("1 1 SSTORE", need - 1n, 0n)).toMatchObject({ result: { error: "outOfGas", stateGasUsed: 0n } });
    // One unit of each: what is missing of the one, the other gives.
    expect(await run("1 1 SSTORE", need - 1n, 1n)).toMatchObject({ result: { error: undefined, stateGasLeft: 0n } });
  });

  it("comes back where the frame fails, and where what it made is gone again", async () => {
    for (const program of ["1 1 SSTORE 0 0 REVERT", "1 1 SSTORE INVALID", "1 1 SSTORE 0 1 SSTORE"]) {
      const { result } = await run(program, 1_000_000n, 200_000n);
      expect(result).toMatchObject({ stateGasUsed: 0n, stateGasLeft: 200_000n });
    }
  });

  it("that its own frame gave is that frame's gas again at once", async () => {
    const { result } = await run("1 1 SSTORE 0 1 SSTORE 1 1 SSTORE", 1_000_000n, 0n);
    expect(result).toMatchObject({ error: undefined, stateGasUsed: NEW_SLOT, stateGasLeft: 0n });
    expect(result.gasUsed).toBe(120_238n);
  });

  it("of a call with value to an account that is not there", async () => {
    const given = { hardfork, target: { balance: 5n }, message: { stateGas: 400_000n } } as const;
    const paying = await runProgram(engine, calling("CALL", C, 1n), given);
    expect(paying.result).toMatchObject({ error: undefined, stateGasUsed: NEW_ACCOUNT });
    const there = { ...given, accounts: [{ address: C, nonce: 1n }] };
    expect((await runProgram(engine, calling("CALL", C, 1n), there)).result).toMatchObject({ stateGasUsed: 0n });
    expect((await runProgram(engine, calling("CALL", C, 0n), given)).result).toMatchObject({ stateGasUsed: 0n });
  });

  it("of a creation: the account, and 1,530 for each byte of code", async () => {
    const creation = await runProgram(engine, creating("3 0 RETURN"), { hardfork, message: { stateGas: 400_000n } });
    expect(creation.result).toMatchObject({ error: undefined, stateGasUsed: NEW_ACCOUNT + 3n * 1_530n });
    const failing = await runProgram(engine, creating("0 0 REVERT"), { hardfork, message: { stateGas: 400_000n } });
    expect(failing.result).toMatchObject({ error: undefined, stateGasUsed: 0n, stateGasLeft: 400_000n });
  });
});

describe.each(ENGINE_NAMES)("sizes of code, EIP-7954 (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    [65_536, true],
    [65_537, false],
  ])("%i bytes", async (size, isFine) => {
    const stateGas = 200_000_000n;
    const { result } = await runProgram(engine, creating(`${size} 0 RETURN`), { hardfork, message: { stateGas } });
    expect(result).toMatchObject({ error: undefined, stateGasUsed: isFine ? NEW_ACCOUNT + BigInt(size) * 1_530n : 0n });
  });

  it.each([
    [131_072, undefined],
    [131_073, "initCodeTooLarge"],
  ])("init code of %i bytes", async (size, error) => {
    const { result } = await runProgram(engine, `${size} 0 0 CREATE`, { hardfork });
    expect(result.error === undefined ? undefined : "initCodeTooLarge").toBe(error);
  });
});

describe.each(ENGINE_NAMES)("transfers, EIPs 7708 and 8246 (%s)", (engine) => {
  const it = onEngine(engine);
  const SYSTEM = "0xfffffffffffffffffffffffffffffffffffffffe";

  it("of a call are logs before those of the called code; of a failed one there are none", async () => {
    const accounts = [{ address: C, code: Uint8Array.of(0x5f, 0x5f, 0xa0) }];
    const given = { hardfork, target: { balance: 5n }, accounts } as const;
    const { result } = await runProgram(engine, calling("CALL", C, 2n), given);
    expect(result.logs.map(({ address }) => hex(address))).toEqual([SYSTEM, hex(C)]);
    expect(result.logs[0]?.topics.slice(1).map((topic) => hex(topic).slice(26))).toEqual(
      [TARGET, C].map((address) => hex(address).slice(2)),
    );
    const failing = { ...given, accounts: [{ address: C, code: Uint8Array.of(0xfe) }] };
    expect((await runProgram(engine, calling("CALL", C, 2n), failing)).result.logs).toEqual([]);
    const earlier = { ...given, hardfork: "bpo5" } as const;
    expect((await runProgram(engine, calling("CALL", C, 2n), earlier)).result.logs).toHaveLength(1);
  });

  it("of SELFDESTRUCT to another are logs; to itself nothing is burnt", async () => {
    const given = { hardfork, target: { balance: 5n } } as const;
    const paid = await runProgram(engine, `${hex(SENDER)} SELFDESTRUCT`, given);
    expect(paid.result.logs).toHaveLength(1);
    const kept = await runProgram(engine, "ADDRESS SELFDESTRUCT", given);
    expect(kept.result.logs).toEqual([]);
    expect(kept.account(TARGET)?.balance).toBe(5n);
    // A contract of the same transaction keeps what it has too.
    const created = await runProgram(engine, creating("ADDRESS SELFDESTRUCT", 3), given);
    const log = created.result.logs[0];
    expect(created.result.logs).toHaveLength(1);
    const address = log?.topics[2]?.subarray(12) ?? C;
    expect(created.account(address)).toMatchObject({ balance: 3n, nonce: 0n });
  });
});
