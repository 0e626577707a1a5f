/** console.log of contracts, as programs hear of it. */
import { encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { CONSOLE_ADDRESS } from "../../src/explain/console/console-address.ts";
import type { ConsoleLog } from "../../src/explain/console/console-logs.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { type Bytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { callingWith } from "../explain/a-workshop.ts";
import { ALICE, aNode } from "../support/a-node.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, send } from "../support/contracts.ts";

const abi = parseAbi(["function log(string, uint256)"]);
const logging = (text: string, value: bigint, kind = "STATICCALL"): string =>
  callingWith(kind, CONSOLE_ADDRESS, encodeFunctionData({ abi, functionName: "log", args: [text, value] }));

const PRINTER: Bytes = assemble(`${logging("first %d", 1n)} ${logging("then", 2n)}`);
const FAILING: Bytes = assemble(`${logging("before it fails", 3n)} 0 0 REVERT`);

/** Lines that were printed since. */
function linesOf(node: HindcastNode): ConsoleLog[] {
  const lines: ConsoleLog[] = [];
  node.onConsoleLog((line) => lines.push(line));
  return lines;
}

describe("onConsoleLog", () => {
  it("hears what a mined transaction printed, once its block is there, with contract and hash", async () => {
    const node = await aNode();
    const to = await deploy(node, PRINTER);
    const heads: bigint[] = [];
    const stop = node.onConsoleLog(() => heads.push(node.head.header.number));
    const lines = linesOf(node);
    const hash = await send(node, { to, gas: "0x186a0" });
    expect(lines.map(({ text }) => text)).toEqual(["first 1", "then 2"]);
    expect(lines[0]).toEqual({
      text: "first 1",
      values: [
        { type: "string", value: "first %d" },
        { type: "uint256", value: 1n },
      ],
      address: decodeData(to),
      transactionHash: decodeData(hash),
    });
    expect(heads).toEqual([2n, 2n]);
    stop();
    await send(node, { to, gas: "0x186a0" });
    expect(heads).toHaveLength(2);
    expect(lines).toHaveLength(4);
  });

  it("hears what fails printed: a mined transaction, a call, an estimate", async () => {
    const node = await aNode();
    const to = await deploy(node, FAILING);
    const lines = linesOf(node);
    await send(node, { to, gas: "0x186a0" });
    expect(lines.splice(0).map(({ text }) => text)).toEqual(["before it fails 3"]);
    const call = { from: ALICE, to } as const;
    await expect(node.provider.request({ method: "eth_call", params: [call] })).rejects.toMatchObject({ code: 3 });
    expect(lines.splice(0).map(({ transactionHash }) => transactionHash)).toEqual([undefined]);
    await expect(node.provider.request({ method: "eth_estimateGas", params: [call] })).rejects.toMatchObject({
      code: 3,
    });
    expect(lines.splice(0)).toHaveLength(1);
  });

  it("hears nothing of estimates that succeed, of the pending block, and of traces, which run it again", async () => {
    const node = await aNode({ mining: "manual" });
    node.setMiningMode("auto");
    const to = await deploy(node, PRINTER);
    node.setMiningMode("manual");
    const lines = linesOf(node);
    await node.provider.request({ method: "eth_estimateGas", params: [{ from: ALICE, to }] });
    const hash = await send(node, { to, gas: "0x186a0" });
    await node.provider.request({ method: "eth_getBlockByNumber", params: ["pending", true] });
    expect(lines).toEqual([]);
    await node.mine();
    expect(lines.splice(0)).toHaveLength(2);
    expect(await node.renderTrace(decodeData(hash), { colors: false })).toContain("console.log: first 1");
    expect(lines).toEqual([]);
  });

  it("names the contract whose storage it was, where a library printed", async () => {
    const node = await aNode();
    const library = await deploy(node, PRINTER);
    const to = await deploy(node, assemble(callingWith("DELEGATECALL", decodeData(library), "0x")));
    const direct = await deploy(node, assemble(logging("delegated", 1n, "DELEGATECALL")));
    const lines = linesOf(node);
    await send(node, { to, gas: "0x186a0" });
    await send(node, { to: direct, gas: "0x186a0" });
    expect(lines.map(({ address }) => encodeData(address))).toEqual([to, to, direct]);
  });

  it("is not disturbed by a listener that throws, which onError hears of", async () => {
    const errors: unknown[] = [];
    const node = await aNode({ onError: (error) => errors.push(error) });
    const to = await deploy(node, PRINTER);
    node.onConsoleLog(() => {
      throw new Error("broken");
    });
    const lines = linesOf(node);
    await send(node, { to, gas: "0x186a0" });
    expect(lines).toHaveLength(2);
    expect(errors).toHaveLength(2);
  });

  it("keeps a bounded part of what a contract prints in a loop", async () => {
    const node = await aNode();
    const bytes = decodeData(encodeFunctionData({ abi, functionName: "log", args: ["x".repeat(2_000), 1n] }));
    const runtime = concatBytes(
      assemble(`[61${bytes.length.toString(16).padStart(4, "0")}] DUP1 @data 1 ADD 0 CODECOPY POP
        loop: 0 0 ${bytes.length} 0 0x${Buffer.from(CONSOLE_ADDRESS).toString("hex")} GAS STATICCALL POP @loop JUMP data:`),
      bytes,
    );
    const to = await deploy(node, runtime);
    const lines = linesOf(node);
    const failed = node.provider.request({ method: "eth_call", params: [{ to, gas: "0x30d40" }] });
    await expect(failed).rejects.toThrow("out of gas");
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(2 ** 18);
  });
});

describe("the provider", () => {
  it("has them as messages, for as long as somebody listens", async () => {
    const node = await aNode();
    const to = await deploy(node, PRINTER);
    const messages: unknown[] = [];
    const listener = (message: unknown): void => void messages.push(message);
    node.provider.on("message", listener);
    const transactionHash = await send(node, { to, gas: "0x186a0" });
    expect(messages).toEqual(
      ["first 1", "then 2"].map((text) => ({
        type: "hindcast_consoleLog",
        data: { text, address: to, transactionHash },
      })),
    );
    await node.provider.request({ method: "eth_call", params: [{ to }] });
    expect(messages.at(-1)).toMatchObject({ data: { transactionHash: null satisfies Hex | null } });
    node.provider.removeListener("message", listener);
    await node.provider.request({ method: "eth_call", params: [{ to }] });
    expect(messages).toHaveLength(4);
  });
});
