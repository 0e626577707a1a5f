/** The EVM behind its door: results, limits, clean-up. Its opcodes are compared with EthereumJS' in the property test. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Hardfork } from "../../src/chainspec/hardforks.ts";
import { LimitError } from "../../src/errors/hindcast-error.ts";
import { Evm } from "../../src/executor/evm.ts";
import type { EvmMessage } from "../../src/executor/types.ts";
import { createAddress } from "../../src/primitives/address.ts";
import { bytesToBigInt, EMPTY_BYTES } from "../../src/primitives/bytes.ts";
import { WorkingState } from "../../src/state/working-state.ts";
import { assemble, calling, fromHex } from "../support/assembler.ts";
import { aBlock, addressOf, aState, OPCODE_HARDFORKS, runCode, SENDER, spec, TARGET, word } from "../support/evm.ts";
import { hex } from "../support/plain.ts";

const C = addressOf(0xcc);
const message = (overrides: Partial<EvmMessage> = {}): EvmMessage => {
  const nothing = { data: EMPTY_BYTES, value: 0n, gasPrice: 3n, blobVersionedHashes: [] };
  return { from: SENDER, to: TARGET, gasLimit: 100_000n, ...nothing, ...overrides };
};
const returning = (code: string) => assemble(`${code} 0 MSTORE 32 0 RETURN`);
const outputOf = async (code: string, overrides: Partial<EvmMessage> = {}, hardfork: Hardfork = "cancun") =>
  bytesToBigInt((await runCode({ hardfork, code: returning(code), message: overrides })).result.output);

describe("a message", () => {
  it("returns output, gas used and refund", async () => {
    const accounts = [
      { address: TARGET, code: assemble("0 1 SSTORE 0x2a 0 MSTORE8 1 0 RETURN"), storage: [[1n, 5n]] as const },
    ];
    const { result } = await runCode({ accounts });
    expect(result).toMatchObject({
      error: undefined,
      output: Uint8Array.of(42),
      gasRefund: 4800n,
      logs: [],
      destroyed: [],
      consoleCalls: [],
    });
    // Two pushes and a cold store of an existing slot; two pushes, memory and a byte; two pushes and a return.
    expect(result.gasUsed).toBe(6n + 5000n + 6n + 6n + 6n);
  });

  it("that reverts keeps its data and loses its effects, refund and logs", async () => {
    const accounts = [
      {
        address: TARGET,
        code: assemble("0 1 SSTORE 0 0 LOG0 0xab 0 MSTORE8 1 0 REVERT"),
        storage: [[1n, 5n]] as const,
      },
    ];
    const { result, state } = await runCode({ accounts, message: { value: 5n } });
    expect(result).toMatchObject({ error: "reverted", output: Uint8Array.of(0xab), gasRefund: 0n, logs: [] });
    expect(state.transactionChanges()).toEqual([]);
  });

  it("that fails uses all its gas, has no output, and says at which opcode", async () => {
    const { result } = await runCode({ code: assemble("1 ADD") });
    expect(result).toMatchObject({ error: "stackUnderflow", gasUsed: 100_000n, output: EMPTY_BYTES });
    expect(result.detail).toEqual({ opcode: 0x01, stackHeight: 1, cause: undefined });
  });

  it("that creates a contract puts it at the address of the nonce before, without bumping the sender's", async () => {
    const { result, state } = await runCode({
      message: { to: undefined, data: assemble("0xfe 0 MSTORE8 1 0 RETURN") },
    });
    expect(hex(result.createdAddress ?? EMPTY_BYTES)).toBe(hex(createAddress(SENDER, 0n)));
    expect(result.output).toEqual(Uint8Array.of(0xfe));
    expect(state.getAccount(SENDER)).toMatchObject({ nonce: 1n });
  });

  it("whose sender lacks the value fails; the EVM goes on working", async () => {
    const state = aState([{ address: C, nonce: 1n }]);
    const evm = Evm.open({ common: spec.common("cancun"), state, block: aBlock("cancun") });
    const poor = { from: C, value: 1n, gasLimit: 50_000n };
    expect(await evm.run(message({ ...poor, to: undefined }))).toMatchObject({
      error: "insufficientBalance",
      gasUsed: 50_000n,
    });
    expect(await evm.run(message(poor))).toMatchObject({ error: "insufficientBalance" });
    await evm.finishTransaction();
    expect(state.transactionChanges()).toEqual([]);
    expect(await evm.run(message({ value: 2n }))).toMatchObject({ error: undefined });
    evm.close();
  });

  it("leaves an unpaid code deposit out in Frontier and fails from Homestead on", async () => {
    const data = assemble("[615dc0] 0 RETURN");
    expect((await runCode({ hardfork: "chainstart", message: { to: undefined, data } })).result).toMatchObject({
      error: undefined,
      output: EMPTY_BYTES,
    });
    expect((await runCode({ hardfork: "homestead", message: { to: undefined, data } })).result.error).toBe(
      "codeStoreOutOfGas",
    );
  });

  it("can have more gas than a JS number counts", async () => {
    const gasLimit = 2n ** 63n - 1n;
    expect(await outputOf("GAS", { gasLimit })).toBe(gasLimit - 2n);
    expect((await runCode({ code: assemble("INVALID"), message: { gasLimit } })).result.gasUsed).toBe(gasLimit);
    expect((await runCode({ code: assemble("1 POP"), message: { gasLimit } })).result.gasUsed).toBe(5n);
  });

  it.each(["istanbul", "cancun"] as const)("can call 1,024 frames deep and no deeper (%s)", async (hardfork) => {
    const code = assemble(calling("CALL", TARGET));
    const { result, recorder } = await runCode({ hardfork, code, message: { gasLimit: 10n ** 12n }, record: {} });
    expect(result.error).toBeUndefined();
    expect(recorder.frames).toHaveLength(1026);
    expect(recorder.frames[1024]).toMatchObject({ isStarted: true, error: undefined });
    expect(recorder.frames[1025]).toMatchObject({ isStarted: false, error: "callTooDeep" });
  });
});

describe("what opcodes read", () => {
  it.each<[string, bigint]>([
    ["NUMBER", 100n],
    ["TIMESTAMP", 1_700_000_000n],
    ["COINBASE", bytesToBigInt(addressOf(0xc0))],
    ["GASLIMIT", 30_000_000n],
    ["DIFFICULTY", bytesToBigInt(new Uint8Array(32).fill(7))],
    ["BASEFEE", 1n],
    ["BLOBBASEFEE", 1n],
    ["CHAINID", 1n],
    ["GASPRICE", 3n],
    ["ORIGIN", bytesToBigInt(SENDER)],
    ["CALLER", bytesToBigInt(SENDER)],
    ["ADDRESS", bytesToBigInt(TARGET)],
    ["99 BLOCKHASH", 100n],
    ["100 BLOCKHASH", 0n],
    ["0 BLOBHASH", 9n],
    ["1 BLOBHASH", 0n],
  ])("is the block's and the transaction's: %s", async (code, value) => {
    expect(await outputOf(code, { gasPrice: 3n, blobVersionedHashes: [word(9n)] })).toBe(value);
  });

  it("is the difficulty before the Merge", async () => {
    expect(await outputOf("DIFFICULTY", {}, "london")).toBe(131_072n);
  });

  it("is zero for an ancestor whose hash is not known", async () => {
    const state = aState([{ address: TARGET, code: returning("99 BLOCKHASH") }]);
    const block = aBlock("cancun", { blockHash: () => undefined });
    const evm = Evm.open({ common: spec.common("cancun"), state, block });
    expect(bytesToBigInt((await evm.run(message())).output)).toBe(0n);
    evm.setBlock(aBlock("cancun"));
    expect(bytesToBigInt((await evm.run(message())).output)).toBe(100n);
    evm.close();
  });
});

describe("accesses", () => {
  const priceOfBalance = async (prepare: (evm: Evm) => void): Promise<bigint> => {
    const state = aState([{ address: TARGET, code: assemble(`0x${"cc".repeat(20)} BALANCE`) }]);
    const evm = Evm.open({ common: spec.common("cancun"), state, block: aBlock("cancun") });
    prepare(evm);
    const { gasUsed } = await evm.run(message());
    evm.close();
    return gasUsed - 3n;
  };

  it("are cold at first and warm where the transaction says so", async () => {
    expect(await priceOfBalance(() => {})).toBe(2600n);
    expect(await priceOfBalance((evm) => evm.warmAddress(C))).toBe(100n);
    const loading = aState([{ address: TARGET, code: assemble("1 SLOAD 1 SLOAD") }]);
    const evm = Evm.open({ common: spec.common("cancun"), state: loading, block: aBlock("cancun") });
    expect((await evm.run(message())).gasUsed).toBe(3n + 2100n + 3n + 100n);
    await evm.finishTransaction();
    evm.warmSlot(TARGET, word(1n));
    expect((await evm.run(message())).gasUsed).toBe(3n + 100n + 3n + 100n);
    evm.close();
  });

  it("of one transaction are forgotten at its end, transient storage too", async () => {
    const state = aState([{ address: TARGET, code: returning("1 TLOAD 7 1 TSTORE") }]);
    const evm = Evm.open({ common: spec.common("cancun"), state, block: aBlock("cancun") });
    for (let round = 0; round < 2; round++) {
      expect(bytesToBigInt((await evm.run(message())).output)).toBe(0n);
      await evm.finishTransaction();
    }
    evm.close();
  });

  it("are listed with their slots, those of reverted frames too", async () => {
    const state = aState([
      { address: TARGET, code: assemble(`${calling("CALL", C)} 5 SLOAD 0x${"dd".repeat(20)} EXTCODESIZE`) },
      { address: C, code: assemble("7 9 SSTORE 0 0 REVERT") },
    ]);
    const evm = Evm.open({ common: spec.common("cancun"), state, block: aBlock("cancun") });
    evm.startAccessList();
    await evm.run(message());
    const accessed = evm
      .accessedSlots()
      .map(({ address, slots }) => [hex(address), slots.map((slot) => bytesToBigInt(slot))]);
    expect(Object.fromEntries(accessed)).toEqual({
      [hex(C)]: [9n],
      [hex(TARGET)]: [5n],
      [hex(addressOf(0xdd))]: [],
    });
    await evm.finishTransaction();
    expect(evm.accessedSlots()).toEqual([]);
    evm.close();
  });
});

describe("the end of a transaction", () => {
  const emptied = async (hardfork: Hardfork): Promise<unknown> => {
    const state = aState([{ address: TARGET, code: assemble(calling("CALL", C)) }, { address: C }]);
    const evm = Evm.open({ common: spec.common(hardfork), state, block: aBlock(hardfork) });
    await evm.run(message());
    await evm.finishTransaction();
    evm.close();
    return state.getAccount(C);
  };

  it.each(OPCODE_HARDFORKS)("clears touched empty accounts from Spurious Dragon on (%s)", async (hardfork) => {
    if (spec.rules(hardfork).isSpuriousDragon) expect(await emptied(hardfork)).toBeUndefined();
    else expect(await emptied(hardfork)).toMatchObject({ balance: 0n });
  });

  it("clears what a caller touched, wrote or deleted", async () => {
    const state = aState([{ address: C }, { address: TARGET, balance: 5n }]);
    const evm = Evm.open({ common: spec.common("cancun"), state, block: aBlock("cancun") });
    evm.touch(C);
    const old = state.getAccount(TARGET);
    if (old === undefined || old instanceof Promise) throw new TypeError("the target has an account");
    evm.putAccount(TARGET, { ...old, balance: 0n });
    await evm.finishTransaction();
    expect([state.getAccount(C), state.getAccount(TARGET)]).toEqual([undefined, undefined]);
    evm.close();
  });

  it("keeps an empty account that was touched in a frame that reverted, but for RIPEMD-160's", async () => {
    const ripemd = Uint8Array.of(...new Array(19).fill(0), 3);
    const state = aState([
      { address: TARGET, code: assemble(`${calling("CALL", C)} ${calling("CALL", ripemd)} 0 0 REVERT`) },
      { address: C },
      { address: ripemd },
    ]);
    const evm = Evm.open({ common: spec.common("shanghai"), state, block: aBlock("shanghai") });
    await evm.run(message());
    await evm.finishTransaction();
    evm.close();
    expect(state.getAccount(C)).toMatchObject({ balance: 0n });
    expect(state.getAccount(ripemd)).toBeUndefined();
  });

  it.each<[Hardfork, number]>([
    ["shanghai", 1],
    ["cancun", 0],
  ])("destroys what destroyed itself, from Cancun on only what is new (%s)", async (hardfork, count) => {
    const { result } = await runCode({ hardfork, code: assemble("CALLER SELFDESTRUCT") });
    expect(result.destroyed.length).toBe(count);
    const fresh = await runCode({ hardfork, message: { to: undefined, data: assemble("CALLER SELFDESTRUCT") } });
    expect(fresh.result.destroyed.map(hex)).toEqual([hex(createAddress(SENDER, 0n))]);
  });
});

describe("limits", () => {
  // The longest the event loop had to wait for its turn, in milliseconds of this process' own work: what other
  // processes of a busy machine take in between does not count.
  let longestGap = 0;
  let watch: NodeJS.Timeout;
  const worked = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  beforeEach(() => {
    let last = worked();
    longestGap = 0;
    watch = setInterval(() => {
      const now = worked();
      longestGap = Math.max(longestGap, now - last);
      last = now;
    }, 1);
  });
  afterEach(() => clearInterval(watch));

  const endless: Record<string, string> = {
    "plain opcodes": "loop: @loop JUMP",
    storage: "1 loop: DUP1 DUP1 SSTORE 1 ADD @loop JUMP",
    "calls of itself": `loop: ${calling("CALL", TARGET)} POP @loop JUMP`,
    precompiles: `loop: ${calling("CALL", Uint8Array.of(...new Array(19).fill(0), 1))} POP @loop JUMP`,
    hashing: "loop: [6201d4c0] 0 KECCAK256 POP @loop JUMP",
    copying: "loop: [620f4240] 0 0 CALLDATACOPY @loop JUMP",
    creations: "loop: 0 0 0 CREATE POP @loop JUMP",
  };

  it.each(Object.keys(endless))("end %s that never end, and leave the event loop its turns meanwhile", async (name) => {
    const run = runCode({
      code: assemble(endless[name] as string),
      message: { gasLimit: 10n ** 15n },
      limits: { timeoutMs: 200 },
      record: false,
    });
    await expect(run).rejects.toMatchObject({ code: "EXECUTION_TIMEOUT", name: "LimitError" });
    // 50 ms is the promise; collecting garbage and compiling on other threads count twice here.
    expect(longestGap).toBeLessThan(100);
  });

  it("end a run when its caller aborts, and say so", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("gone")), 20);
    const run = runCode({
      code: assemble("loop: @loop JUMP"),
      message: { gasLimit: 10n ** 15n },
      limits: { signal: controller.signal },
      record: false,
    });
    const error: unknown = await run.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LimitError);
    expect(error).toMatchObject({ code: "EXECUTION_ABORTED", cause: expect.objectContaining({ message: "gone" }) });
  });

  it("leave the state as it was, and an EVM that can be used again", async () => {
    const code = assemble(`7 1 SSTORE 7 1 TSTORE ${calling("CALL", C)}`);
    const state = aState([
      { address: TARGET, code },
      { address: C, code: assemble("8 1 SSTORE loop: @loop JUMP") },
    ]);
    const common = spec.common("cancun");
    const limited = Evm.open({ common, state, block: aBlock("cancun"), limits: { timeoutMs: 30 } });
    await expect(limited.run(message({ gasLimit: 10n ** 15n, value: 5n }))).rejects.toBeInstanceOf(LimitError);
    limited.close();
    expect(state.transactionChanges()).toEqual([]);
    const evm = Evm.open({ common, state, block: aBlock("cancun") });
    const { gasUsed, error } = await evm.run(message({ to: C, gasLimit: 30_000n }));
    expect([error, gasUsed]).toEqual(["outOfGas", 30_000n]);
    evm.close();
  });

  it("do not touch runs that stay within them", async () => {
    const { result } = await runCode({ code: assemble("1 2 ADD"), limits: { timeoutMs: 60_000 }, record: false });
    expect(result.error).toBeUndefined();
  });
});

describe("runs at the same time", () => {
  it("leave nothing behind at the rules they share, however many there were", async () => {
    const common = spec.common("cancun");
    const evms = Array.from({ length: 20 }, () => Evm.open({ common, state: aState(), block: aBlock("cancun") }));
    for (const evm of evms) evm.close();
    expect(common.events.listeners("hardforkChanged")).toEqual([]);
  });

  it("do not disturb each other", async () => {
    const counted = async (rounds: number): Promise<bigint> => {
      const code = returning(`${rounds} loop: DUP1 DUP1 SSTORE 1 SWAP1 SUB DUP1 @loop JUMPI POP 1 SLOAD 7 ADD`);
      const { result } = await runCode({ code, message: { gasLimit: 10n ** 12n }, record: false });
      return bytesToBigInt(result.output);
    };
    expect(await Promise.all([2000, 1, 1500, 30].map(counted))).toEqual([8n, 8n, 8n, 8n]);
  });
});

describe("a state that must be waited for", () => {
  it("gives the same results and the same gas", async () => {
    const code = assemble(`1 SLOAD 7 1 SSTORE 0x${"cc".repeat(20)} BALANCE ${calling("CALL", C)} 1 SLOAD`);
    const accounts = [
      { address: TARGET, code, balance: 5n, storage: [[1n, 3n]] as const },
      { address: C, balance: 3n, code: assemble("2 SLOAD 5 2 SSTORE 0x01 EXTCODEHASH") },
    ];
    const local = aState(accounts);
    const later = <T>(value: T): Promise<T> => Promise.resolve(value);
    const remote = new WorkingState({
      getAccount: async (address) => later(await local.getAccount(address)),
      getStorage: async (address, slot) => later(await local.getStorage(address, slot)),
      getCode: async (codeHash) => later(await local.getCode(codeHash)),
    });
    const resultOn = async (state: WorkingState) => {
      const evm = Evm.open({ common: spec.common("cancun"), state, block: aBlock("cancun") });
      const result = await evm.run(message());
      await evm.finishTransaction();
      evm.close();
      return result;
    };
    const fromRemote = await resultOn(remote);
    expect(fromRemote).toEqual(await resultOn(local));
    expect(fromRemote.error).toBeUndefined();
  });
});

describe("the KZG precompile", () => {
  it("verifies, and refuses what does not fit, without anybody having loaded its library", async () => {
    const zeroG1 = `c0${"00".repeat(47)}`;
    const versionedHash = "010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014";
    const input = `${versionedHash}${"00".repeat(64)}${zeroG1}${zeroG1}`;
    const precompile = Uint8Array.of(...new Array(19).fill(0), 0x0a);
    const call = (data: string) => runCode({ message: { to: precompile, data: fromHex(data) } });
    expect((await call(input)).result).toMatchObject({ error: undefined, gasUsed: 50_000n });
    expect((await call(`02${input.slice(2)}`)).result.error).toBe("precompileFailed");
    expect((await call(input.slice(2))).result.error).toBe("precompileFailed");
  });
});
