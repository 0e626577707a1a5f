/** A chain that goes from Osaka to Amsterdam by time: mined, moved to a fresh node, reorged over the boundary, replayed. */

import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { findingText } from "../../src/chain/check/findings.ts";
import { checkDataFolder } from "../../src/node/check-data-folder.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { type Bytes, concatBytes } from "../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { decodeRlp, encodeRlp, type RlpItem } from "../../src/primitives/rlp/rlp.ts";
import { decodeReceipts, encodeReceipts } from "../../src/store/codecs/receipt-codec.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNode, type Json, NOBODY, NOW, quantity } from "../support/a-node.ts";
import { COUNTER, deploy, send } from "../support/contracts.ts";
import { editFolder, entriesOf, flipped } from "../support/damaged-folder.ts";
import { slowIt } from "../support/slow-suite.ts";

const OPTIONS = { hardforkAt: { amsterdam: 1_000 } };

const open = () => aNode(OPTIONS);
const ask = <T = Json>(node: HindcastNode, method: string, ...params: unknown[]) =>
  node.provider.request({ method, params } as never) as Promise<T>;
const isAmsterdam = ({ head }: HindcastNode) => head.header.blockAccessListHash !== undefined;

/** Two blocks of Osaka and two of Amsterdam. */
async function aCrossing(): Promise<HindcastNode> {
  const node = await open();
  const counter = await deploy(node, COUNTER);
  await send(node, { to: counter, gas: quantity(300_000) });
  expect(isAmsterdam(node)).toBe(false);
  await ask(node, "evm_increaseTime", 1_000);
  await send(node, { to: counter, value: "0x0", gas: quantity(300_000) });
  expect(isAmsterdam(node)).toBe(true);
  await send(node, { to: NOBODY, value: "0x1", gas: quantity(300_000) });
  return node;
}

it("is imported by a fresh node, with the same access lists", async () => {
  const node = await aCrossing();
  const fresh = await open();
  await fresh.importChain(concatBytes(...node.exportChain()));
  expect(encodeData(fresh.head.hash)).toBe(encodeData(node.head.hash));
  for (const number of ["0x3", "0x4"]) {
    const list = await ask(node, "debug_getRawBlockAccessList", number);
    expect(await ask(fresh, "debug_getRawBlockAccessList", number)).toBe(list);
  }
  await expect(ask(fresh, "eth_getBlockAccessList", "0x2")).rejects.toMatchObject({ code: -32001 });
});

/** By block: the receipts with gas in two dimensions, which no root covers, and the access lists. */
async function keptOf(node: HindcastNode): Promise<Json[]> {
  const blocks: Json[] = [];
  for (const number of ["0x2", "0x3", "0x4"]) {
    const receipts = await ask<Json[]>(node, "eth_getBlockReceipts", number);
    const isOfAmsterdam = number !== "0x2";
    for (const receipt of receipts) expect("stateGasUsed" in receipt).toBe(isOfAmsterdam);
    blocks.push({ receipts, list: isOfAmsterdam ? await ask(node, "eth_getBlockAccessList", number) : undefined });
  }
  return blocks;
}

describe("keeps the receipts' gas in two dimensions, and the access lists", () => {
  it("in a fresh node that imports it, and in one that loads its state file", async () => {
    const node = await aCrossing();
    const kept = await keptOf(node);
    const importing = await open();
    await importing.importChain(concatBytes(...node.exportChain()));
    const loading = await open();
    const file = await node.dumpState();
    await loading.loadState(file);
    for (const other of [importing, loading]) expect(await keptOf(other)).toEqual(kept);
    expect(await loading.dumpState()).toEqual(file);
  });

  slowIt("in a folder, of which a check finds nothing, unless it was changed", async () => {
    const options = { ...OPTIONS, dataDir: await aFolder() };
    const loading = await aNode(options);
    const node = await aCrossing();
    await loading.loadState(await node.dumpState());
    await loading.close();
    const { dataDir } = options;
    expect((await checkDataFolder({ ...options, clock: () => NOW }, false)).found).toEqual([]);
    const reopened = await aNode(options);
    expect(await keptOf(reopened)).toEqual(await keptOf(node));
    await reopened.close();
    const changed = await changeStateGas(dataDir);
    const { found } = await checkDataFolder({ ...options, clock: () => NOW }, true);
    expect(found.map(findingText)).toEqual([expect.stringMatching(/^receipts: .* has other receipts than its header/)]);
    expect(changed).toBe(1);
    const repaired = await aNode(options);
    expect(await keptOf(repaired)).toEqual(await keptOf(node));
  });

  it("not from a state file of an older version, whose receipts are shown without them", async () => {
    const node = await aCrossing();
    const items = decodeRlp(new Uint8Array(gunzipSync(await node.dumpState()))) as RlpItem[];
    expect(items[1]).toEqual(Uint8Array.of(4));
    items[1] = Uint8Array.of(1);
    items[8] = (items[8] as Bytes[][]).map((row) => {
      const receipts = decodeReceipts(row[2] as Bytes).map(({ dimensions: _, ...receipt }) => receipt);
      return [...row.slice(0, 2), encodeReceipts(receipts), ...row.slice(3, 6)];
    });
    const loading = await open();
    await loading.loadState(new Uint8Array(gzipSync(encodeRlp(items))));
    expect(encodeData(loading.head.hash)).toBe(encodeData(node.head.hash));
    const [receipt] = await ask<Json[]>(loading, "eth_getBlockReceipts", "0x3");
    const {
      executionGasUsed: _,
      stateGasUsed: __,
      gasRefund: ___,
      ...rest
    } = (await ask<Json[]>(node, "eth_getBlockReceipts", "0x3"))[0] as Json;
    expect(receipt).toEqual(rest);
  });

  it("not from a state file with another list than the header says", async () => {
    const node = await aCrossing();
    const items = decodeRlp(new Uint8Array(gunzipSync(await node.dumpState()))) as RlpItem[];
    const row = (items[8] as Bytes[][])[3] as Bytes[];
    row[6] = flipped(row[6] as Bytes);
    const file = new Uint8Array(gzipSync(encodeRlp(items)));
    await expect((await open()).loadState(file)).rejects.toThrow(/Block 3: blockAccessListHash does not match/);
  });
});

/** Adds 1 to the state gas of the first receipt that has any. Returns the number of changed entries. */
async function changeStateGas(dataDir: string): Promise<number> {
  let changed = 0;
  await editFolder(dataDir, async (level) => {
    for (const { key, value } of await entriesOf(level, "receipts")) {
      const [receipt, ...others] = decodeReceipts(value);
      if (changed > 0 || receipt?.dimensions === undefined || receipt.dimensions.stateGasUsed === 0n) continue;
      const { dimensions } = receipt;
      const wrong = { ...dimensions, stateGasUsed: dimensions.stateGasUsed + 1n };
      await level.put(key, encodeReceipts([{ ...receipt, dimensions: wrong }, ...others]));
      changed++;
    }
  });
  return changed;
}

it("is reorged over the boundary", async () => {
  const node = await aCrossing();
  const { number } = node.head.header;
  const old = encodeData(node.head.hash);
  await node.reorg({ depth: 3 });
  expect(node.head.header.number).toBeGreaterThanOrEqual(number);
  expect(encodeData(node.head.hash)).not.toBe(old);
  // The old branch is there still, with its list.
  expect(await ask<Json[]>(node, "eth_getBlockAccessListByBlockHash", old)).not.toEqual([]);
  const fresh = await open();
  await fresh.importChain(concatBytes(...node.exportChain()));
  expect(encodeData(fresh.head.hash)).toBe(encodeData(node.head.hash));
});

describe("is replayed by every tracer", () => {
  const BLOCKS = ["0x1", "0x2", "0x3", "0x4"];
  const JAVASCRIPT = `{
    steps: 0, frames: [],
    step(log) { this.steps++; },
    fault() {},
    enter(frame) { this.frames.push(frame.getType()); },
    exit() {},
    result(ctx) { return { steps: this.steps, gasUsed: ctx.gasUsed, frames: this.frames }; },
  }`;

  it.each([
    "callTracer",
    "prestateTracer",
    "4byteTracer",
    "flatCallTracer",
    "noopTracer",
    "stateGasTracer",
    "muxTracer",
  ])("%s", async (tracer) => {
    const node = await aCrossing();
    for (const number of BLOCKS) {
      const traces = await ask<{ txHash: string; result?: unknown }[]>(node, "debug_traceBlockByNumber", number, {
        tracer,
      });
      expect(traces).toHaveLength(1);
      expect(traces[0]).toHaveProperty("result");
    }
  });

  slowIt("one in JavaScript", async () => {
    const node = await aCrossing();
    for (const number of BLOCKS) {
      const [traced] = await ask<{ result: { steps: number; gasUsed: number } }[]>(
        node,
        "debug_traceBlockByNumber",
        number,
        { tracer: JAVASCRIPT },
      );
      const [steps] = await ask<{ result: { structLogs: Json[] } }[]>(node, "debug_traceBlockByNumber", number, {});
      const [receipt] = await ask<{ gasUsed: string }[]>(node, "eth_getBlockReceipts", number);
      expect(traced?.result.steps).toBe(steps?.result.structLogs.length);
      expect(traced?.result.gasUsed).toBe(Number(receipt?.gasUsed));
    }
  });

  it("struct logs and Parity's traces", async () => {
    const node = await aCrossing();
    for (const number of BLOCKS) {
      const [traced] = await ask<{ result: { gas: number } }[]>(node, "debug_traceBlockByNumber", number, {});
      const [receipt] = await ask<{ gasUsed: string }[]>(node, "eth_getBlockReceipts", number);
      expect(traced?.result.gas).toBe(Number(receipt?.gasUsed));
      const types = ["trace", "vmTrace", "stateDiff"];
      const replayed = await ask<Json[]>(node, "trace_replayBlockTransactions", number, types);
      expect(replayed).toHaveLength(1);
    }
  });
});
