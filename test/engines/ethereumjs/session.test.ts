/** Effects of a transaction: writes, refunds, logs, accesses; none if it is abandoned. */
import { describe, expect, it } from "vitest";
import { createAddress, createSaltedAddress } from "../../../src/primitives/address.ts";
import { concatBytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { assemble, calling, deploying, storing } from "../../support/assembler.ts";
import { addressOf, SENDER, TARGET, word } from "../../support/evm.ts";
import { precompile } from "../../support/precompile-calls.ts";
import { CollectingSink } from "../collecting-sink.ts";
import { aMessage, aSession, describeWrites, QUIET, runTarget, transact } from "./a-session.ts";

const A = addressOf(0xa1);
const B = addressOf(0xb1);
const NOBODY = addressOf(0x99);
const DESTROYING = assemble("CALLER SELFDESTRUCT");

const hex = (address: Uint8Array): string => encodeData(address);

describe("the writes of a transaction", () => {
  it("are the slots that differ, and those cleared", async () => {
    const storage = [
      [1n, 1n],
      [2n, 2n],
      [3n, 3n],
    ] as const;
    const opened = await aSession("prague", [
      { address: TARGET, nonce: 1n, code: assemble("9 1 SSTORE 0 2 SSTORE 9 3 SSTORE 3 3 SSTORE 7 4 SSTORE"), storage },
    ]);
    const written = describeWrites(await transact(opened));
    const slots = [
      [1, "0x09"],
      [2, "0x"],
      [4, "0x07"],
    ];
    expect(written[hex(TARGET)]).toEqual({ nonce: 1n, balance: 0n, slots });
  });

  it("come in the order in which accounts were first changed", async () => {
    const { writes } = await runTarget("prague", assemble(`${calling("CALL", A, 1n)} ${calling("CALL", B, 2n)}`));
    expect(writes.map(({ address }) => hex(address))).toEqual([SENDER, TARGET, A, B].map(hex));
  });

  it("hold what the executor changed", async () => {
    const { session } = await aSession("prague", [{ address: A, balance: 5n }]);
    session.begin(QUIET);
    await session.setNonce(A, 7n);
    await session.addBalance(A, -2n);
    await session.addBalance(B, 4n);
    await session.setCode(B, assemble("STOP"));
    expect(await session.getAccount(A)).toMatchObject({ nonce: 7n, balance: 3n });
    expect(describeWrites(await session.end())).toEqual({
      [hex(A)]: { nonce: 7n, balance: 3n },
      [hex(B)]: { nonce: 0n, balance: 4n, code: "0x00" },
    });
  });

  it("hold a created contract with its code", async () => {
    const address = createAddress(SENDER, 0n);
    const { result, writes } = await transact(await aSession("prague", []), {
      to: undefined,
      createdAddress: address,
      value: 3n,
      data: deploying(assemble("1 2 SSTORE")),
    });
    expect(result).toMatchObject({ error: undefined, output: assemble("1 2 SSTORE") });
    expect(describeWrites({ writes })[hex(address)]).toEqual({
      nonce: 1n,
      balance: 3n,
      code: hex(assemble("1 2 SSTORE")),
    });
    expect(writes.find((write) => hex(write.address) === hex(address))?.wipesStorage).toBe(true);
  });

  it("leave out what a frame did that failed", async () => {
    const failing = assemble("1 1 SSTORE 0 0 LOG0 INVALID");
    const { result, writes } = await runTarget("prague", assemble(calling("CALL", A, 5n)), {
      accounts: [{ address: A, code: failing, nonce: 1n }],
    });
    expect(result).toMatchObject({ error: undefined, logs: [] });
    for (const { slots, balance, address } of writes) {
      expect(slots).toEqual([]);
      if (hex(address) === hex(A)) expect(balance).toBe(0n);
    }
  });
});

describe("empty accounts (EIP-161)", () => {
  it("are made by calls before Spurious Dragon", async () => {
    const made = describeWrites(await runTarget("tangerineWhistle", assemble(calling("CALL", NOBODY, 0n))));
    expect(made[hex(NOBODY)]).toEqual({ nonce: 0n, balance: 0n });
  });

  it("are not made since", async () => {
    const made = describeWrites(await runTarget("spuriousDragon", assemble(calling("CALL", NOBODY, 0n))));
    expect(made[hex(NOBODY)]).toBeUndefined();
  });

  it("go when they are touched", async () => {
    const run = await runTarget("london", assemble(calling("CALL", A, 0n)), {
      accounts: [{ address: A }, { address: B }],
    });
    expect(describeWrites(run)[hex(A)]).toBe("deleted");
    expect(describeWrites(run)[hex(B)]).toBeUndefined();
  });

  it("go when the executor pays them nothing", async () => {
    const { session } = await aSession("london", [{ address: A }]);
    session.begin(QUIET);
    await session.addBalance(A, 0n);
    expect(describeWrites(await session.end())).toEqual({ [hex(A)]: "deleted" });
  });

  it("stay where the frame that touched them fails, but for that of RIPEMD-160", async () => {
    const touching = assemble(`${calling("CALL", precompile(2), 0n)} ${calling("CALL", precompile(3), 0n)} INVALID`);
    const run = await runTarget("spuriousDragon", assemble(calling("CALL", A, 0n)), {
      accounts: [{ address: A, code: touching, nonce: 1n }, { address: precompile(2) }, { address: precompile(3) }],
    });
    expect(describeWrites(run)[hex(precompile(3))]).toBe("deleted");
    expect(describeWrites(run)[hex(precompile(2))]).toEqual({ nonce: 0n, balance: 0n });
  });
});

describe("an account that destroys itself", () => {
  const accounts = [{ address: A, code: DESTROYING, balance: 5n, nonce: 1n, storage: [[1n, 1n]] as const }];

  it("goes with its storage, and what is sent to it afterwards burns (shanghai)", async () => {
    const run = await runTarget("shanghai", assemble(`${calling("CALL", A, 1n)} ${calling("CALL", A, 2n)}`), {
      accounts,
    });
    const written = describeWrites(run);
    expect(written[hex(A)]).toBe("deleted");
    expect(written[hex(TARGET)]).toEqual({ nonce: 1n, balance: 1005n });
    expect(await run.state.getAccount(A)).toBeUndefined();
    expect(await run.state.getStorage(A, word(1n))).toEqual(EMPTY_BYTES);
  });

  it("stays where it was not created in the transaction, and gives its balance all the same (cancun)", async () => {
    const written = describeWrites(await runTarget("cancun", assemble(calling("CALL", A, 1n)), { accounts }));
    expect(written[hex(A)]).toEqual({ nonce: 1n, balance: 0n });
    expect(written[hex(TARGET)]).toEqual({ nonce: 1n, balance: 1005n });
  });

  it("goes where it was created in the transaction (cancun)", async () => {
    const address = createAddress(TARGET, 1n);
    const init = storing(DESTROYING);
    const run = await runTarget("cancun", assemble(`${init} ${DESTROYING.length} 0 3 CREATE 9 1 SSTORE`));
    expect(describeWrites(run)[hex(address)]).toBeUndefined();
    expect(await run.state.getAccount(address)).toBeUndefined();
    expect(describeWrites(run)[hex(TARGET)]).toMatchObject({ nonce: 2n, balance: 1000n });
  });

  it("stays where its frame fails afterwards (shanghai)", async () => {
    const run = await runTarget("shanghai", assemble(calling("CALL", B, 0n)), {
      accounts: [...accounts, { address: B, code: assemble(`${calling("CALL", A, 0n)} INVALID`), nonce: 1n }],
    });
    expect(describeWrites(run)[hex(A)]).toEqual({ nonce: 1n, balance: 5n });
  });

  it("is refunded once, however often it does so", async () => {
    const twice = assemble(`${calling("CALL", A, 0n)} ${calling("CALL", A, 0n)}`);
    const { result } = await runTarget("berlin", twice, { accounts });
    expect(result.gasRefund).toBe(24_000n);
  });

  it("can be made anew by a later transaction, without its slots", async () => {
    const opened = await aSession("shanghai", [
      { address: TARGET, nonce: 1n, balance: 9n, code: assemble(`${calling("CALL", A, 0n)} POP`) },
      ...accounts,
    ]);
    await transact(opened);
    opened.session.begin(QUIET);
    await opened.session.setCode(A, assemble("1 SLOAD 0 MSTORE 32 0 RETURN"));
    expect((await opened.session.run(aMessage({ to: A }))).output).toEqual(word(0n));
  });
});

describe("a creation", () => {
  const salt = word(7n);
  const init = deploying(assemble("STOP"));
  const creating = assemble(`${[...chunks(init)].join(" ")} 7 ${init.length} 0 0 CREATE2 0 MSTORE 32 0 RETURN`);
  const address = createSaltedAddress(TARGET, salt, init);

  it("makes an account where there is balance alone", async () => {
    const { result } = await runTarget("prague", creating, { accounts: [{ address, balance: 1n }] });
    expect(hex(result.output.slice(12))).toBe(hex(address));
  });

  it("fails where the account has storage, and takes all its gas (EIP-7610)", async () => {
    const sink = new CollectingSink();
    const { result } = await runTarget("prague", creating, { accounts: [{ address, storage: [[1n, 1n]] }], sink });
    expect(result.output).toEqual(word(0n));
    const collided = sink.events.find((event) => event.event === "exit");
    expect(collided).toMatchObject({ end: { error: "createCollision", createdAddress: hex(address) } });
  });

  it("collides as an outermost message too", async () => {
    const createdAddress = createAddress(SENDER, 0n);
    const opened = await aSession("paris", [{ address: createdAddress, nonce: 1n }]);
    const { result } = await transact(opened, { to: undefined, createdAddress, data: init, gasLimit: 100_000n });
    expect(result).toMatchObject({ error: "createCollision", gasUsed: 100_000n, detail: undefined });
  });

  it("is held to the session's size limits", async () => {
    const createdAddress = createAddress(SENDER, 0n);
    const limits = { maxCodeSize: 3, maxInitCodeSize: 40 };
    const failure = async (size: number, data = deploying(new Uint8Array(size))): Promise<unknown> => {
      const opened = await aSession("prague", [], limits);
      return (await transact(opened, { to: undefined, createdAddress, data })).result.error;
    };
    expect(await failure(3)).toBeUndefined();
    expect(await failure(4)).toBe("codeSizeExceeded");
    expect(await failure(0, new Uint8Array(41))).toBe("initCodeSizeExceeded");
  });
});

describe("an account that is delegated (EIP-7702)", () => {
  const delegation = (delegate: Uint8Array) => concatBytes(Uint8Array.of(0xef, 0x01, 0x00), delegate);

  it("runs its delegate's code on its own storage, and its delegate is warm", async () => {
    const opened = await aSession("prague", [
      { address: TARGET, nonce: 1n, code: delegation(A) },
      { address: A, nonce: 1n, code: assemble("5 1 SSTORE ADDRESS 0 MSTORE 32 0 RETURN") },
    ]);
    const run = await transact(opened);
    expect(hex(run.result.output.slice(12))).toBe(hex(TARGET));
    expect(describeWrites(run)).toEqual({
      [hex(SENDER)]: { nonce: 1n, balance: 10n ** 20n },
      [hex(TARGET)]: { nonce: 1n, balance: 0n, slots: [[1, "0x05"]] },
    });
    expect(run.accesses().map(({ address }) => hex(address))).toContain(hex(A));
  });

  it("runs nothing where its delegate is a precompile", async () => {
    const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code: delegation(precompile(4)) }]);
    const { result } = await transact(opened, { data: Uint8Array.of(1, 2, 3) });
    expect(result).toMatchObject({ error: undefined, output: EMPTY_BYTES, gasUsed: 0n });
  });

  it("runs nothing where its delegate is delegated", async () => {
    const opened = await aSession("prague", [
      { address: TARGET, nonce: 1n, code: delegation(A) },
      { address: A, nonce: 1n, code: delegation(B) },
      { address: B, nonce: 1n, code: assemble("STOP") },
    ]);
    // The delegation itself is run as code, whose first byte is no opcode.
    expect((await transact(opened)).result.error).toBe("invalidOpcode");
  });
});

describe("what a transaction looked at", () => {
  const looking = assemble(`0xa1${"a1".repeat(19)} BALANCE 5 SLOAD ${calling("CALL", B, 0n)}`);
  const failing = { address: B, nonce: 1n, code: assemble(`0x${"99".repeat(20)} BALANCE INVALID`) };

  it("is warm at the end, with the precompiles, and without what a failed frame looked at", async () => {
    const { session } = await aSession("berlin", [{ address: TARGET, nonce: 1n, code: looking }, failing]);
    session.begin(QUIET);
    session.warmAddress(SENDER);
    session.warmSlot(NOBODY, word(6n));
    await session.run(aMessage());
    const accesses = (await session.end()).accesses();
    const bySlots = new Map(accesses.map(({ address, slots }) => [hex(address), slots.map(hex)]));
    const expected = [SENDER, TARGET, A, B, NOBODY].map(hex);
    expect(expected.filter((address) => !bySlots.has(address))).toEqual([]);
    expect(bySlots.get(hex(NOBODY))).toEqual([hex(word(6n))]);
    expect(bySlots.get(hex(TARGET))).toEqual([hex(word(5n))]);
    expect(bySlots.get(hex(precompile(9)))).toEqual([]);
    expect(accesses).toHaveLength(expected.length + 9);
  });

  it("is not kept before Berlin", async () => {
    expect((await runTarget("istanbul", looking)).accesses()).toEqual([]);
  });
});

describe("transactions of one session", () => {
  it("begin without what the last one warmed, stored for its time, or was refunded", async () => {
    const code = assemble("0 TLOAD 1 SLOAD ADD 0 MSTORE 5 0 TSTORE 0 1 SSTORE 32 0 RETURN");
    const opened = await aSession("cancun", [{ address: TARGET, nonce: 1n, code, storage: [[1n, 8n]] }]);
    const first = await transact(opened);
    const second = await transact(opened);
    expect(first.result.output).toEqual(word(8n));
    expect(second.result.output).toEqual(word(0n));
    expect([first.result.gasRefund, second.result.gasRefund]).toEqual([4800n, 0n]);
    // To clear the slot costs 2,900 gas, to leave it zero 100. Both paid for a cold slot.
    expect(first.result.gasUsed - second.result.gasUsed).toBe(2800n);
  });

  it("see what was changed between them", async () => {
    const opened = await aSession("cancun", [
      { address: TARGET, nonce: 1n, code: assemble("1 SLOAD 0 MSTORE 32 0 RETURN") },
    ]);
    expect((await transact(opened)).result.output).toEqual(word(0n));
    opened.state.putStorage(TARGET, word(1n), Uint8Array.of(9));
    expect((await transact(opened)).result.output).toEqual(word(9n));
  });

  it("leave nothing behind where they are abandoned", async () => {
    const opened = await aSession("shanghai", [
      { address: TARGET, nonce: 1n, balance: 3n, code: assemble("7 1 SSTORE CALLER SELFDESTRUCT") },
    ]);
    opened.session.begin(QUIET);
    await opened.session.run(aMessage());
    await opened.session.addBalance(A, 1n);
    opened.session.abandon();
    opened.session.begin(QUIET);
    expect(await opened.session.getAccount(A)).toBeUndefined();
    expect((await opened.session.end()).writes).toEqual([]);
  });

  it("may have several messages, that share what they destroyed and created", async () => {
    const { session } = await aSession("cancun", []);
    const address = createAddress(SENDER, 0n);
    session.begin(QUIET);
    await session.run(aMessage({ to: undefined, createdAddress: address, value: 4n, data: deploying(DESTROYING) }));
    expect((await session.run(aMessage({ to: address }))).error).toBeUndefined();
    expect(describeWrites(await session.end())[hex(address)]).toBeUndefined();
  });
});

describe("code", () => {
  it("reads the block, the transaction and a chain id beyond 2^53", async () => {
    const code = assemble(`
      CHAINID 0 MSTORE ORIGIN 32 MSTORE GASPRICE 64 MSTORE 0 BLOBHASH 96 MSTORE 99 BLOCKHASH 128 MSTORE
      98 BLOCKHASH 160 MSTORE 192 0 RETURN`);
    const { session } = await aSession("cancun", [{ address: TARGET, nonce: 1n, code }], {
      chainId: (1n << 60n) + 1n,
    });
    session.begin({ origin: A, gasPrice: 77n, blobVersionedHashes: [word(5n)] });
    const { output } = await session.run(aMessage());
    const words = Array.from({ length: 6 }, (_, index) => BigInt(hex(output.slice(index * 32, index * 32 + 32))));
    expect(words).toEqual([(1n << 60n) + 1n, BigInt(hex(A)), 77n, 5n, 100n, 99n]);
  });

  it("calls precompiles where a table says, and finds nothing where they are gone", async () => {
    const identity = precompile(4);
    const calls = (address: Uint8Array): string => `0 0 32 0 ${encodeData(address)} GAS STATICCALL POP RETURNDATASIZE`;
    const code = assemble(`${calls(NOBODY)} ${calls(identity)} 1 SSTORE 2 SSTORE`);
    const precompiles = new Map([[Buffer.from(NOBODY).toString("latin1"), identity]]);
    const run = await transact(await aSession("prague", [{ address: TARGET, nonce: 1n, code }], { precompiles }));
    expect(describeWrites(run)[hex(TARGET)]).toMatchObject({ slots: [[2, "0x20"]] });
    const moved = run.accesses().map(({ address }) => hex(address));
    expect(moved).toContain(hex(identity));
  });
});

/** Words that write bytes to memory, from its start on. */
function* chunks(bytes: Uint8Array): Generator<string> {
  for (let offset = 0; offset < bytes.length; offset += 32) {
    const part = Buffer.from(bytes.subarray(offset, offset + 32))
      .toString("hex")
      .padEnd(64, "0");
    yield `0x${part} ${offset} MSTORE`;
  }
}
