/**
 * Exact prices on Amsterdam: each operation runs with its price as gas, and not with one unit less (EIPs 7843, 8024, 8037,
 * 8038).
 */
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import { encodeData as hex } from "../../../src/primitives/bytes/hex.ts";
import { assemble, calling } from "../../support/assembler.ts";
import { addressOf, TARGET, type TestAccount } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { precompile } from "../../support/precompile-calls.ts";
import { creating, left, type ProgramGiven, runProgram } from "./running.ts";

const hardfork = "amsterdam";
/** An account that is not there, one that is, and one that delegates to the latter (EIP-7702). */
const [NOBODY, SOMEBODY, DELEGATOR] = [addressOf(0xcc), addressOf(0xcd), addressOf(0xce)] as const;
const designator = (delegate: Uint8Array) => Uint8Array.of(0xef, 0x01, 0x00, ...delegate);

const NEW_ACCOUNT = 183_600;
const NEW_SLOT = 97_920;
/** Words that call with no gas of the caller's, so that all of the price is that of the call. Seven pushes cost 21. */
const giving = (kind: string, address: Uint8Array, value?: bigint) => calling(kind, address, value).replace("GAS", "0");

/** Gas for all purposes, gas for state, and gas that a call gives back: the stipend of a call that ran no code. */
type Price = readonly [name: string, program: string, gas: number, stateGas?: number, givenBack?: number];

const ACCESSES: readonly Price[] = [
  ["BALANCE, cold", `${hex(NOBODY)} BALANCE`, 3 + 3_000],
  ["BALANCE, warm", `${hex(TARGET)} BALANCE`, 3 + 100],
  ["EXTCODEHASH, cold", `${hex(NOBODY)} EXTCODEHASH`, 3 + 3_000],
  ["EXTCODESIZE, cold", `${hex(NOBODY)} EXTCODESIZE`, 3 + 3_000 + 100],
  ["EXTCODESIZE, warm", `${hex(TARGET)} EXTCODESIZE`, 3 + 100 + 100],
  ["EXTCODECOPY of 33 bytes, cold", `33 0 0 ${hex(NOBODY)} EXTCODECOPY`, 12 + 3_000 + 100 + 2 * 3 + 2 * 3],
  ["SLOAD, cold", "5 SLOAD", 3 + 2_100],
  ["SLOAD, warm", "5 SLOAD 5 SLOAD", 3 + 2_100 + 3 + 100],
];

const STORING: readonly Price[] = [
  ["SSTORE of a new slot", "1 5 SSTORE", 6 + 2_100 + 10_000, NEW_SLOT],
  ["SSTORE of a new slot that was looked at", "5 SLOAD 1 5 SSTORE", 3 + 2_100 + 6 + 100 + 10_000, NEW_SLOT],
  ["SSTORE of another value", "2 1 SSTORE", 6 + 2_100 + 10_000],
  ["SSTORE of another value twice", "2 1 SSTORE 3 1 SSTORE", 6 + 2_100 + 10_000 + 6 + 2_301, 0, 2_301 - 100],
  // EIP-2200: it fails unless more than 2,300 gas is left, whatever it costs.
  ["SSTORE of the same value", "9 1 SSTORE", 6 + 2_301, 0, 2_301 - 2_100],
];

const CALLS: readonly Price[] = [
  ["CALL, cold", giving("CALL", NOBODY), 21 + 3_000],
  ["CALL, warm", giving("CALL", TARGET), 21 + 100],
  ["CALL with value", giving("CALL", SOMEBODY, 1n), 21 + 3_000 + 11_300, 0, 2_300],
  ["CALL with value to nobody", giving("CALL", NOBODY, 1n), 21 + 3_000 + 11_300, NEW_ACCOUNT, 2_300],
  ["CALLCODE with value", giving("CALLCODE", NOBODY, 1n), 21 + 3_000 + 11_300, 0, 2_300],
  ["DELEGATECALL, cold", giving("DELEGATECALL", NOBODY), 18 + 3_000],
  ["STATICCALL, cold", giving("STATICCALL", NOBODY), 18 + 3_000],
  ["CALL of a delegated account", giving("CALL", DELEGATOR), 21 + 3_000 + 3_000],
  ["CALL of one whose delegate is warm", `${hex(SOMEBODY)} BALANCE ${giving("CALL", DELEGATOR)}`, 3_024 + 3_000 + 100],
];

const CREATIONS: readonly Price[] = [
  ["CREATE", "0 0 0 CREATE", 9 + 12_000, NEW_ACCOUNT],
  ["CREATE of 33 bytes", "33 0 0 CREATE", 9 + 12_000 + 2 * 2 + 2 * 3, NEW_ACCOUNT],
  ["CREATE2", "0 0 0 0 CREATE2", 12 + 12_000, NEW_ACCOUNT],
  ["CREATE2 of 33 bytes", "0 33 0 0 CREATE2", 12 + 12_000 + 2 * (2 + 6) + 2 * 3, NEW_ACCOUNT],
  ["SELFDESTRUCT to somebody", `${hex(SOMEBODY)} SELFDESTRUCT`, 3 + 5_000 + 3_000],
  ["SELFDESTRUCT to nobody", `${hex(NOBODY)} SELFDESTRUCT`, 3 + 5_000 + 3_000 + 9_000, NEW_ACCOUNT],
];

const OTHERS: readonly Price[] = [
  ["SLOTNUM", "SLOTNUM", 2],
  ["DUPN", `${"PUSH0 ".repeat(17)} DUPN [80]`, 34 + 3],
  ["SWAPN", `${"PUSH0 ".repeat(18)} SWAPN [80]`, 36 + 3],
  ["EXCHANGE", "PUSH0 PUSH0 PUSH0 EXCHANGE [8e]", 6 + 3],
];

const PRICES = [...ACCESSES, ...STORING, ...CALLS, ...CREATIONS, ...OTHERS].map(
  ([name, program, gas, stateGas = 0, givenBack = 0]) => ({ name, program, gas, stateGas, givenBack }),
);

const ACCOUNTS: readonly TestAccount[] = [
  { address: SOMEBODY, nonce: 1n },
  { address: DELEGATOR, nonce: 1n, code: designator(SOMEBODY) },
];
const GIVEN: ProgramGiven = { hardfork, accounts: ACCOUNTS, target: { balance: 5n, storage: [[1n, 9n]] } };

/** Runs a program with so much gas for all purposes and for state. */
function runWith(engine: EngineName, program: string, [gas, stateGas]: readonly [number, number]) {
  return runProgram(engine, program, { ...GIVEN, gasLimit: BigInt(gas), message: { stateGas: BigInt(stateGas) } });
}

describe.each(ENGINE_NAMES)("the exact price (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(PRICES)("of $name", async ({ program, gas, stateGas, givenBack }) => {
    const { result } = await runWith(engine, program, [gas + stateGas, 0]);
    const gasUsed = BigInt(gas + stateGas - givenBack);
    expect(result).toMatchObject({ error: undefined, gasUsed, stateGasUsed: BigInt(stateGas) });
    const { result: less } = await runWith(engine, program, [gas + stateGas - 1, 0]);
    expect(less).toMatchObject({ error: "outOfGas", gasUsed: BigInt(gas + stateGas - 1), stateGasUsed: 0n });
  });

  it.each(PRICES.filter(({ stateGas }) => stateGas > 0))(
    "of $name, with all state gas from beside",
    async ({ program, gas, stateGas, givenBack }) => {
      const { result } = await runWith(engine, program, [gas, stateGas]);
      expect(result).toMatchObject({ error: undefined, gasUsed: BigInt(gas - givenBack), stateGasLeft: 0n });
      // State gas cannot stand in for other gas; what is missing of it is taken from the other.
      const { result: lessGas } = await runWith(engine, program, [gas - 1, stateGas + 1]);
      expect(lessGas).toMatchObject({ error: "outOfGas", stateGasLeft: BigInt(stateGas + 1) });
      const { result: lessState } = await runWith(engine, program, [gas, stateGas - 1]);
      expect(lessState).toMatchObject({ error: "outOfGas", stateGasLeft: BigInt(stateGas - 1) });
    },
  );
});

describe.each(ENGINE_NAMES)("the deposit of code, EIP-8037 (%s)", (engine) => {
  const it = onEngine(engine);
  /** Gas of the creator: the init code written to memory, operands, the creation and a word of init code. */
  const CREATOR = 12 + 9 + 12_000 + 2;
  /** Gas of the init code: two pushes, a word of memory, and 6 for a word of code. */
  const CHILD = 6 + 3 + 6;
  const deposits = async (gas: number, stateGas: number) => {
    const ran = await runWith(engine, creating("1 0 RETURN"), [gas, stateGas]);
    expect(ran.result.error).toBeUndefined();
    return { code: ran.recorder.frames[1]?.error ?? "deployed", used: ran.result.stateGasUsed };
  };

  it("is paid from the gas of the init code, which is all but a 64th", async () => {
    const enough = CREATOR + NEW_ACCOUNT + 1_569;
    expect(1_569 - Math.floor(1_569 / 64)).toBe(CHILD + 1_530);
    expect(await deposits(enough, 0)).toEqual({ code: "deployed", used: BigInt(NEW_ACCOUNT + 1_530) });
    expect(await deposits(enough - 1, 0)).toEqual({ code: "codeStoreOutOfGas", used: 0n });
  });

  it("is paid from state gas if there is any", async () => {
    const deployed = { code: "deployed", used: BigInt(NEW_ACCOUNT + 1_530) };
    expect(await deposits(CREATOR + CHILD, NEW_ACCOUNT + 1_530)).toEqual(deployed);
    expect(await deposits(CREATOR + CHILD, NEW_ACCOUNT + 1_529)).toEqual({ code: "codeStoreOutOfGas", used: 0n });
    expect(await deposits(CREATOR + CHILD - 1, NEW_ACCOUNT + 1_530)).toEqual({ code: "codeStoreOutOfGas", used: 0n });
  });
});

// Not with EthereumJS 10.1.3, which leaves the gas with that for state (docs/amsterdam.md).
describe("state gas of one frame that another frees, EIP-8037", () => {
  /** Stores the size of its call data in slot 7 of whoever calls it by DELEGATECALL. */
  const STORER = addressOf(0xc1);
  const storing = (size: number) => `0 0 ${size} 0 ${hex(STORER)} GAS DELEGATECALL POP`;
  const accounts = [{ address: STORER, nonce: 1n, code: assemble("CALLDATASIZE 7 SSTORE") }];

  it.each([
    ["its caller", "1 7 SSTORE"],
    ["a call before", storing(1)],
  ])("is the caller's gas again when the call ends, if %s paid for it", async (_, first) => {
    const gasLeft = (stateGas: bigint) =>
      left("wasm", `${first} ${storing(0)} GAS`, { hardfork, accounts, message: { stateGas } });
    // With enough gas for state beside, none of it comes from the other.
    expect(await gasLeft(0n)).toBe(await gasLeft(97_920n));
  });

  it("stays spent where the call that frees it fails", async () => {
    const failing = [{ ...accounts[0], address: STORER, code: assemble("0 7 SSTORE 0 0 REVERT") }];
    const gasLeft = (stateGas: bigint) =>
      left("wasm", `1 7 SSTORE ${storing(0)} GAS`, { hardfork, accounts: failing, message: { stateGas } });
    expect((await gasLeft(97_920n)) - (await gasLeft(0n))).toBe(97_920n);
  });
});

describe.each(ENGINE_NAMES)("pairs of EXCHANGE, EIP-8024 (%s)", (engine) => {
  const it = onEngine(engine);
  it.each([
    // x xor 143 gives two numbers q and r below 16: positions q + 1 and r + 1 if q < r, else r + 1 and 29 − q.
    ["8e", 1, 2],
    ["00", 9, 16],
    ["51", 14, 15],
    ["80", 1, 16],
    ["8f", 1, 29],
    ["ff", 1, 22],
  ])("[%s] are items %i and %i below the top", async (immediate, first, second) => {
    const stack = Array.from({ length: 30 }, (_, depth) => `${100 + depth}`)
      .reverse()
      .join(" ");
    const below = (depth: number) => `${"POP ".repeat(depth)}`;
    expect(await left(engine, `${stack} EXCHANGE [${immediate}] ${below(first)}`, GIVEN)).toBe(BigInt(100 + second));
    expect(await left(engine, `${stack} EXCHANGE [${immediate}] ${below(second)}`, GIVEN)).toBe(BigInt(100 + first));
  });

  it.each([
    ["DUPN", 145],
    ["SWAPN", 146],
    ["EXCHANGE", 17],
  ])("%s at the end of code reads 0 as its operand", async (name, items) => {
    const run = (count: number) => runProgram(engine, `${"PUSH0 ".repeat(count)} ${name}`, GIVEN);
    expect((await run(items)).result.error).toBeUndefined();
    expect((await run(items - 1)).result.error).toBe("stackUnderflow");
  });
});

describe.each(ENGINE_NAMES)("the log of a transfer, EIP-7708 (%s)", (engine) => {
  const it = onEngine(engine);
  const logsOf = async (program: string) => (await runProgram(engine, program, GIVEN)).result.logs.length;

  it.each([
    ["a call with value", calling("CALL", SOMEBODY, 1n), 1],
    ["a creation with value", creating("STOP", 1), 1],
    ["SELFDESTRUCT to another", `${hex(SOMEBODY)} SELFDESTRUCT`, 1],
    ["a call without value", calling("CALL", SOMEBODY, 0n), 0],
    ["a call with value to itself", `${giving("CALL", TARGET, 1n)}`, 0],
    ["CALLCODE with value, which moves none", calling("CALLCODE", SOMEBODY, 1n), 0],
    ["a call with more value than there is", calling("CALL", SOMEBODY, 6n), 0],
    ["a creation that fails", creating("INVALID", 1), 0],
    ["SELFDESTRUCT to itself", "ADDRESS SELFDESTRUCT", 0],
    ["a precompile that is paid", giving("CALL", precompile(4), 1n), 1],
  ])("%s", async (_, program, count) => {
    expect(await logsOf(program)).toBe(count);
  });
});
