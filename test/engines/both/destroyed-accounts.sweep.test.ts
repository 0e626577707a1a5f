/** SELFDESTRUCT: what goes, what stays, where the ether ends up, and what a later transaction finds. */
import { describe, expect } from "vitest";
import { type Hardfork, isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { createAddress, createSaltedAddress } from "../../../src/primitives/address.ts";
import { bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { assemble, calling, deploying } from "../../support/assembler.ts";
import { addressOf, aMessage, OPCODE_HARDFORKS, SENDER, TARGET, type TestAccount, word } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { callingCheaply, creating, left, type ProgramGiven, run, runProgram, Transactions } from "./running.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const E = addressOf(0xee);
const DESTROYING = assemble("CALLER SELFDESTRUCT");
const FIRST = createAddress(TARGET, 1n);

/** Words that create a contract with the code CALLER SELFDESTRUCT, and leave its address. */
const creation = creating("0x33ff 0 MSTORE 2 30 RETURN");
/** Words that call the address on the stack, which stays there. */
const callTop = "0 0 0 0 0 DUP6 GAS CALL POP";

describe.each(ENGINE_NAMES)("an account that destroyed itself (%s)", (engine) => {
  const it = onEngine(engine);
  /** Whether a program has D destroyed, which destroys itself when it is called; C has the other code. */
  async function destroys(program: string, code: string): Promise<boolean> {
    const accounts = [
      { address: C, code: assemble(code) },
      { address: D, code: DESTROYING, balance: 1n },
    ];
    const { result, account, deleted } = await runProgram(engine, program, { hardfork: "shanghai", accounts });
    expect(result.error).toBeUndefined();
    expect(deleted.map(hex)).toEqual(account(D) === undefined ? [hex(D)] : []);
    return account(D) === undefined;
  }

  it("goes where all its callers end well", async () => {
    expect(await destroys(callingCheaply("CALL", C), callingCheaply("CALL", D))).toBe(true);
  });

  it("stays where a caller fails", async () => {
    expect(await destroys(calling("CALL", C), `${callingCheaply("CALL", D)} 0 0 REVERT`)).toBe(false);
    expect(await destroys(callingCheaply("CALL", C), `${callingCheaply("CALL", D)} INVALID`)).toBe(false);
  });

  it("goes where a caller that fails was not the first to call it", async () => {
    const twice = `${callingCheaply("CALL", D)} ${calling("CALL", C)}`;
    expect(await destroys(twice, `${callingCheaply("CALL", D)} INVALID`)).toBe(true);
  });

  it("goes at the end of the transaction, with its storage; until then it has its code and slots", async () => {
    const accounts = [
      {
        address: C,
        code: assemble("1 SLOAD CALLVALUE @end JUMPI CALLER SELFDESTRUCT end: 0 MSTORE 32 0 RETURN"),
        storage: [[1n, 9n]] as const,
      },
    ];
    const program = `${callingCheaply("CALL", C)} POP 32 0 0 0 1 ${hex(C)} GAS CALL POP 0 MLOAD ${hex(C)} EXTCODESIZE 32 MSTORE 0 MSTORE 64 0 RETURN`;
    const { result, account, slot } = await runProgram(engine, program, {
      hardfork: "shanghai",
      accounts,
      target: { balance: 1n },
    });
    expect(bytesToBigInt(result.output.subarray(0, 32))).toBe(9n);
    expect(bytesToBigInt(result.output.subarray(32))).toBe(BigInt(accounts[0]?.code.length ?? 0));
    expect(account(C)).toBeUndefined();
    expect(slot(C, 1n)).toBe(0n);
  });

  it("can be the one that the transaction calls or creates", async () => {
    const called = await run(engine, { hardfork: "shanghai", code: DESTROYING });
    expect(called.deleted.map(hex)).toEqual([hex(TARGET)]);
    for (const hardfork of ["shanghai", "cancun"] as const) {
      const created = await run(engine, { hardfork, message: { to: undefined, data: DESTROYING, value: 3n } });
      expect(created.recorder.frames[0]?.selfDestruct).toMatchObject({ balance: 3n });
      expect(created.account(createAddress(SENDER, 0n))).toBeUndefined();
      expect(created.account(SENDER)?.balance).toBe(10n ** 20n);
    }
  });
});

describe.each(ENGINE_NAMES)("ether (%s)", (engine) => {
  const it = onEngine(engine);
  const rich: TestAccount = { address: C, code: assemble(`${hex(D)} SELFDESTRUCT`), balance: 5n, nonce: 1n };

  it.each(["chainstart", "shanghai", "cancun", "osaka"] as const)(
    "goes to the beneficiary at once (%s)",
    async (hardfork) => {
      const program = `${callingCheaply("CALL", C)} POP ${hex(D)} BALANCE ${hex(C)} BALANCE 256 MUL ADD`;
      expect(await left(engine, program, { hardfork, accounts: [rich] })).toBe(5n);
    },
  );

  it.each([
    ["shanghai", undefined],
    ["cancun", 2n],
  ] as const)("that is sent to a destroyed account is gone with it, if that goes (%s)", async (hardfork, balance) => {
    const program = `${callingCheaply("CALL", C)} ${callingCheaply("CALL", C, 2n)}`;
    const given: ProgramGiven = { hardfork, target: { balance: 10n } };
    // Only the first call destroys; the second one's ether stays where it came.
    const code = assemble("CALLVALUE @end JUMPI CALLER SELFDESTRUCT end: STOP");
    const { account } = await runProgram(engine, program, { ...given, accounts: [{ ...rich, code }] });
    expect(account(C)?.balance).toBe(balance);
    expect(account(TARGET)?.balance).toBe(13n);
  });

  it.each([
    ["chainstart", undefined],
    ["shanghai", undefined],
    ["cancun", 5n],
  ] as const)("that an account leaves to itself is gone with it, if that goes (%s)", async (hardfork, balance) => {
    const accounts = [{ ...rich, code: assemble("ADDRESS SELFDESTRUCT") }];
    const { account } = await runProgram(engine, callingCheaply("CALL", C), { hardfork, accounts });
    expect(account(C)?.balance).toBe(balance);
  });

  it("that a new contract leaves to itself is gone with it (cancun)", async () => {
    const { account } = await runProgram(engine, creating("ADDRESS SELFDESTRUCT", 3), { target: { balance: 10n } });
    expect(account(FIRST)).toBeUndefined();
    expect(account(TARGET)?.balance).toBe(7n);
  });

  it("makes the beneficiary where there is some, before Spurious Dragon also where there is none", async () => {
    const made = async (hardfork: Hardfork, balance: bigint) => {
      const { account } = await runProgram(engine, callingCheaply("CALL", C), {
        hardfork,
        accounts: [{ ...rich, balance }],
      });
      return account(D)?.balance;
    };
    expect(await made("shanghai", 5n)).toBe(5n);
    expect(await made("shanghai", 0n)).toBeUndefined();
    expect(await made("homestead", 0n)).toBe(0n);
    expect(await made("tangerineWhistle", 0n)).toBe(0n);
    expect(await made("spuriousDragon", 0n)).toBeUndefined();
  });
});

describe.each(ENGINE_NAMES)("the refund of SELFDESTRUCT (%s)", (engine) => {
  const it = onEngine(engine);
  const accounts = [{ address: C, code: DESTROYING, nonce: 1n }];

  it.each(OPCODE_HARDFORKS)("is earned once for each account, until London (%s)", async (hardfork) => {
    const refundOf = async (program: string, more: readonly TestAccount[] = []) =>
      (await runProgram(engine, program, { hardfork, accounts: [...accounts, ...more] })).result.gasRefund;
    const once = isAtLeast(hardfork, "london") ? 0n : 24_000n;
    expect(await refundOf(callingCheaply("CALL", C))).toBe(once);
    expect(await refundOf(`${callingCheaply("CALL", C)} ${callingCheaply("CALL", C)}`)).toBe(once);
    expect(
      await refundOf(`${callingCheaply("CALL", C)} ${callingCheaply("CALL", D)}`, [{ address: D, code: DESTROYING }]),
    ).toBe(2n * once);
  });

  it("is taken back where the frame fails, and can be earned then", async () => {
    const failing = { address: E, code: assemble(`${callingCheaply("CALL", C)} INVALID`) };
    const limited = `0 0 0 0 0 ${hex(E)} 100000 CALL`;
    const given = { hardfork: "berlin", accounts: [...accounts, failing] } as const;
    expect((await runProgram(engine, limited, given)).result.gasRefund).toBe(0n);
    expect((await runProgram(engine, `${limited} ${callingCheaply("CALL", C)}`, given)).result.gasRefund).toBe(24_000n);
    expect((await runProgram(engine, `${callingCheaply("CALL", C)} ${limited}`, given)).result.gasRefund).toBe(24_000n);
  });
});

describe.each(ENGINE_NAMES)("the price of SELFDESTRUCT (%s)", (engine) => {
  const it = onEngine(engine);
  it.each<readonly [Hardfork, bigint, bigint]>([
    ["chainstart", 0n, 0n],
    ["tangerineWhistle", 30_000n, 30_000n],
    ["spuriousDragon", 5_000n, 30_000n],
    ["istanbul", 5_000n, 30_000n],
    ["berlin", 7_600n, 32_600n],
    ["osaka", 7_600n, 32_600n],
  ])(
    "depends on whether it makes an account, and on how warm that is (%s)",
    async (hardfork, withoutEther, withEther) => {
      const gasWith = async (balance: bigint) =>
        (await runProgram(engine, `${hex(D)} SELFDESTRUCT`, { hardfork, target: { balance } })).result.gasUsed - 3n;
      expect([await gasWith(0n), await gasWith(1n)]).toEqual([withoutEther, withEther]);
    },
  );

  it("is charged again by an account that has no ether left", async () => {
    const accounts = [{ address: C, code: assemble(`${hex(D)} SELFDESTRUCT`), balance: 1n }];
    const { recorder } = await runProgram(engine, `${callingCheaply("CALL", C)} ${callingCheaply("CALL", C)}`, {
      accounts,
    });
    expect(recorder.frames.map(({ gasUsed }) => gasUsed).slice(1)).toEqual([3n + 5_000n + 27_600n, 3n + 5_000n]);
  });

  it("is not asked of a static frame, which it ends", async () => {
    const accounts = [{ address: C, code: DESTROYING }];
    const { frame, deleted } = await runProgram(engine, calling("STATICCALL", C), { accounts, hardfork: "shanghai" });
    expect(frame?.error).toBe("staticStateChange");
    expect(deleted).toEqual([]);
  });
});

describe.each(ENGINE_NAMES)("SELFDESTRUCT from Cancun on, EIP-6780 (%s)", (engine) => {
  const it = onEngine(engine);
  /** Whether the contract that a program creates first is gone in the end. */
  const isDestroyed = async (program: string): Promise<boolean> => {
    const { result, account, recorder } = await runProgram(engine, program, { hardfork: "osaka" });
    expect(result.error).toBeUndefined();
    expect(recorder.frames.filter(({ selfDestruct }) => selfDestruct !== undefined)).toHaveLength(1);
    return account(FIRST) === undefined;
  };

  it("destroys what was created in the transaction, in its init code or later", async () => {
    expect(await isDestroyed(creating("CALLER SELFDESTRUCT"))).toBe(true);
    expect(await isDestroyed(`${creation} ${callTop}`)).toBe(true);
  });

  it("destroys nothing that was there before", async () => {
    const { account, deleted } = await runProgram(engine, "CALLER SELFDESTRUCT", { hardfork: "osaka" });
    expect(account(TARGET)?.nonce).toBe(1n);
    expect(deleted).toEqual([]);
  });

  it("destroys what was created although another creation failed in between", async () => {
    expect(await isDestroyed(`${creation} ${creating("ADDRESS POP INVALID")} POP ${callTop}`)).toBe(true);
  });

  it("does not take an account for created whose creation was undone", async () => {
    const address = createSaltedAddress(C, word(1n), DESTROYING);
    const code = assemble(`${creating("CALLER SELFDESTRUCT", 0, 1)} POP INVALID`);
    using transactions = await Transactions.open({
      engine,
      hardfork: "osaka",
      accounts: [
        { address: C, nonce: 1n, code },
        { address, balance: 7n },
      ],
    });
    const { session } = transactions;
    session.begin({ origin: SENDER, gasPrice: 1n, blobVersionedHashes: [] });
    expect((await session.run(aMessage({ to: C, gasLimit: 1_000_000n }))).error).toBe("invalidOpcode");
    // It has not been created in this transaction, so that it stays, though without its ether.
    await session.setCode(address, DESTROYING);
    const { writes } = await transactions.end(await session.run(aMessage({ to: address })));
    expect(writes.filter(({ isDeleted, wipesStorage }) => isDeleted || wipesStorage)).toEqual([]);
    expect(transactions.account(address)).toMatchObject({ nonce: 0n, balance: 0n });
    expect(transactions.account(SENDER)?.balance).toBe(10n ** 20n + 7n);
  });

  it("destroys nothing where only code runs that was created in the transaction", async () => {
    const { account } = await runProgram(engine, `${creation} 0 0 0 0 DUP5 GAS DELEGATECALL`, { hardfork: "osaka" });
    expect(account(TARGET)?.nonce).toBe(2n);
    expect(account(FIRST)?.nonce).toBe(1n);
  });

  it("destroys what the next transaction creates, but not what the last one did", async () => {
    const accounts = [{ address: TARGET, nonce: 1n, code: assemble(creation) }];
    using transactions = await Transactions.open({ engine, hardfork: "osaka", accounts });
    await transactions.run();
    expect(transactions.account(FIRST)?.nonce).toBe(1n);
    const { writes } = await transactions.run({ to: FIRST });
    expect(writes.filter(({ isDeleted }) => isDeleted)).toEqual([]);
    expect(transactions.account(FIRST)?.nonce).toBe(1n);
  });
});

describe.each(ENGINE_NAMES)("an account that is destroyed and made again (%s)", (engine) => {
  const it = onEngine(engine);
  /** Its code answers slot 1, and destroys itself where ether comes with the call. */
  const runtime = assemble("CALLVALUE @end JUMPI 1 SLOAD 0 MSTORE 32 0 RETURN end: CALLER SELFDESTRUCT");
  const init = deploying(runtime);
  const factory = addressOf(0xfa);
  const address = createSaltedAddress(factory, word(7n), init);
  const creating = assemble("CALLDATASIZE 0 0 CALLDATACOPY 7 CALLDATASIZE 0 CALLVALUE CREATE2 0 MSTORE 32 0 RETURN");
  const storage = [
    [1n, 11n],
    [2n, 22n],
  ] as const;
  const accounts: readonly TestAccount[] = [
    { address: factory, nonce: 1n, code: creating },
    { address, nonce: 1n, balance: 5n, code: runtime, storage },
  ];
  const hardforks = ["constantinople", "istanbul", "berlin", "shanghai"] as const;

  it.each(hardforks)("by a later transaction has no slots of before, read or not (%s)", async (hardfork) => {
    using transactions = await Transactions.open({ engine, hardfork, accounts });
    // The slot is in every cache there may be.
    expect((await transactions.run({ to: address })).result.output).toEqual(word(11n));
    await transactions.run({ to: address, value: 1n });
    expect(transactions.account(address)).toBeUndefined();
    expect((await transactions.run({ to: address })).result).toMatchObject({
      error: undefined,
      output: new Uint8Array(0),
    });
    const { result } = await transactions.run({ to: factory, data: init, gasLimit: 1_000_000n });
    expect(hex(result.output.subarray(12))).toBe(hex(address));
    expect((await transactions.run({ to: address })).result.output).toEqual(word(0n));
    expect([transactions.slot(address, 1n), transactions.slot(address, 2n)]).toEqual([0n, 0n]);
    expect(transactions.account(address)).toMatchObject({ nonce: 1n, balance: 0n });
  });

  it.each(hardforks)("by the same transaction collides with what is there until the end (%s)", async (hardfork) => {
    const both = assemble(
      `${callingCheaply("CALL", address, 1n)} POP CALLDATASIZE 0 0 CALLDATACOPY 32 0 CALLDATASIZE 0 0 ${hex(factory)} GAS CALL POP 0 MLOAD 0 MSTORE 32 0 RETURN`,
    );
    const caller = { address: TARGET, balance: 1n, code: both };
    const { result, account } = await run(engine, {
      hardfork,
      accounts: [...accounts, caller],
      message: { data: init, gasLimit: 1_000_000n },
    });
    expect(result).toMatchObject({ error: undefined, output: word(0n) });
    expect(account(address)).toBeUndefined();
  });

  it.each(hardforks)("by ether alone has neither code nor slots (%s)", async (hardfork) => {
    using transactions = await Transactions.open({ engine, hardfork, accounts });
    await transactions.run({ to: address, value: 1n });
    await transactions.run({ to: address, value: 9n });
    expect(transactions.account(address)).toMatchObject({ nonce: 0n, balance: 9n });
    const { result } = await transactions.run({ to: factory, data: init, gasLimit: 1_000_000n });
    expect(hex(result.output.subarray(12))).toBe(hex(address));
    expect((await transactions.run({ to: address })).result.output).toEqual(word(0n));
    expect(transactions.account(address)?.balance).toBe(9n);
  });

  it("several times, in one session, has only what it was given last", async () => {
    using transactions = await Transactions.open({ engine, hardfork: "shanghai", accounts });
    const storingCode = assemble(
      "CALLVALUE @end JUMPI 1 SLOAD NUMBER 1 SSTORE 0 MSTORE 32 0 RETURN end: CALLER SELFDESTRUCT",
    );
    const initCode = deploying(storingCode);
    const place = createSaltedAddress(factory, word(7n), initCode);
    for (let round = 0; round < 3; round++) {
      await transactions.run({ to: factory, data: initCode, gasLimit: 1_000_000n });
      expect((await transactions.run({ to: place })).result.output).toEqual(word(0n));
      expect((await transactions.run({ to: place })).result.output).toEqual(word(100n));
      await transactions.run({ to: place, value: 1n });
      expect(transactions.account(place)).toBeUndefined();
      expect(transactions.slot(place, 1n)).toBe(0n);
    }
  });

  it("within the transaction that created it first, is created and destroyed again by the next one (cancun)", async () => {
    const destroying = assemble("CALLER SELFDESTRUCT");
    const place = createSaltedAddress(factory, word(7n), destroying);
    using transactions = await Transactions.open({ engine, hardfork: "cancun", accounts });
    for (let round = 0; round < 2; round++) {
      const { result } = await transactions.run({ to: factory, data: destroying, value: 2n, gasLimit: 1_000_000n });
      expect(hex(result.output.subarray(12))).toBe(hex(place));
      expect(transactions.account(place)).toBeUndefined();
    }
    expect(transactions.account(factory)).toMatchObject({ nonce: 3n, balance: 4n });
  });
});
