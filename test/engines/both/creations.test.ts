/** Creations on our own way and on EthereumJS'. Random programs compare them with EthereumJS' own in the property test. */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks.ts";
import { createAddress, createSaltedAddress } from "../../src/primitives/address.ts";
import { type Bytes, bytesToBigInt, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { MAX_UINT64 } from "../../src/primitives/limits.ts";
import { assemble, calling, deploying, storing } from "../support/assembler.ts";
import { onBothWays } from "../support/both-ways.ts";
import { addressOf, SENDER, TARGET, type TestAccount, word } from "../support/evm.ts";
import { hex } from "../support/plain.ts";

const OTHER = addressOf(0xcc);
const FIRST = createAddress(TARGET, 1n);

interface Case extends Pick<TestAccount, "balance" | "nonce"> {
  readonly hardfork?: Hardfork;
  readonly gasLimit?: bigint;
  readonly accounts?: readonly TestAccount[];
}

/** Runs code at TARGET, whose nonce is 1, on both ways. */
async function run(code: string, { hardfork = "osaka", gasLimit = 10_000_000n, accounts = [], ...target }: Case = {}) {
  const all = [{ address: TARGET, nonce: 1n, ...target, code: assemble(code) }, ...accounts];
  return onBothWays({ hardfork, accounts: all, message: { gasLimit } });
}

/** What code leaves on its stack, by a word. */
async function left(code: string, given?: Case): Promise<bigint> {
  return bytesToBigInt((await run(`${code} 0 MSTORE 32 0 RETURN`, given)).result.output);
}

/** Words that create from init code of at most 32 bytes. */
const creating = (initCode: string, value = 0, salt?: number): string => {
  const bytes = assemble(initCode);
  return `${storing(bytes)} ${salt ?? ""} ${bytes.length} 0 ${value} ${salt === undefined ? "CREATE" : "CREATE2"}`;
};

describe("a creation", () => {
  it("leaves an account with nonce 1, its value and its code, at an address that is given back", async () => {
    const code = creating("0x60 0 MSTORE8 3 0 RETURN", 7);
    const { account, frame, result, state } = await run(`${code} 0 MSTORE 32 0 RETURN`, { balance: 10n });
    expect(hex(result.output)).toBe(hex(word(bytesToBigInt(FIRST))));
    expect(account(FIRST)).toMatchObject({ nonce: 1n, balance: 7n });
    expect(hex((await state.getCode(account(FIRST)?.codeHash ?? EMPTY_BYTES)) as Bytes)).toBe("0x600000");
    expect(account(TARGET)).toMatchObject({ nonce: 2n, balance: 3n });
    // Three opcodes and what they push, a word of memory, and 200 gas for each byte of code.
    expect(frame).toMatchObject({ error: undefined, gasUsed: 18n + 600n });
  });

  it("by CREATE2 follows from salt and init code", async () => {
    const { account } = await run(creating("STOP", 0, 5));
    expect(account(createSaltedAddress(TARGET, word(5n), assemble("STOP")))).toMatchObject({ nonce: 1n });
  });

  it("by a transaction does the same", async () => {
    const data = deploying(assemble("CALLER SELFDESTRUCT"));
    const { result, account } = await onBothWays({
      message: { to: undefined, data, value: 3n, gasLimit: 100_000n },
      hardfork: "osaka",
    });
    expect(hex(result.createdAddress ?? EMPTY_BYTES)).toBe(hex(createAddress(SENDER, 0n)));
    expect(hex(result.output)).toBe(hex(assemble("CALLER SELFDESTRUCT")));
    expect(account(createAddress(SENDER, 0n))).toMatchObject({ nonce: 1n, balance: 3n });
  });

  it("gives data back where it reverts, and nothing where it succeeds or fails", async () => {
    expect(await left(`${creating("5 0 RETURN")} POP RETURNDATASIZE`)).toBe(0n);
    expect(await left(`${creating("5 0 REVERT")} POP RETURNDATASIZE`)).toBe(5n);
    expect(await left(`${creating("INVALID")} POP RETURNDATASIZE`)).toBe(0n);
    expect(await left(`${creating("5 0 REVERT")} POP ${creating("STOP")} POP RETURNDATASIZE`)).toBe(0n);
  });

  it("is counted even if it fails", async () => {
    const { account } = await run(`${creating("INVALID")} ${creating("STOP")}`);
    expect(account(FIRST)).toBeUndefined();
    expect(account(createAddress(TARGET, 2n))).toBeDefined();
    expect(account(TARGET)?.nonce).toBe(3n);
  });

  it("that fails leaves the address warm", async () => {
    const balance = `0x${Buffer.from(FIRST).toString("hex")} GAS SWAP1 BALANCE POP GAS SWAP1 SUB`;
    // BALANCE, SWAP1, POP and GAS.
    expect(await left(`${creating("INVALID")} POP ${balance}`)).toBe(100n + 7n);
    expect(await left(balance)).toBe(2600n + 7n);
  });

  it("gives init code all but a 64th of the gas, and takes what it used", async () => {
    const { frame, result } = await run(creating("INVALID"), { gasLimit: 1_000_000n });
    // Six opcodes of 3 gas and a word of memory, CREATE, and a word of init code.
    const remaining = 1_000_000n - 21n - 32_000n - 2n;
    expect(frame?.gas).toBe(remaining - remaining / 64n);
    expect(result.gasUsed).toBe(1_000_000n - remaining / 64n);
  });
});

describe("code that init code returns", () => {
  it("is paid for to the last gas, or the creation fails", async () => {
    const init = deploying(new Uint8Array(50));
    const message = { to: undefined, data: init };
    const { result } = await onBothWays({ message: { ...message, gasLimit: 100_000n } });
    const { gasUsed } = result;
    expect((await onBothWays({ message: { ...message, gasLimit: gasUsed } })).result).toMatchObject({
      error: undefined,
    });
    const gasLimit = gasUsed - 1n;
    expect((await onBothWays({ message: { ...message, gasLimit } })).result).toMatchObject({
      error: "codeStoreOutOfGas",
      gasUsed: gasLimit,
    });
  });

  it("may have 24,576 bytes", async () => {
    expect(await left(creating("24576 0 RETURN"))).toBe(bytesToBigInt(FIRST));
    expect(await left(creating("24577 0 RETURN"))).toBe(0n);
  });

  it("does not begin with 0xef from London on", async () => {
    const code = creating("0xef 0 MSTORE8 1 0 RETURN");
    expect(await left(code, { hardfork: "berlin" })).toBe(bytesToBigInt(FIRST));
    const { frame } = await run(code, { hardfork: "london" });
    expect(frame).toMatchObject({ error: "invalidCode" });
  });

  it("is not what it reverts with, whatever that begins with", async () => {
    const reverting = "0xef 0 MSTORE8 4 0 REVERT";
    expect((await run(creating(reverting))).frame).toMatchObject({ error: "reverted", gasUsed: 18n });
    const message = { to: undefined, data: assemble(reverting), gasLimit: 100_000n };
    const { result } = await onBothWays({ message });
    expect(result).toMatchObject({ error: "reverted", gasUsed: 18n });
    expect(hex(result.output)).toBe("0xef000000");
  });
});

describe("a creation that starts no frame", () => {
  it("is one without the value, or by an account whose nonce is the last", async () => {
    expect(await left(creating("STOP", 8), { balance: 7n })).toBe(0n);
    expect(await left(creating("STOP"), { nonce: MAX_UINT64 })).toBe(0n);
    const { account } = await run(`${creating("STOP")} ${creating("STOP")}`, { nonce: MAX_UINT64 - 1n });
    expect(account(TARGET)?.nonce).toBe(MAX_UINT64);
    expect(account(createAddress(TARGET, MAX_UINT64 - 1n))).toBeDefined();
  });

  it("is one 1,024 calls deep", async () => {
    const { account } = await run(`${calling("CALL", TARGET)} 0 0 0 CREATE`, { gasLimit: 10n ** 13n });
    // One frame at each depth from 0 to 1,023; that at 1,024 creates nothing.
    expect(account(TARGET)?.nonce).toBe(1n + 1024n);
  });
});

describe("a creation that ends its frame", () => {
  it("is one in a static frame", async () => {
    const accounts = [{ address: OTHER, code: assemble(creating("STOP")) }];
    expect(await left(calling("STATICCALL", OTHER), { accounts })).toBe(0n);
    expect(await left(calling("CALL", OTHER), { accounts })).toBe(1n);
  });

  it("is one of more than 49,152 bytes from Shanghai on", async () => {
    expect(await left("49152 0 0 CREATE")).toBe(bytesToBigInt(FIRST));
    expect((await run("49153 0 0 CREATE")).result.error).toBe("initCodeSizeExceeded");
    expect(await left("49153 0 0 CREATE", { hardfork: "london" })).toBe(bytesToBigInt(FIRST));
  });
});

describe("where there is a contract already", () => {
  it("a creation fails with all its gas, and is counted", async () => {
    const { frame, account, recorder } = await run(`${creating("STOP", 0, 1)} ${creating("STOP", 0, 1)} 0 0 0 CREATE`);
    expect(frame?.error).toBeUndefined();
    const second = recorder.frames[2];
    expect(second).toMatchObject({ error: "createCollision", gasUsed: second?.gas });
    expect(account(TARGET)?.nonce).toBe(4n);
    expect(account(createAddress(TARGET, 3n))).toBeDefined();
  });

  it("a creation counts those before it, whatever looked at the creator in between", async () => {
    const [paid, unpaid] = [calling("CALL", OTHER, 1n), calling("CALL", OTHER, 99n)];
    const [created, failing] = [creating("STOP", 0, 1), creating("0 0 REVERT")];
    const { account } = await run(
      `${paid} ${unpaid} ${created} ${unpaid} ${failing} ${created} ${unpaid} ${failing} ${paid} ${created} 0 0 1 CREATE`,
      { balance: 10n, gasLimit: 10n ** 10n },
    );
    expect(account(TARGET)).toMatchObject({ nonce: 7n, balance: 7n });
    expect(account(createAddress(TARGET, 6n))).toMatchObject({ balance: 1n });
  });

  it("but for its balance, a creation adds to that", async () => {
    const { account } = await run(creating("STOP", 2), { balance: 5n, accounts: [{ address: FIRST, balance: 40n }] });
    expect(account(FIRST)).toMatchObject({ nonce: 1n, balance: 42n });
  });
});

describe("SELFDESTRUCT", () => {
  const destroyed = async (code: string): Promise<readonly string[]> => (await run(code)).result.destroyed.map(hex);

  it("destroys what was created in the transaction", async () => {
    expect(await destroyed(creating("CALLER SELFDESTRUCT"))).toEqual([hex(FIRST)]);
    const calling = "0 0 0 0 0 DUP6 GAS CALL";
    expect(await destroyed(`${creating("0x33ff 0 MSTORE 2 30 RETURN")} ${calling}`)).toEqual([hex(FIRST)]);
  });

  it("does so after another creation failed, which destroys nothing itself", async () => {
    const creation = creating("0x33ff 0 MSTORE 2 30 RETURN");
    const failing = creating("ADDRESS POP INVALID");
    expect(await destroyed(`${creation} ${failing} POP 0 0 0 0 0 DUP6 GAS CALL`)).toEqual([hex(FIRST)]);
    expect(await destroyed("CALLER SELFDESTRUCT")).toEqual([]);
  });
});
