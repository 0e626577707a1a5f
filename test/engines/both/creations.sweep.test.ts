/** CREATE, CREATE2 and creations by messages: where contracts come to be, what they cost, how they fail. */
import { describe, expect, it } from "vitest";
import { isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { createAddress, createSaltedAddress } from "../../../src/primitives/address.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { MAX_UINT64 } from "../../../src/primitives/bytes/limits.ts";
import { assemble, calling, deploying } from "../../support/assembler.ts";
import { addressOf, OPCODE_HARDFORKS, SENDER, TARGET, type TestAccount, word } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { isSlow } from "../../support/seed.ts";
import {
  AROUND,
  callingCheaply,
  creating,
  left,
  type ProgramGiven,
  priceOf,
  run,
  runProgram,
  Transactions,
} from "./running.ts";

const OTHER = addressOf(0xcc);
const FIRST = createAddress(TARGET, 1n);
const BY_SENDER = createAddress(SENDER, 0n);

describe.each(ENGINE_NAMES)("a creation (%s)", (engine) => {
  const it = onEngine(engine);
  it("leaves an account with nonce 1, its value and its code, at an address that is given back", async () => {
    const code = creating("0x60 0 MSTORE8 3 0 RETURN", 7);
    const { account, frame, result, state } = await runProgram(engine, `${code} 0 MSTORE 32 0 RETURN`, {
      target: { balance: 10n },
    });
    expect(hex(result.output)).toBe(hex(word(bytesToBigInt(FIRST))));
    expect(account(FIRST)).toMatchObject({ nonce: 1n, balance: 7n });
    expect(hex((await state.getCode(account(FIRST)?.codeHash ?? EMPTY_BYTES)) as Bytes)).toBe("0x600000");
    expect(account(TARGET)).toMatchObject({ nonce: 2n, balance: 3n });
    // Three opcodes and what they push, a word of memory, and 200 gas for each byte of code.
    expect(frame).toMatchObject({ error: undefined, gasUsed: 18n + 600n });
  });

  it.each(OPCODE_HARDFORKS)("leaves nonce 1 from Spurious Dragon on, 0 before (%s)", async (hardfork) => {
    const { account } = await runProgram(engine, creating("STOP", 1), { hardfork, target: { balance: 1n } });
    expect(account(FIRST)).toMatchObject({ nonce: isAtLeast(hardfork, "spuriousDragon") ? 1n : 0n, balance: 1n });
  });

  it("is at the address of the creator's nonce, however long that is", async () => {
    for (const nonce of [0n, 1n, 127n, 128n, 255n, 256n, 65_535n, 1n << 24n, 1n << 63n, MAX_UINT64 - 1n]) {
      expect(await left(engine, creating("STOP"), { target: { nonce } })).toBe(
        bytesToBigInt(createAddress(TARGET, nonce)),
      );
    }
  });

  it("by CREATE2 follows from salt and init code", async () => {
    const { account } = await runProgram(engine, creating("STOP", 0, 5));
    expect(account(createSaltedAddress(TARGET, word(5n), assemble("STOP")))).toMatchObject({ nonce: 1n });
    expect(await left(engine, "0 0 0 0 CREATE2")).toBe(
      bytesToBigInt(createSaltedAddress(TARGET, word(0n), EMPTY_BYTES)),
    );
  });

  it("by a transaction does the same", async () => {
    const data = deploying(assemble("CALLER SELFDESTRUCT"));
    const message = { to: undefined, data, value: 3n, gasLimit: 100_000n };
    const { result, account } = await run(engine, { message, hardfork: "osaka" });
    expect(hex(result.output)).toBe(hex(assemble("CALLER SELFDESTRUCT")));
    expect(account(BY_SENDER)).toMatchObject({ nonce: 1n, balance: 3n });
  });

  it("has its code when it ends, and can be called then", async () => {
    const program = `${creating("0x602a60005260206000f3 0 MSTORE 10 22 RETURN")} 0 0 0 0 0 DUP6 GAS CALL POP 32 0 0 RETURNDATACOPY EXTCODESIZE 0 MLOAD 256 MUL ADD`;
    expect(await left(engine, program)).toBe(42n * 256n + 10n);
  });

  it("has no code while it runs", async () => {
    const { slot } = await runProgram(
      engine,
      creating("ADDRESS EXTCODESIZE 1 ADD 1 SSTORE ADDRESS EXTCODEHASH 2 SSTORE"),
    );
    expect(slot(FIRST, 1n)).toBe(1n);
    expect(slot(FIRST, 2n)).toBe(0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n);
  });

  it("gives data back where it reverts, and nothing where it succeeds or fails", async () => {
    const size = (program: string) => left(engine, `${program} POP RETURNDATASIZE`);
    expect(await size(creating("5 0 RETURN"))).toBe(0n);
    expect(await size(creating("5 0 REVERT"))).toBe(5n);
    expect(await size(creating("INVALID"))).toBe(0n);
    expect(await size(`${creating("5 0 REVERT")} POP ${creating("STOP")}`)).toBe(0n);
  });

  it("is counted even if it fails", async () => {
    const { account } = await runProgram(engine, `${creating("INVALID")} ${creating("STOP")}`);
    expect(account(FIRST)).toBeUndefined();
    expect(account(createAddress(TARGET, 2n))?.nonce).toBe(1n);
    expect(account(TARGET)?.nonce).toBe(3n);
  });

  it("leaves nothing of its own where it fails: no slot, no ether, no log", async () => {
    const failing = creating("7 1 SSTORE 0 0 LOG0 INVALID", 5);
    const { account, slot, result } = await runProgram(engine, failing, { target: { balance: 9n } });
    expect([account(FIRST), slot(FIRST, 1n), result.logs]).toEqual([undefined, 0n, []]);
    expect(account(TARGET)?.balance).toBe(9n);
  });

  it("that fails leaves the address warm", async () => {
    const balance = priceOf(`${hex(FIRST)} BALANCE`);
    expect(await left(engine, `${creating("INVALID")} POP ${balance}`)).toBe(AROUND + 3n + 100n);
    expect(await left(engine, balance)).toBe(AROUND + 3n + 2600n);
  });

  it("in a frame that fails leaves its address cold, and its creator's nonce as it was", async () => {
    const created = createAddress(OTHER, 1n);
    const accounts = [{ address: OTHER, nonce: 1n, code: assemble(`${creating("STOP")} INVALID`) }];
    const program = `${callingCheaply("CALL", OTHER)} POP ${priceOf(`${hex(created)} BALANCE`)}`;
    expect(await left(engine, program, { accounts })).toBe(AROUND + 3n + 2600n);
    expect((await runProgram(engine, program, { accounts })).account(OTHER)?.nonce).toBe(1n);
  });

  it("gives init code all but a 64th of the gas, and takes what it used", async () => {
    const { frame, result } = await runProgram(engine, creating("INVALID"), { gasLimit: 1_000_000n });
    // Six opcodes of 3 gas and a word of memory, CREATE, and a word of init code.
    const remaining = 1_000_000n - 21n - 32_000n - 2n;
    expect(frame?.gas).toBe(remaining - remaining / 64n);
    expect(result.gasUsed).toBe(1_000_000n - remaining / 64n);
  });

  it("pays for words of init code since Shanghai, by CREATE2 for hashing them as well", async () => {
    const price = (hardfork: "london" | "shanghai", program: string) =>
      left(engine, `1000 MLOAD POP ${priceOf(program)}`, { hardfork });
    const ofOpcodes = AROUND + 9n + 32_000n;
    expect(await price("london", "33 0 0 CREATE")).toBe(ofOpcodes);
    expect(await price("shanghai", "33 0 0 CREATE")).toBe(ofOpcodes + 4n);
    expect(await price("london", "0 33 0 0 CREATE2")).toBe(ofOpcodes + 3n + 12n);
    expect(await price("shanghai", "0 33 0 0 CREATE2")).toBe(ofOpcodes + 3n + 12n + 4n);
  });
});

describe.each(ENGINE_NAMES)("code that init code returns (%s)", (engine) => {
  const it = onEngine(engine);
  it("is paid for to the last gas, or the creation fails", async () => {
    const data = deploying(new Uint8Array(50));
    const at = async (gasLimit: bigint) => (await run(engine, { message: { to: undefined, data, gasLimit } })).result;
    const { gasUsed } = await at(100_000n);
    expect(await at(gasUsed)).toMatchObject({ error: undefined, gasUsed });
    expect(await at(gasUsed - 1n)).toMatchObject({ error: "codeStoreOutOfGas", gasUsed: gasUsed - 1n });
  });

  it("that cannot be paid for is left out in Frontier: the creation stands, and keeps its gas", async () => {
    const data = assemble("7 1 SSTORE [615dc0] 0 RETURN");
    const message = { to: undefined, data, value: 3n };
    const { result, account, slot, recorder } = await run(engine, { hardfork: "chainstart", message });
    expect(result).toMatchObject({ error: undefined, output: EMPTY_BYTES });
    expect(result.gasUsed).toBeLessThan(40_000n);
    expect(account(BY_SENDER)).toMatchObject({ nonce: 0n, balance: 3n });
    expect(slot(BY_SENDER, 1n)).toBe(7n);
    expect(recorder.frames[0]?.undeposited).toHaveLength(0x5dc0);
  });

  it("that cannot be paid for in a call of Frontier leaves a contract without code to its creator", async () => {
    const program = `${creating("[615dc0] 0 RETURN", 2)} DUP1 EXTCODESIZE SWAP1 BALANCE ADD`;
    expect(await left(engine, program, { hardfork: "chainstart", gasLimit: 100_000n, target: { balance: 5n } })).toBe(
      2n,
    );
  });

  it.each(["homestead", "osaka"] as const)("that cannot be paid for ends the creation since (%s)", async (hardfork) => {
    const message = { to: undefined, data: assemble("[615dc0] 0 RETURN"), value: 3n };
    const { result, account } = await run(engine, { hardfork, message });
    expect(result).toMatchObject({ error: "codeStoreOutOfGas", gasUsed: 100_000n, output: EMPTY_BYTES });
    expect(account(BY_SENDER)).toBeUndefined();
    expect(account(SENDER)?.balance).toBe(10n ** 20n);
  });

  it("may have 24,576 bytes since Spurious Dragon", async () => {
    expect(await left(engine, creating("24576 0 RETURN"))).toBe(bytesToBigInt(FIRST));
    expect(await left(engine, creating("24577 0 RETURN"))).toBe(0n);
    const { frame } = await runProgram(engine, creating("24577 0 RETURN"));
    expect(frame).toMatchObject({ error: "codeSizeExceeded", gasUsed: frame?.gas });
    expect(await left(engine, creating("24577 0 RETURN"), { hardfork: "tangerineWhistle" })).toBe(bytesToBigInt(FIRST));
  });

  it("does not begin with 0xef from London on", async () => {
    const code = creating("0xef 0 MSTORE8 1 0 RETURN");
    expect(await left(engine, code, { hardfork: "berlin" })).toBe(bytesToBigInt(FIRST));
    const { frame } = await runProgram(engine, code, { hardfork: "london" });
    expect(frame).toMatchObject({ error: "invalidCode", gasUsed: frame?.gas });
  });

  it("is not what it reverts with, whatever that begins with", async () => {
    const reverting = "0xef 0 MSTORE8 4 0 REVERT";
    const data = assemble(reverting);
    // docs/engines.md: EthereumJS takes it for code that is invalid.
    const expected =
      engine === "ethereumjs"
        ? { error: "invalidCode", gasUsed: 100_000n, output: EMPTY_BYTES }
        : { error: "reverted", gasUsed: 18n, output: Uint8Array.of(0xef, 0, 0, 0) };
    expect((await run(engine, { message: { to: undefined, data } })).result).toMatchObject(expected);
    const { frame } = await runProgram(engine, creating(reverting));
    expect(frame?.error).toBe(expected.error);
  });
});

describe.each(ENGINE_NAMES)("a creation that starts no frame (%s)", (engine) => {
  const it = onEngine(engine);
  it("is one without the value, or by an account whose nonce is the last", async () => {
    const poor = await runProgram(engine, creating("STOP", 8), { target: { balance: 7n } });
    expect(poor.frame).toMatchObject({ isStarted: false, error: "insufficientBalance" });
    expect(poor.account(TARGET)?.nonce).toBe(1n);
    expect(await left(engine, creating("STOP", 8), { target: { balance: 7n } })).toBe(0n);
    const last = await runProgram(engine, creating("STOP"), { target: { nonce: MAX_UINT64 } });
    expect(last.frame).toMatchObject({ isStarted: false, error: "nonceOverflow" });
    expect(last.account(TARGET)?.nonce).toBe(MAX_UINT64);
    const { account } = await runProgram(engine, `${creating("STOP")} ${creating("STOP")}`, {
      target: { nonce: MAX_UINT64 - 1n },
    });
    expect(account(TARGET)?.nonce).toBe(MAX_UINT64);
    expect(account(createAddress(TARGET, MAX_UINT64 - 1n))?.nonce).toBe(1n);
  });

  it("gives its gas back, empties the return data, and leaves the address cold", async () => {
    const target = { balance: 0n };
    const price = AROUND + 9n + 32_000n;
    expect(await left(engine, priceOf("0 0 1 CREATE"), { target })).toBe(price);
    const accounts = [{ address: OTHER, code: assemble("32 0 RETURN") }];
    expect(await left(engine, `${calling("CALL", OTHER)} 0 0 1 CREATE POP RETURNDATASIZE`, { target, accounts })).toBe(
      0n,
    );
    const looking = `0 0 1 CREATE POP ${priceOf(`${hex(FIRST)} BALANCE`)}`;
    expect(await left(engine, looking, { target })).toBe(AROUND + 3n + 2600n);
  });

  if (isSlow || engine === "wasm") {
    it("is one 1,024 calls deep", async () => {
      const { account } = await runProgram(engine, `${calling("CALL", TARGET)} 0 0 0 CREATE`, { gasLimit: 10n ** 13n });
      // One frame at each depth from 0 to 1,023; that at 1,024 creates nothing.
      expect(account(TARGET)?.nonce).toBe(1n + 1024n);
    });
  }
});

describe.each(ENGINE_NAMES)("a creation that ends its frame (%s)", (engine) => {
  const it = onEngine(engine);
  it("is one in a static frame", async () => {
    const accounts = [{ address: OTHER, nonce: 1n, code: assemble(creating("STOP")) }];
    const refused = await runProgram(engine, calling("STATICCALL", OTHER), { accounts });
    expect(refused.frame?.error).toBe("staticStateChange");
    expect(refused.account(OTHER)?.nonce).toBe(1n);
    expect((await runProgram(engine, calling("CALL", OTHER), { accounts })).account(OTHER)?.nonce).toBe(2n);
  });

  it("is one of more than 49,152 bytes from Shanghai on", async () => {
    expect(await left(engine, "49152 0 0 CREATE")).toBe(bytesToBigInt(FIRST));
    expect((await runProgram(engine, "49153 0 0 CREATE")).result.error).toBe("initCodeSizeExceeded");
    expect(await left(engine, "49153 0 0 CREATE", { hardfork: "london" })).toBe(bytesToBigInt(FIRST));
  });
});

describe.each(ENGINE_NAMES)("where there is a contract already (%s)", (engine) => {
  const it = onEngine(engine);
  it("a creation fails with all its gas, and is counted", async () => {
    const code = `${creating("STOP", 0, 1)} ${creating("STOP", 0, 1)} 0 0 0 CREATE`;
    const { frame, account, recorder } = await runProgram(engine, code);
    expect(frame?.error).toBeUndefined();
    const second = recorder.frames[2];
    expect(second).toMatchObject({ error: "createCollision", gasUsed: second?.gas });
    expect(account(TARGET)?.nonce).toBe(4n);
    expect(account(createAddress(TARGET, 3n))?.nonce).toBe(1n);
  });

  it("a creation counts those before it, whatever looked at the creator in between", async () => {
    const [paid, unpaid] = [calling("CALL", OTHER, 1n), calling("CALL", OTHER, 99n)];
    const [created, failing] = [creating("STOP", 0, 1), creating("0 0 REVERT")];
    const { account } = await runProgram(
      engine,
      `${paid} ${unpaid} ${created} ${unpaid} ${failing} ${created} ${unpaid} ${failing} ${paid} ${created} 0 0 1 CREATE`,
      { target: { balance: 10n }, gasLimit: 10n ** 10n },
    );
    expect(account(TARGET)).toMatchObject({ nonce: 7n, balance: 7n });
    expect(account(createAddress(TARGET, 6n))).toMatchObject({ balance: 1n });
  });

  it("but for its balance, a creation adds to that", async () => {
    const given: ProgramGiven = { target: { balance: 5n }, accounts: [{ address: FIRST, balance: 40n }] };
    const { account } = await runProgram(engine, creating("STOP", 2), given);
    expect(account(FIRST)).toMatchObject({ nonce: 1n, balance: 42n });
  });

  it("but for its balance, a creation that fails leaves that", async () => {
    const given: ProgramGiven = { target: { balance: 5n }, accounts: [{ address: FIRST, balance: 40n }] };
    const { account, deleted } = await runProgram(engine, creating("7 1 SSTORE INVALID", 2), given);
    expect(account(FIRST)).toMatchObject({ nonce: 0n, balance: 40n });
    expect(deleted).toEqual([]);
  });
});

describe.each(ENGINE_NAMES)("a creation collides (%s)", (engine) => {
  const it = onEngine(engine);
  const CASES: readonly (readonly [string, Partial<TestAccount>])[] = [
    ["a nonce", { nonce: 1n }],
    ["code", { code: assemble("STOP") }],
    ["storage, EIP-7610", { storage: [[1n, 1n]] }],
    ["storage and ether", { storage: [[0n, 1n << 255n]], balance: 7n }],
  ];

  it.each(CASES)("with an account that has %s, by CREATE and CREATE2", async (_name, there) => {
    for (const salt of [undefined, 5]) {
      const address = salt === undefined ? FIRST : createSaltedAddress(TARGET, word(5n), assemble("STOP"));
      for (const hardfork of ["constantinople", "berlin", "osaka"] as const) {
        const given = { hardfork, accounts: [{ address, ...there }] };
        const { frame, account, slot } = await runProgram(engine, creating("STOP", 0, salt), given);
        expect(frame).toMatchObject({ error: "createCollision", gasUsed: frame?.gas });
        expect(account(address)).toMatchObject({ nonce: there.nonce ?? 0n, balance: there.balance ?? 0n });
        for (const [key, value] of there.storage ?? []) expect(slot(address, key)).toBe(value);
        expect(account(TARGET)?.nonce).toBe(2n);
      }
    }
  });

  it.each(CASES.slice(2))("not from Amsterdam on with one that has %s, which is cleared", async (_name, there) => {
    for (const salt of [undefined, 5]) {
      const address = salt === undefined ? FIRST : createSaltedAddress(TARGET, word(5n), assemble("STOP"));
      const given = { hardfork: "amsterdam", gasLimit: 30_000_000n, accounts: [{ address, ...there }] } as const;
      const { result, account, slot } = await runProgram(engine, creating("STOP", 0, salt), given);
      expect(result.error).toBeUndefined();
      expect(account(address)).toMatchObject({ nonce: 1n, balance: there.balance ?? 0n });
      for (const [key] of there.storage ?? []) expect(slot(address, key)).toBe(0n);
    }
  });

  it.each(CASES)("with an account that has %s, by a transaction", async (_name, there) => {
    const accounts = [{ address: BY_SENDER, ...there }];
    const message = { to: undefined, data: deploying(assemble("STOP")), value: 1n };
    const { result, account } = await run(engine, { accounts, message });
    expect(result).toMatchObject({ error: "createCollision", gasUsed: 100_000n, output: EMPTY_BYTES });
    expect(account(BY_SENDER)).toMatchObject({ nonce: there.nonce ?? 0n, balance: there.balance ?? 0n });
  });

  it("leaves the account's slots as they are, also for who looks at them later", async () => {
    const address = createSaltedAddress(TARGET, word(5n), assemble("STOP"));
    const accounts: readonly TestAccount[] = [
      { address: TARGET, nonce: 1n, code: assemble(creating("STOP", 0, 5)) },
      { address, storage: [[1n, 9n]] },
    ];
    using transactions = await Transactions.open({ engine, accounts });
    for (let round = 0; round < 2; round++) {
      const { result } = await transactions.run({ gasLimit: 1_000_000n });
      expect(result.error).toBeUndefined();
      expect(transactions.slot(address, 1n)).toBe(9n);
    }
    // Code is all it lacked.
    transactions.session.begin({ origin: SENDER, gasPrice: 1n, blobVersionedHashes: [] });
    await transactions.session.setCode(address, assemble("1 SLOAD 0 MSTORE 32 0 RETURN"));
    await transactions.end({
      ...(await transactions.session.run({
        from: SENDER,
        to: address,
        createdAddress: undefined,
        value: 0n,
        data: EMPTY_BYTES,
        gasLimit: 100_000n,
        stateGas: 0n,
      })),
    });
    expect((await transactions.run({ to: address })).result.output).toEqual(word(9n));
  });

  it("no more where the storage was cleared", async () => {
    const address = createSaltedAddress(TARGET, word(5n), assemble("STOP"));
    // A contract before EIP-161 has nonce 0, and without code there is only its storage.
    const clearing = assemble("0 1 SSTORE");
    using transactions = await Transactions.open({
      engine,
      accounts: [
        { address: TARGET, nonce: 1n, code: assemble(creating("STOP", 0, 5)) },
        { address, storage: [[1n, 9n]], balance: 1n },
      ],
    });
    const { session } = transactions;
    session.begin({ origin: SENDER, gasPrice: 1n, blobVersionedHashes: [] });
    await session.setCode(address, clearing);
    const message = {
      from: SENDER,
      to: address,
      createdAddress: undefined,
      value: 0n,
      data: EMPTY_BYTES,
      gasLimit: 100_000n,
      stateGas: 0n,
    };
    const result = await session.run(message);
    await session.setCode(address, EMPTY_BYTES);
    await transactions.end(result);
    await transactions.run({ gasLimit: 1_000_000n });
    expect(transactions.account(address)).toMatchObject({ nonce: 1n, balance: 1n });
  });
});

describe.each(ENGINE_NAMES)("init code that begins like the EVM Object Format (%s)", (engine) => {
  it("runs, and fails at its first byte; not with EthereumJS", async () => {
    const program = "0xef00 0 MSTORE 2 30 0 CREATE";
    const { account, frame } = await runProgram(engine, program, { gasLimit: 1_000_000n });
    // docs/engines.md: EthereumJS answers 0 at once.
    if (engine === "ethereumjs") expect([frame, account(TARGET)?.nonce]).toEqual([undefined, 1n]);
    else {
      expect(frame).toMatchObject({ error: "invalidOpcode", gasUsed: frame?.gas });
      expect(account(TARGET)?.nonce).toBe(2n);
    }
  });
});
