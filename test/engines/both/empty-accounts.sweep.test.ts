/** Accounts without nonce, ether and code: which are made, which are gone once they are touched (EIP-161). */
import { describe, expect } from "vitest";
import { isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { assemble, calling, deploying } from "../../support/assembler.ts";
import { addressOf, aMessage, OPCODE_HARDFORKS, SENDER, TARGET } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { precompile } from "../../support/precompile-calls.ts";
import { callingCheaply, runProgram, Transactions } from "./running.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const RIPEMD160 = precompile(3);
const EMPTY = { nonce: 0n, balance: 0n };

describe.each(ENGINE_NAMES)("an empty account (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(OPCODE_HARDFORKS)("is gone once it is touched, from Spurious Dragon on (%s)", async (hardfork) => {
    const { account } = await runProgram(engine, callingCheaply("CALL", C), {
      hardfork,
      accounts: [{ address: C }, { address: D }],
    });
    if (isAtLeast(hardfork, "spuriousDragon")) expect(account(C)).toBeUndefined();
    else expect(account(C)).toMatchObject(EMPTY);
    // Nobody touched this one.
    expect(account(D)).toMatchObject(EMPTY);
  });

  it.each(OPCODE_HARDFORKS)("is made by a call without ether before Spurious Dragon (%s)", async (hardfork) => {
    const { account } = await runProgram(engine, callingCheaply("CALL", C), { hardfork });
    if (isAtLeast(hardfork, "spuriousDragon")) expect(account(C)).toBeUndefined();
    else expect(account(C)).toMatchObject(EMPTY);
  });

  it.each([
    ["CALL", callingCheaply("CALL", C), true],
    ["CALL with ether", callingCheaply("CALL", C, 1n), false],
    ["STATICCALL", calling("STATICCALL", C), true],
    ["DELEGATECALL", calling("DELEGATECALL", C), false],
    ["CALLCODE", calling("CALLCODE", C), false],
    ["SELFDESTRUCT without ether", `0 0 0 0 0 ${hex(D)} GAS CALL`, true],
    ["BALANCE", `${hex(C)} BALANCE`, false],
    ["EXTCODEHASH", `${hex(C)} EXTCODEHASH`, false],
  ])("is touched, or not, by %s", async (_name, program, isTouched) => {
    const accounts = [{ address: C }, { address: D, code: assemble(`${hex(C)} SELFDESTRUCT`), nonce: 1n }];
    const given = { hardfork: "byzantium", accounts, target: { balance: 1n } } as const;
    const hardfork = program.includes("EXTCODEHASH") ? "constantinople" : given.hardfork;
    const { account } = await runProgram(engine, program, { ...given, hardfork });
    expect(account(C) === undefined).toBe(isTouched);
  });

  it("is touched by the message itself", async () => {
    using transactions = await Transactions.open({ engine, accounts: [{ address: C }] });
    await transactions.run({ to: C });
    expect(transactions.account(C)).toBeUndefined();
  });

  it("is touched by what the executor sets and pays, even nothing", async () => {
    using transactions = await Transactions.open({ engine, accounts: [{ address: C }, { address: D, balance: 5n }] });
    const { session } = transactions;
    session.begin(aMessage());
    await session.addBalance(C, 0n);
    await session.addBalance(D, -5n);
    expect(await session.getAccount(D)).toMatchObject({ balance: 0n });
    await transactions.end(await session.run(aMessage()));
    expect([transactions.account(C), transactions.account(D)]).toEqual([undefined, undefined]);
  });

  it("that got something before the end is empty no more", async () => {
    using transactions = await Transactions.open({ engine, accounts: [{ address: C }] });
    const { session } = transactions;
    session.begin(aMessage());
    await session.addBalance(C, 0n);
    await session.setNonce(C, 1n);
    await transactions.end(await session.run(aMessage()));
    expect(transactions.account(C)).toMatchObject({ nonce: 1n });
  });

  it("whose contract has no code has nonce 1, and stays", async () => {
    using transactions = await Transactions.open({ engine, hardfork: "spuriousDragon", accounts: [] });
    const { writes } = await transactions.run({ to: undefined, data: deploying(new Uint8Array(0)) });
    expect(writes.filter(({ isDeleted }) => isDeleted)).toEqual([]);
  });
});

describe.each(ENGINE_NAMES)("an empty account that was touched in a frame that failed (%s)", (engine) => {
  const it = onEngine(engine);
  const all = [{ address: TARGET }, { address: C }, { address: RIPEMD160 }, { address: precompile(2) }];
  const touching = `${callingCheaply("CALL", C)} ${callingCheaply("CALL", RIPEMD160)} ${callingCheaply("CALL", precompile(2))}`;
  const hardforks = OPCODE_HARDFORKS.filter((hardfork) => isAtLeast(hardfork, "spuriousDragon"));

  it.each(hardforks)("stays, but for RIPEMD-160's (%s)", async (hardfork) => {
    const end = isAtLeast(hardfork, "byzantium") ? "0 0 REVERT" : "INVALID";
    const accounts = [...all.slice(1), { address: D, code: assemble(`${touching} ${end}`), nonce: 1n }];
    const program = `0 0 0 0 0 ${hex(D)} 400000 CALL`;
    const { account, result } = await runProgram(engine, program, { hardfork, accounts });
    expect(result.error).toBeUndefined();
    expect(account(C)).toMatchObject(EMPTY);
    expect(account(precompile(2))).toMatchObject(EMPTY);
    expect(account(RIPEMD160)).toBeUndefined();
  });

  it("stays where the whole message failed, but for RIPEMD-160's", async () => {
    const { account, result } = await runProgram(engine, `${touching} INVALID`, { accounts: all.slice(1) });
    expect(result.error).toBe("invalidOpcode");
    expect(account(C)).toMatchObject(EMPTY);
    expect(account(RIPEMD160)).toBeUndefined();
  });

  it("of RIPEMD-160 stays where it has ether", async () => {
    const accounts = [{ address: RIPEMD160, balance: 1n }];
    const { account } = await runProgram(engine, `${touching} INVALID`, { accounts });
    expect(account(RIPEMD160)).toMatchObject({ balance: 1n });
  });

  it("of RIPEMD-160 is not touched for good: it stays where that transaction is abandoned", async () => {
    const accounts = [{ address: TARGET, code: assemble(`${touching} INVALID`), nonce: 1n }, ...all.slice(1)];
    using transactions = await Transactions.open({ engine, hardfork: "byzantium", accounts });
    transactions.session.begin(aMessage());
    await transactions.session.run(aMessage({ gasLimit: 1_000_000n }));
    transactions.session.abandon();
    await transactions.run({ to: SENDER });
    expect(transactions.account(RIPEMD160)).toMatchObject(EMPTY);
  });
});
