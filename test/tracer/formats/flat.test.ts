/** Flat traces, clause by clause (`docs/trace-formats.md`, sections 2 and 3). */
import { describe, expect, it } from "vitest";
import type { Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import type { Bytes } from "../../../src/primitives/bytes/bytes.ts";
import { type FlatTrace, flatTraces, localize, rewardTrace } from "../../../src/tracer/formats/flat.ts";
import type { TraceClient } from "../../../src/tracer/formats/flat-errors.ts";
import { assemble, calling, deploying, fromHex, storing } from "../../support/assembler.ts";
import { addressOf, OPCODE_HARDFORKS, runCode, SENDER, TARGET, type TestRun } from "../../support/evm.ts";
import { hex, shown } from "../../support/plain.ts";

const C = addressOf(0xcc);
const D = addressOf(0xdd);
const SHA256 = Uint8Array.of(...new Array(19).fill(0), 2);
const BLAKE2F = Uint8Array.of(...new Array(19).fill(0), 9);

async function traces(run: TestRun, client?: TraceClient): Promise<FlatTrace[]> {
  const { recorder } = await runCode({ ...run, record: { logs: true } });
  return [...flatTraces(recorder, client)];
}

const paths = (list: readonly FlatTrace[]) =>
  list.map(({ type, traceAddress }) => `${type} [${traceAddress.join(",")}]`);
const errorOf = async (run: TestRun, client?: TraceClient) => (await traces(run, client))[0]?.error;

describe("a flat trace", () => {
  it("of a transfer uses no gas and has gas 0x0 where only intrinsic gas was given", async () => {
    const [trace] = await traces({ message: { to: D, value: 5n, gasLimit: 0n } });
    expect(shown(trace)).toEqual({
      type: "call",
      action: { callType: "call", from: hex(SENDER), to: hex(D), value: "0x5", gas: "0x0", input: "0x" },
      result: { gasUsed: "0x0", output: "0x" },
      subtraces: 0,
      traceAddress: [],
    });
  });

  it("keeps revert data at the top and in a child, and the parent goes on", async () => {
    const reverting = assemble(`${storing(fromHex("deadbeef"))} 4 0 REVERT`);
    const list = await traces({
      code: assemble(`${calling("CALL", C)} ${storing(fromHex("c0de"))} 2 0 REVERT`),
      accounts: [{ address: C, code: reverting }],
    });
    expect(list.map(({ error }) => error)).toEqual(["Reverted", "Reverted"]);
    expect(list.map(({ result }) => shown(result))).toEqual([
      { gasUsed: expect.any(String), output: "0xc0de" },
      { gasUsed: "0x12", output: "0xdeadbeef" },
    ]);
  });

  it.each([
    ["CALL", "call", TARGET, C, "0x7"],
    ["CALLCODE", "callcode", TARGET, C, "0x7"],
    ["DELEGATECALL", "delegatecall", TARGET, C, "0x5"],
    ["STATICCALL", "staticcall", TARGET, C, "0x0"],
  ])("of %s names caller, target and value", async (opcode, callType, from, to, value) => {
    const list = await traces({
      accounts: [
        { address: TARGET, balance: 100n, code: assemble(calling(opcode, C, 7n)) },
        { address: C, code: assemble("STOP") },
      ],
      message: { value: 5n },
    });
    expect(shown(list[1]?.action)).toMatchObject({ callType, from: hex(from), to: hex(to), value });
  });

  it("gives a delegatecall the value its parent was sent, however deep", async () => {
    const list = await traces({
      code: assemble(calling("DELEGATECALL", C)),
      accounts: [
        { address: C, code: assemble(calling("DELEGATECALL", D)) },
        { address: D, code: assemble("STOP") },
      ],
      message: { value: 5n },
    });
    expect(list.map(({ action }) => shown(action))).toMatchObject([
      { callType: "call", from: hex(SENDER), to: hex(TARGET), value: "0x5" },
      { callType: "delegatecall", from: hex(TARGET), to: hex(C), value: "0x5" },
      { callType: "delegatecall", from: hex(TARGET), to: hex(D), value: "0x5" },
    ]);
  });

  it("adds the stipend to the gas of a call with value", async () => {
    const call = (value: number) => assemble(`0 0 0 0 ${value} 0x${"cc".repeat(20)} 30000 CALL`);
    const gasOf = async (value: number) => {
      const accounts = [
        { address: TARGET, balance: 9n, code: call(value) },
        { address: C, code: assemble("STOP") },
      ];
      const child = (await traces({ accounts }))[1];
      return child?.type === "call" ? child.action.gas : undefined;
    };
    expect(await gasOf(0)).toBe(30_000n);
    expect(await gasOf(1)).toBe(32_300n);
  });
});

describe("a creation", () => {
  const runtime = assemble("0x2a 0 SSTORE STOP");
  const init = deploying(runtime);
  const created = createAddress(TARGET, 1n);
  const create = (code: Bytes, opcode = "CREATE") =>
    assemble(
      `0x${Buffer.from(code).toString("hex")} 0 MSTORE ${opcode === "CREATE2" ? "9" : ""} ${code.length} ${32 - code.length} 0 ${opcode}`,
    );

  it("by transaction has the init code, the deployed code and its address", async () => {
    const [trace] = await traces({ message: { to: undefined, data: init } });
    expect(trace?.type).toBe("create");
    expect(shown(trace)).toMatchObject({
      action: { creationMethod: "create", from: hex(SENDER), value: "0x0", init: hex(init) },
      result: { code: hex(runtime), gasUsed: expect.any(String), address: hex(createAddress(SENDER, 0n)) },
      subtraces: 0,
    });
  });

  it("nested by CREATE and CREATE2 differs by creationMethod", async () => {
    const small = assemble("0 0 RETURN");
    for (const [opcode, creationMethod] of [
      ["CREATE", "create"],
      ["CREATE2", "create2"],
    ] as const) {
      const list = await traces({ accounts: [{ address: TARGET, nonce: 1n, code: create(small, opcode) }] });
      expect(shown(list[1])).toMatchObject({
        type: "create",
        action: { creationMethod, from: hex(TARGET), value: "0x0", init: hex(small) },
        result: { code: "0x", gasUsed: "0x6", ...(opcode === "CREATE" ? { address: hex(created) } : {}) },
        traceAddress: [0],
      });
    }
  });

  it("whose init code reverts keeps its address and the revert data", async () => {
    const reverting = assemble(`0xdeadbeef 0 MSTORE 4 28 REVERT`);
    const list = await traces({ accounts: [{ address: TARGET, nonce: 1n, code: create(reverting) }] });
    expect(shown(list[1])).toMatchObject({
      error: "Reverted",
      result: { address: hex(created), code: "0xdeadbeef", gasUsed: "0x12" },
    });
  });

  it.each<[Hardfork, string | undefined]>([
    ["chainstart", undefined],
    ["homestead", "Out of gas"],
    ["cancun", "Out of gas"],
  ])("that cannot pay for its code ends so: %s, %s", async (hardfork, error) => {
    // 24,000 bytes of code cost 4.8 million gas.
    const large = assemble("[615dc0] 0 RETURN");
    const [trace] = await traces({ hardfork, message: { to: undefined, data: large, gasLimit: 100_000n } });
    expect(trace?.error).toBe(error);
    expect(shown(trace?.result)).toEqual(error === undefined ? expect.objectContaining({ code: "0x" }) : null);
  });

  it("onto an existing contract collides and ends out of gas", async () => {
    const list = await traces({
      accounts: [
        { address: TARGET, nonce: 1n, code: create(assemble("0 0 RETURN")) },
        { address: created, nonce: 1n, code: runtime },
      ],
    });
    expect(list[1]).toMatchObject({ type: "create", error: "Out of gas", result: null });
  });

  it("of code that begins with 0xEF is invalid from London on", async () => {
    const data = assemble("0xef 0 MSTORE8 1 0 RETURN");
    expect(await errorOf({ hardfork: "london", message: { to: undefined, data } })).toBe("Invalid code");
    expect(await errorOf({ hardfork: "berlin", message: { to: undefined, data } })).toBeUndefined();
  });
});

describe("a call of a precompile", () => {
  const accounts = (code: string) => [{ address: TARGET, balance: 10n, code: assemble(code) }];

  it("is hidden with value zero, and leaves no gap", async () => {
    const list = await traces({
      accounts: [
        ...accounts(`${calling("CALL", SHA256)} ${calling("STATICCALL", SHA256)} ${calling("CALL", C)}`),
        { address: C, code: assemble("STOP") },
      ],
    });
    expect(paths(list)).toEqual(["call []", "call [0]"]);
    expect(list[0]?.subtraces).toBe(1);
  });

  it("is hidden when it fails too", async () => {
    expect(paths(await traces({ accounts: accounts(calling("CALL", BLAKE2F)) }))).toEqual(["call []"]);
  });

  it("shows when it carries value", async () => {
    expect(paths(await traces({ accounts: accounts(calling("CALL", SHA256, 1n)) }))).toEqual(["call []", "call [0]"]);
  });

  it("shows when it is delegated to, but not at reth and Erigon", async () => {
    const run = { accounts: accounts(calling("DELEGATECALL", SHA256)) };
    expect(paths(await traces(run))).toEqual(["call []", "call [0]"]);
    for (const client of ["reth", "erigon"] as const) expect(paths(await traces(run, client))).toEqual(["call []"]);
  });

  it("shows as the target of the transaction, with its own error", async () => {
    const [trace] = await traces({ message: { to: BLAKE2F } });
    expect(trace).toMatchObject({ error: "Built-in failed", result: null });
  });
});

describe("a call that never starts", () => {
  it("for want of balance shows nothing, but at reth", async () => {
    const run = { code: assemble(calling("CALL", C, 1n)), accounts: [{ address: C, code: assemble("STOP") }] };
    expect(paths(await traces(run))).toEqual(["call []"]);
    const shownByReth = await traces(run, "reth");
    expect(shownByReth[1]).toMatchObject({ error: "Insufficient balance for transfer", traceAddress: [0] });
  });

  it("beyond depth 1024 shows nothing", async () => {
    // Before EIP-150 all gas can be handed on, so the depth limit is reached.
    const run = {
      hardfork: "homestead" as const,
      code: assemble(`0 0 0 0 0 0x${"bb".repeat(20)} 1000 GAS SUB CALL`),
      message: { gasLimit: 10_000_000n },
    };
    const list = await traces(run);
    expect(list.length).toBe(1025);
    expect(list.at(-1)?.error).toBeUndefined();
    expect((await traces(run, "reth")).at(-1)).toMatchObject({ error: "CallTooDeep" });
  });
});

describe("a self-destruct", () => {
  const destroy = assemble(`0x${"dd".repeat(20)} SELFDESTRUCT`);

  it("stands behind its siblings, with the balance from before", async () => {
    const list = await traces({
      code: assemble(calling("CALL", C)),
      accounts: [
        { address: C, balance: 7n, code: assemble(`${calling("CALL", D)} 0x${"dd".repeat(20)} SELFDESTRUCT`) },
        { address: D, code: assemble("STOP") },
      ],
    });
    expect(paths(list)).toEqual(["call []", "call [0]", "call [0,0]", "suicide [0,1]"]);
    expect(list[1]?.subtraces).toBe(2);
    expect(shown(list[3])).toEqual({
      type: "suicide",
      action: { address: hex(C), refundAddress: hex(D), balance: "0x7" },
      result: null,
      subtraces: 0,
      traceAddress: [0, 1],
    });
  });

  it("inside a delegatecall is of the storage owner", async () => {
    const list = await traces({
      code: assemble(calling("DELEGATECALL", C)),
      accounts: [{ address: C, code: destroy }],
    });
    expect(shown(list[2]?.action)).toMatchObject({ address: hex(TARGET) });
  });

  it("stays when an outer frame reverts", async () => {
    const list = await traces({
      code: assemble(`${calling("CALL", C)} 0 0 REVERT`),
      accounts: [{ address: C, code: destroy }],
    });
    expect(paths(list)).toEqual(["call []", "call [0]", "suicide [0,0]"]);
    expect(list[0]?.error).toBe("Reverted");
  });

  it("in init code belongs to the creation", async () => {
    const list = await traces({ message: { to: undefined, data: destroy } });
    expect(paths(list)).toEqual(["create []", "suicide [0]"]);
  });

  it("in a static frame is no entry", async () => {
    const list = await traces({ code: assemble(calling("STATICCALL", C)), accounts: [{ address: C, code: destroy }] });
    expect(paths(list)).toEqual(["call []", "call [0]"]);
    expect(list[1]?.error).toBe("Mutable Call In Static Context");
  });

  it.each(OPCODE_HARDFORKS)("to itself is an entry (%s)", async (hardfork) => {
    const list = await traces({ hardfork, code: assemble("ADDRESS SELFDESTRUCT") });
    expect(paths(list)).toEqual(["call []", "suicide [0]"]);
  });
});

describe("error texts", () => {
  it.each([
    ["ADD", "Stack underflow", "StackUnderflow", "stack underflow (0 <=> 2)"],
    [
      "0 0 SSTORE 1 0 SSTORE 2 0 SSTORE 3 5 SSTORE 3 6 SSTORE 3 7 SSTORE 3 8 SSTORE",
      "Out of gas",
      "Out of gas",
      "out of gas",
    ],
    ["[0c]", "Bad instruction", "Bad instruction", "invalid opcode: opcode 0xc not defined"],
    ["INVALID", "Bad instruction", "Bad instruction", "invalid opcode: INVALID"],
    ["3 JUMP", "Bad jump destination", "Bad jump destination", "invalid jump destination"],
    ["1 0 0 RETURNDATACOPY", "Out of bounds", "OutOfOffset", "return data out of bounds"],
    ["loop: 0 @loop JUMP", "Out of stack", "Out of stack", "stack limit reached 1024 (1023)"],
    ["0 0 REVERT", "Reverted", "Reverted", "Reverted"],
    ["0xffffffffffffffffff MLOAD", "Out of gas", "Out of gas", "gas uint64 overflow"],
  ])("of %s are %s, %s at reth, %s at Erigon", async (code, openEthereum, reth, erigon) => {
    const run = { code: assemble(code) };
    expect(await errorOf(run)).toBe(openEthereum);
    expect(await errorOf(run, "openethereum")).toBe(openEthereum);
    expect(await errorOf(run, "reth")).toBe(reth);
    expect(await errorOf(run, "erigon")).toBe(erigon);
  });

  it.each(["0 0 SSTORE", "0 0 LOG0", "0 0 0 CREATE", "0 0 TSTORE", `0 0 0 0 1 0x${"dd".repeat(20)} GAS CALL`])(
    "of %s in a static frame say so",
    async (code) => {
      const accounts = [{ address: C, balance: 9n, code: assemble(code) }];
      const list = await traces({ code: assemble(calling("STATICCALL", C)), accounts });
      expect(list[1]).toMatchObject({ error: "Mutable Call In Static Context", result: null });
    },
  );
});

describe("clients", () => {
  const reverted: TestRun = { code: assemble("0 0 REVERT") };
  const failed: TestRun = { code: assemble("INVALID") };

  it("differ in what a failure leaves as its result", async () => {
    expect((await traces(reverted, "openethereum"))[0]).not.toHaveProperty("result");
    expect((await traces(failed, "openethereum"))[0]).not.toHaveProperty("result");
    for (const client of ["hindcast", "reth", "erigon"] as const) {
      expect((await traces(reverted, client))[0]?.result).toMatchObject({ gasUsed: 6n });
      expect((await traces(failed, client))[0]?.result).toBeNull();
    }
  });

  it("name the creation method, but for OpenEthereum", async () => {
    const run: TestRun = { message: { to: undefined, data: assemble("STOP") } };
    expect((await traces(run, "openethereum"))[0]?.action).not.toHaveProperty("creationMethod");
    for (const client of ["hindcast", "reth", "erigon"] as const) {
      expect((await traces(run, client))[0]?.action).toMatchObject({ creationMethod: "create" });
    }
  });
});

describe("a transaction with a call, a self-destruct and a reverted creation", () => {
  it("has these entries, in this order, with these paths", async () => {
    const init = assemble("0xdeadbeef 0 MSTORE 4 28 REVERT");
    const code = assemble(
      `${calling("CALL", C, 1n)} POP 0x${Buffer.from(init).toString("hex")} 0 MSTORE ${init.length} ${32 - init.length} 0 CREATE`,
    );
    const list = await traces({
      accounts: [
        { address: TARGET, balance: 1n, nonce: 1n, code },
        { address: C, code: assemble(`${calling("CALL", SHA256)} POP 0x${"dd".repeat(20)} SELFDESTRUCT`) },
      ],
      message: { gasLimit: 121_000n - 21_000n },
    });
    const created = hex(createAddress(TARGET, 1n));
    expect(shown(list)).toEqual([
      {
        type: "call",
        action: { callType: "call", from: hex(SENDER), to: hex(TARGET), value: "0x0", gas: "0x186a0", input: "0x" },
        // 20 and the call: 11,600 and what the child used without its stipend; 2 and 12; 9, 32,002 and 18.
        result: { gasUsed: `0x${(74_148).toString(16)}`, output: "0x" },
        subtraces: 2,
        traceAddress: [],
      },
      {
        type: "call",
        action: { callType: "call", from: hex(TARGET), to: hex(C), value: "0x1", gas: "0x15cd4", input: "0x" },
        // 20, a warm call with 60 for SHA-256, 5, and a self-destruct to a cold account that is not there yet.
        result: { gasUsed: `0x${(20 + 100 + 60 + 5 + 32_600).toString(16)}`, output: "0x" },
        subtraces: 1,
        traceAddress: [0],
      },
      {
        type: "suicide",
        action: { address: hex(C), refundAddress: hex(D), balance: "0x1" },
        result: null,
        subtraces: 0,
        traceAddress: [0, 0],
      },
      {
        type: "create",
        action: { creationMethod: "create", from: hex(TARGET), value: "0x0", gas: "0x637a", init: hex(init) },
        error: "Reverted",
        result: { address: created, code: "0xdeadbeef", gasUsed: "0x12" },
        subtraces: 0,
        traceAddress: [1],
      },
    ]);
  });
});

describe("rewards and places", () => {
  it("make the localized traces of the chain", () => {
    const blockHash = new Uint8Array(32).fill(1);
    const place = { blockHash, blockNumber: 100n, transactionHash: null, transactionPosition: null };
    const base = 2n * 10n ** 18n;
    const block = rewardTrace({ author: addressOf(0xa1), rewardType: "block", value: base + base / 32n });
    const uncle = rewardTrace({ author: addressOf(0xa2), rewardType: "uncle", value: (7n * base) / 8n });
    expect(shown([localize(block, place), localize(uncle, place)])).toEqual([
      {
        type: "reward",
        action: { author: hex(addressOf(0xa1)), rewardType: "block", value: "0x1c9f78d2893e4000" },
        result: null,
        subtraces: 0,
        traceAddress: [],
        ...(shown(place) as object),
      },
      {
        type: "reward",
        action: { author: hex(addressOf(0xa2)), rewardType: "uncle", value: "0x18493fba64ef0000" },
        result: null,
        subtraces: 0,
        traceAddress: [],
        ...(shown(place) as object),
      },
    ]);
  });
});
