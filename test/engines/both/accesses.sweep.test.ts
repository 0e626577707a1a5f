/** Warm and cold accounts and slots (EIP-2929), and the accesses that engines report. */
import { describe, expect, it } from "vitest";
import { isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { precompilesAt } from "../../../src/chainspec/hardforks/precompiles.ts";
import { type AccountAccess, ENGINE_NAMES, type EngineName, type EngineSession } from "../../../src/evm/engine.ts";
import { bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling } from "../../support/assembler.ts";
import {
  addressOf,
  aMessage,
  aState,
  OPCODE_HARDFORKS,
  openSession,
  runCode,
  SENDER,
  TARGET,
  word,
} from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { precompile } from "../../support/precompile-calls.ts";
import { AROUND, callingCheaply, left, priceOf, runProgram, Transactions } from "./running.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);

/** Accesses as a record of slots by address. */
function describeAccesses(accesses: readonly AccountAccess[]): Readonly<Record<string, readonly bigint[]>> {
  return Object.fromEntries(accesses.map(({ address, slots }) => [hex(address), slots.map(bytesToBigInt)]));
}

/** Gas of a program at TARGET, with only the given accounts and slots warm. */
async function priceAfter(
  engine: EngineName,
  program: string,
  prepare: (session: EngineSession) => void,
): Promise<bigint> {
  const session = await openSession({ engine, state: aState([{ address: TARGET, code: assemble(program) }]) });
  session.begin(aMessage());
  prepare(session);
  const { gasUsed } = await session.run(aMessage());
  session.close();
  return gasUsed;
}

describe.each(ENGINE_NAMES)("an account or slot (%s)", (engine) => {
  const it = onEngine(engine);
  it("is cold at first, and warm where the transaction says so", async () => {
    const price = (prepare: (session: EngineSession) => void) => priceAfter(engine, `${hex(C)} BALANCE`, prepare);
    expect(await price(() => {})).toBe(3n + 2600n);
    expect(await price((session) => session.warmAddress(C))).toBe(3n + 100n);
    expect(await price((session) => session.warmSlot(C, word(1n)))).toBe(3n + 100n);
    const slot = (prepare: (session: EngineSession) => void) => priceAfter(engine, "1 SLOAD 1 SLOAD", prepare);
    expect(await slot(() => {})).toBe(3n + 2100n + 3n + 100n);
    expect(await slot((session) => session.warmSlot(TARGET, word(1n)))).toBe(3n + 100n + 3n + 100n);
    expect(await slot((session) => session.warmSlot(TARGET, word(2n)))).toBe(3n + 2100n + 3n + 100n);
    expect(await slot((session) => session.warmSlot(C, word(1n)))).toBe(3n + 2100n + 3n + 100n);
  });

  it.each(["berlin", "prague", "osaka"] as const)("of a precompile is warm from the start, in %s", async (hardfork) => {
    for (const { address } of precompilesAt(hardfork)) {
      expect(await left(engine, priceOf(`${hex(address)} BALANCE`), { hardfork })).toBe(AROUND + 3n + 100n);
    }
    const next = hardfork === "osaka" ? 0x101 : 0x12;
    expect(await left(engine, priceOf(`${hex(precompile(next))} BALANCE`), { hardfork })).toBe(AROUND + 3n + 2600n);
  });

  it("is cold again in the next transaction", async () => {
    const accounts = [{ address: TARGET, code: assemble(`1 SLOAD ${hex(C)} BALANCE`) }];
    using transactions = await Transactions.open({ engine, accounts });
    for (let round = 0; round < 3; round++) expect((await transactions.run()).result.gasUsed).toBe(6n + 2100n + 2600n);
  });

  it("is cold again in the next transaction where this one was abandoned", async () => {
    const accounts = [{ address: TARGET, code: assemble(`1 SLOAD ${hex(C)} BALANCE`) }];
    using transactions = await Transactions.open({ engine, accounts });
    transactions.session.begin(aMessage());
    transactions.session.warmAddress(C);
    await transactions.session.run(aMessage());
    transactions.session.abandon();
    expect((await transactions.run()).result.gasUsed).toBe(6n + 2100n + 2600n);
  });

  it("is cold again where the frame that looked at it failed", async () => {
    const accounts = [{ address: C, code: assemble(`9 SLOAD ${hex(D)} BALANCE 0 0 REVERT`) }];
    const twice = `${calling("CALL", C)} POP ${priceOf(calling("CALL", C))}`;
    // The called account stays warm, as its caller looked at it.
    const ofCall = 6n * 3n + 2n + 100n;
    expect(await left(engine, twice, { accounts })).toBe(AROUND + ofCall + 3n + 2100n + 3n + 2600n + 6n);
  });

  it("is warm in all frames once one has looked at it", async () => {
    const accounts = [{ address: C, code: assemble(`9 SLOAD ${hex(D)} BALANCE`) }];
    const looked = `${calling("CALL", C)} POP ${priceOf(`${hex(D)} BALANCE`)}`;
    expect(await left(engine, looked, { accounts })).toBe(AROUND + 3n + 100n);
    expect(await left(engine, `${calling("DELEGATECALL", C)} POP ${priceOf("9 SLOAD")}`, { accounts })).toBe(
      AROUND + 3n + 100n,
    );
    expect(await left(engine, `${calling("CALL", C)} POP ${priceOf("9 SLOAD")}`, { accounts })).toBe(
      AROUND + 3n + 2100n,
    );
  });

  it("becomes warm where an opcode looks at it that fails its frame's child or finds no ether", async () => {
    const accounts = [{ address: C, code: assemble("INVALID") }];
    const warm = AROUND + 3n + 100n;
    expect(await left(engine, `${callingCheaply("CALL", C)} POP ${priceOf(`${hex(C)} BALANCE`)}`, { accounts })).toBe(
      warm,
    );
    expect(await left(engine, `${calling("CALL", C, 1n)} POP ${priceOf(`${hex(C)} BALANCE`)}`, { accounts })).toBe(
      warm,
    );
  });
});

describe.each(ENGINE_NAMES)("a transaction's accesses (%s)", (engine) => {
  const it = onEngine(engine);
  const accounts = [
    { address: TARGET, code: assemble(`${calling("CALL", C)} 5 SLOAD ${hex(D)} EXTCODESIZE`) },
    { address: C, code: assemble("7 9 SSTORE 0 0 LOG0") },
  ];

  it("are its warm accounts, each with its warm slots", async () => {
    using transactions = await Transactions.open({ engine, accounts });
    const { accesses } = await transactions.run();
    expect(describeAccesses(accesses)).toMatchObject({ [hex(C)]: [9n], [hex(TARGET)]: [5n], [hex(D)]: [] });
    // Nothing of it in the next one.
    const next = describeAccesses((await transactions.run({ to: D })).accesses);
    expect(next[hex(D)]).toEqual([]);
    expect([next[hex(C)], next[hex(TARGET)]]).toEqual([undefined, undefined]);
  });

  it("are none before Berlin", async () => {
    using transactions = await Transactions.open({ engine, hardfork: "istanbul", accounts });
    expect((await transactions.run()).accesses).toEqual([]);
  });

  it.each(OPCODE_HARDFORKS)("are told to a recorder, those of reverted frames too (%s)", async (hardfork) => {
    const called = { address: C, code: assemble("7 9 SSTORE INVALID") };
    // A new slot costs more than 100,000 since Amsterdam.
    const cheaply = callingCheaply("CALL", C).replace("100000", "200000");
    const program = `${cheaply} 5 SLOAD ${hex(D)} EXTCODESIZE`;
    const { recorder } = await runProgram(engine, program, { hardfork, accounts: [called] });
    expect(describeAccesses(recorder.accesses)).toEqual({ [hex(C)]: [9n], [hex(TARGET)]: [5n], [hex(D)]: [] });
    expect(isAtLeast(hardfork, "chainstart")).toBe(true);
  });
});

it.each(ENGINE_NAMES)("accesses of a contract that destroys itself are told without its steps (%s)", async (engine) => {
  const accounts = [{ address: TARGET, code: assemble("CALLER SELFDESTRUCT") }];
  const { result, recorder } = await runCode({ engine, accounts, record: { accesses: true } });
  expect(result.error).toBeUndefined();
  expect(recorder.accesses.map(({ address }) => hex(address))).toContain(hex(SENDER));
});
