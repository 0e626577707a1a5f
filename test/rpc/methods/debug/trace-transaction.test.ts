import { getCreate2Address, getCreateAddress, keccak256 } from "ethers";
import { describe, expect, it } from "vitest";
import { type Bytes, concatBytes } from "../../../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  type Json,
  quantity,
  type ServedNode,
  wordText,
} from "../../../support/a-node.ts";
import { assemble, calling, deploying, storing } from "../../../support/assembler.ts";
import { COUNTER, deploy, ECHO, REVERTER, receiptOf, send } from "../../../support/contracts.ts";

interface Trace extends Json {
  readonly type: string;
  readonly action: Json;
  readonly result?: Json | null;
  readonly error?: string;
  readonly subtraces: number;
  readonly traceAddress: number[];
}

const bytesOf = (address: string): Bytes => decodeData(address);
const SHA256 = bytesOf(`0x${"00".repeat(19)}02`);

/** A served chain, and a function that runs code as a contract and gives the traces of the transaction. */
async function aChain(hardfork = "osaka") {
  const served = await aServedNode({ hardfork });
  const { node, plain } = served;
  const run = async (code: Bytes, fields: Json = {}): Promise<{ traces: Trace[]; at: Hex; hash: Hex }> => {
    const at = await deploy(node, code);
    const hash = await send(node, { to: at, gas: quantity(1_000_000), ...fields });
    return { traces: await plain.ask<Trace[]>("trace_transaction", hash), at, hash };
  };
  return { ...served, run };
}

const outline = (traces: readonly Trace[]): unknown[] =>
  traces.map(({ type, traceAddress, subtraces, error }) => [type, traceAddress, subtraces, ...(error ? [error] : [])]);

const placeOf = ({ blockHash, blockNumber, transactionHash, transactionPosition }: Json): Json => ({
  blockHash,
  blockNumber,
  transactionHash,
  transactionPosition,
});

describe("trace_transaction", () => {
  it("of a plain transfer is one call that begins and ends with no gas", async () => {
    const { node, plain } = await aServedNode();
    const hash = await send(node, { to: BOB, value: "0x5" });
    const { blockHash } = await receiptOf(node, hash);
    expect(await plain.ask("trace_transaction", hash)).toEqual([
      {
        action: { callType: "call", from: ALICE, gas: "0x0", input: "0x", to: BOB, value: "0x5" },
        blockHash,
        blockNumber: 1,
        result: { gasUsed: "0x0", output: "0x" },
        subtraces: 0,
        traceAddress: [],
        transactionHash: hash,
        transactionPosition: 0,
        type: "call",
      },
    ]);
  });

  it("is null for an unknown, a waiting and a reorged transaction", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    expect(await plain.ask("trace_transaction", wordText(1))).toBeNull();
    const hash = await send(node, { to: BOB });
    expect(await plain.ask("trace_transaction", hash)).toBeNull();
    await node.mine();
    expect(await plain.ask("trace_transaction", hash)).toHaveLength(1);
    await node.rollback(1);
    expect(await plain.ask("trace_transaction", hash)).toBeNull();
  });

  it("names block and position as plain numbers, also of the second transaction of a block", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    await send(node, { to: BOB });
    const second = await send(node, { to: BOB, value: "0x1" });
    const [block] = await node.mine();
    const [trace] = await plain.ask<Trace[]>("trace_transaction", second);
    expect(placeOf(trace as Trace)).toEqual({
      blockHash: encodeData(block?.hash ?? new Uint8Array()),
      blockNumber: 1,
      transactionHash: second,
      transactionPosition: 1,
    });
  });

  it("lists nested calls parents first, each with its place in the tree", async () => {
    const { node, run } = await aChain();
    const echo = bytesOf(await deploy(node, ECHO));
    const inner = bytesOf(await deploy(node, assemble(`${calling("CALL", echo)} ${calling("CALL", echo)} STOP`)));
    const { traces } = await run(assemble(`${calling("CALL", inner)} ${calling("CALL", echo)} STOP`));
    expect(outline(traces)).toEqual([
      ["call", [], 2],
      ["call", [0], 2],
      ["call", [0, 0], 0],
      ["call", [0, 1], 0],
      ["call", [1], 0],
    ]);
  });

  it("tells from, to and value of each kind of call as Parity does", async () => {
    const { node, run } = await aChain();
    const echo = await deploy(node, ECHO);
    const kinds = ["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"];
    const { traces, at } = await run(
      assemble(`${kinds.map((kind) => calling(kind, bytesOf(echo), 3n)).join(" ")} STOP`),
      { value: "0x64" },
    );
    expect(traces.slice(1).map(({ action }) => [action.callType, action.from, action.to, action.value])).toEqual([
      ["call", at, echo, "0x3"],
      ["callcode", at, echo, "0x3"],
      // Inherited from the parent frame, not zero.
      ["delegatecall", at, echo, "0x64"],
      ["staticcall", at, echo, "0x0"],
    ]);
  });

  it("gives a call with value its stipend, and nothing for what the call leaves", async () => {
    const { run } = await aChain();
    const { traces } = await run(assemble(`0 0 0 0 1 0x${"77".repeat(20)} 0 CALL STOP`), { value: "0x1" });
    expect(traces[1]).toMatchObject({
      action: { gas: "0x8fc", value: "0x1", to: addressText(0x77) },
      result: { gasUsed: "0x0", output: "0x" },
    });
  });

  it("shows gas less the intrinsic gas, and gas used without refunds", async () => {
    const { node, run } = await aChain();
    const clears = assemble("1 0 SSTORE 0 0 SSTORE STOP");
    const { traces, hash } = await run(clears, { gas: quantity(100_000) });
    const used = BigInt(traces[0]?.result?.gasUsed as string);
    expect(traces[0]?.action.gas).toBe(quantity(100_000 - 21_000));
    const { gasUsed } = await receiptOf(node, hash);
    const spent = used + 21_000n;
    expect(BigInt(gasUsed as string)).toBe(spent - spent / 5n);
  });

  it("keeps the result of a revert, its data and its gas, and the parent goes on", async () => {
    const { node, run } = await aChain();
    const reverter = await deploy(node, REVERTER);
    const code = `${storing(Uint8Array.of(0xde, 0xad))} 0 0 2 0 0 ${reverter} GAS CALL STOP`;
    const { traces } = await run(assemble(code));
    expect(outline(traces)).toEqual([
      ["call", [], 1],
      ["call", [0], 0, "Reverted"],
    ]);
    expect(traces[1]).toMatchObject({
      action: { input: "0xdead" },
      result: { output: "0xdead", gasUsed: quantity(22) },
    });
    expect(traces[0]).not.toHaveProperty("error");
  });

  it.each([
    ["INVALID", "Bad instruction"],
    ["POP", "Stack underflow"],
    ["3 JUMP", "Bad jump destination"],
    ["loop: @loop JUMP", "Out of gas"],
    ["loop: 1 @loop JUMP", "Out of stack"],
    ["32 0 0 RETURNDATACOPY", "Out of bounds"],
  ])("gives no result for %s, and the error %s", async (code, error) => {
    const { traces } = await (await aChain()).run(assemble(code));
    expect(traces).toHaveLength(1);
    expect(traces[0]).toMatchObject({ error, result: null, type: "call" });
  });

  it("says what a static call may not do", async () => {
    const { node, run } = await aChain();
    const counter = await deploy(node, COUNTER);
    const { traces } = await run(assemble(`${calling("STATICCALL", bytesOf(counter))} STOP`));
    expect(traces[1]).toMatchObject({ error: "Mutable Call In Static Context", result: null });
  });

  it("hides calls of precompiles without value, leaving no gap, and shows the others", async () => {
    const { node, run } = await aChain();
    const echo = bytesOf(await deploy(node, ECHO));
    const hidden = `${calling("CALL", SHA256)} ${calling("STATICCALL", SHA256)}`;
    const shown = `${calling("CALL", SHA256, 1n)} ${calling("DELEGATECALL", SHA256)}`;
    const { traces } = await run(assemble(`${hidden} ${calling("CALL", echo)} ${shown} STOP`), { value: "0x1" });
    expect(outline(traces)).toEqual([
      ["call", [], 3],
      ["call", [0], 0],
      ["call", [1], 0],
      ["call", [2], 0],
    ]);
    expect(traces.slice(2).map(({ action }) => action.callType)).toEqual(["call", "delegatecall"]);
  });

  it("shows a precompile that the transaction itself calls", async () => {
    const { node, plain } = await aServedNode();
    const hash = await send(node, { to: encodeData(SHA256), gas: quantity(50_000) });
    const [trace] = await plain.ask<Trace[]>("trace_transaction", hash);
    expect(trace).toMatchObject({ action: { to: encodeData(SHA256) }, result: { gasUsed: "0x3c" } });
  });

  it("shows nothing of a call that its caller cannot pay for", async () => {
    const { run } = await aChain();
    const { traces } = await run(assemble(`${calling("CALL", bytesOf(BOB), 5n)} STOP`), { value: "0x4" });
    expect(outline(traces)).toEqual([["call", [], 0]]);
  });

  it("of a creation tells init code, address and deployed code", async () => {
    const { node, plain } = await aServedNode();
    const init = encodeData(deploying(COUNTER));
    const hash = await send(node, { data: init, value: "0x2" });
    const [trace] = await plain.ask<Trace[]>("trace_transaction", hash);
    const address = getCreateAddress({ from: ALICE, nonce: 0 }).toLowerCase();
    expect(trace).toMatchObject({ type: "create", subtraces: 0, traceAddress: [] });
    expect(Object.keys(trace?.action ?? {}).sort()).toEqual(["creationMethod", "from", "gas", "init", "value"]);
    expect(trace?.action).toMatchObject({ creationMethod: "create", from: ALICE, init, value: "0x2" });
    expect(trace?.result).toMatchObject({ address, code: encodeData(COUNTER) });
    // 200 gas a byte for the deposit are among the gas used.
    expect(BigInt(trace?.result?.gasUsed as string)).toBeGreaterThan(200n * BigInt(COUNTER.length));
  });

  it("of CREATE and CREATE2 in a contract tells method and address, also when the init code reverts", async () => {
    const { run } = await aChain();
    const init = assemble("0 0 RETURN");
    const reverts = assemble(`${storing(Uint8Array.of(0xbe, 0xef))} 2 0 REVERT`);
    const code = concatBytes(
      assemble(`${storing(init)} ${init.length} 0 0 CREATE`),
      assemble(`7 ${init.length} 0 0 CREATE2`),
      // More than a word: two stores.
      ...storingLong(reverts),
      assemble(`${reverts.length} 0 0 CREATE STOP`),
    );
    const { traces, at } = await run(code);
    const salted = getCreate2Address(at, wordText(7), keccak256(init)).toLowerCase();
    expect(
      traces.slice(1).map(({ action, result, error }) => [action.creationMethod, result?.address, result?.code, error]),
    ).toEqual([
      ["create", getCreateAddress({ from: at, nonce: 1 }).toLowerCase(), "0x", undefined],
      ["create2", salted, "0x", undefined],
      ["create", getCreateAddress({ from: at, nonce: 3 }).toLowerCase(), "0xbeef", "Reverted"],
    ]);
  });

  it.each(["london", "cancun"])(
    "of SELFDESTRUCT comes as its frame's last child, with the balance before (%s)",
    async (hardfork) => {
      const { node, run } = await aChain(hardfork);
      const echo = bytesOf(await deploy(node, ECHO));
      const { traces, at } = await run(assemble(`${calling("CALL", echo)} POP ${BOB} SELFDESTRUCT`), { value: "0x9" });
      expect(outline(traces)).toEqual([
        ["call", [], 2],
        ["call", [0], 0],
        ["suicide", [1], 0],
      ]);
      expect(traces[2]).toMatchObject({ action: { address: at, refundAddress: BOB, balance: "0x9" }, result: null });
      expect(Object.keys(traces[2]?.action ?? {}).sort()).toEqual(["address", "balance", "refundAddress"]);
    },
  );

  it("keeps what a frame did that was reverted later, SELFDESTRUCT included", async () => {
    const { node, run } = await aChain();
    const dying = await deploy(node, assemble(`${BOB} SELFDESTRUCT`));
    const undone = await deploy(node, assemble(`${calling("CALL", bytesOf(dying))} 0 0 REVERT`));
    const { traces } = await run(assemble(`${calling("CALL", bytesOf(undone))} STOP`));
    expect(outline(traces)).toEqual([
      ["call", [], 1],
      ["call", [0], 1, "Reverted"],
      ["call", [0, 0], 1],
      ["suicide", [0, 0, 0], 0],
    ]);
  });

  it("shows SELFDESTRUCT in a delegate call at the storage owner, and none where it failed", async () => {
    const { node, run } = await aChain();
    const dying = await deploy(node, assemble(`${BOB} SELFDESTRUCT`));
    const first = await run(assemble(`${calling("DELEGATECALL", bytesOf(dying))} STOP`));
    expect(first.traces[2]).toMatchObject({ type: "suicide", action: { address: first.at }, traceAddress: [0, 0] });
    const second = await run(assemble(`${calling("STATICCALL", bytesOf(dying))} STOP`));
    expect(outline(second.traces)).toEqual([
      ["call", [], 1],
      ["call", [0], 0, "Mutable Call In Static Context"],
    ]);
  });

  it("calls the delegating account, not the delegate, under EIP-7702", async () => {
    const { node, plain }: ServedNode = await aServedNode();
    const echo = await deploy(node, ECHO);
    await node.setCode(bytesOf(addressText(0x55)), bytesOf(`0xef0100${echo.slice(2)}`));
    const hash = await send(node, { to: addressText(0x55), data: "0x1234", gas: quantity(100_000) });
    const [trace] = await plain.ask<Trace[]>("trace_transaction", hash);
    expect(trace).toMatchObject({ action: { to: addressText(0x55) }, result: { output: "0x1234" } });
  });
});

/** Stores bytes from memory 0 on, a word at a time. */
function storingLong(bytes: Bytes): Bytes[] {
  const words: Bytes[] = [];
  for (let offset = 0; offset < bytes.length; offset += 32) {
    const word = Buffer.alloc(32);
    word.set(bytes.subarray(offset, offset + 32));
    words.push(assemble(`0x${word.toString("hex")} ${offset} MSTORE`));
  }
  return words;
}
