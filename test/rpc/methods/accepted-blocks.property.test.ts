/**
 * What a node accepts can be read again: transactions of every type with extremes in their members, by the methods that
 * take one, and blocks at extreme times and fees, with uncles, and with withdrawals. After each series the chain is dumped
 * and loaded, its folder opened again, exported and imported up to what the rules of others allow, and read in its raw
 * forms.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeTransaction } from "../../../src/chainspec/transaction/decode-transaction.ts";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { type Bytes, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { decodeData, encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import type { Payload } from "../../../src/rpc/wire-types.generated.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, BOB, type Json, NOBODY, NOW, wordText } from "../../support/a-node.ts";
import { blockOfPayload } from "../../support/payload-block.ts";
import { runs, sweep } from "../../support/seed.ts";
import { plainStep, quantity, type Step, step } from "../encode/any-step.ts";

const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

/** Makes a step whose parameters need hashes of blocks. */
async function askWithHashes(node: HindcastNode, [method, params]: Step): Promise<unknown> {
  if (method === "hindcast_mine") {
    const { sides, ...rest } = params[0] as { sides: Json[] };
    const uncles: unknown[] = [];
    for (const side of sides) uncles.push(await ask(node, "hindcast_mineSideBlock", side));
    return ask(node, method, uncles.length === 0 ? rest : { ...rest, uncles });
  }
  if (method !== "testing_buildBlockV1") return ask(node, method, ...params);
  const [given, extraData] = params as [Json, Hex];
  // No other node has the state after an edit; a block that begins with it has it below.
  await ask(node, "evm_mine");
  const { hash, header } = node.head;
  const parentBeaconBlockRoot = header.parentBeaconBlockRoot === undefined ? undefined : (wordText(8) as Hex);
  const attributes = { timestamp: quantity(header.timestamp + 1n), parentBeaconBlockRoot, ...given };
  const built = (await ask(node, method, encodeData(hash), attributes, null, extraData)) as Payload;
  // A gas limit that was set below the smallest of the protocol has no valid child.
  if (header.gasLimit < 5_000n) return built;
  const { blockHash } = built.executionPayload;
  const block = await node.importBlock(blockOfPayload(built, parentBeaconBlockRoot)).catch((error) => error);
  // A fault of ours, whatever it says: a block that this node builds by the rules is one that it takes.
  expect(block, String(block)).toMatchObject({ hash: decodeData(blockHash) });
  return built;
}

/** Makes a step, or is refused in words: never by a fault of ours. Returns whether it was accepted. */
async function take(node: HindcastNode, each: Step): Promise<boolean> {
  const [method, params] = each;
  try {
    const answer = await askWithHashes(node, each);
    const raw = typeof answer === "string" ? answer : ((answer as Json | null)?.raw as Hex | undefined);
    if (method === "eth_signTransaction") await ask(node, "eth_sendRawTransaction", raw);
    if (method === "eth_fillTransaction") {
      const rules = { chainId: 31_337n, hasLowS: true, namesChain: true };
      expect(encodeData(decodeTransaction(decodeData(raw as Hex), rules, decodeData(ALICE)).encode())).toBe(raw);
    }
    return true;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === -32603) throw new Error(`${method} ${JSON.stringify(params)}: ${message}`);
    if (error instanceof Error && error.name === "AssertionError") throw error;
    return false;
  }
}

/**
 * All blocks with transactions and receipts, in their JSON and raw forms, and the state of the accounts. With a last block,
 * the state before it: after the head's there may have been edits.
 */
async function contentOf(node: HindcastNode, last?: bigint): Promise<unknown> {
  const content: unknown[] = [];
  for (let number = 0n; number <= (last ?? node.head.header.number); number++) {
    for (const method of [
      "eth_getBlockByNumber",
      "debug_getRawBlock",
      "debug_getRawReceipts",
      "eth_getBlockReceipts",
    ]) {
      content.push(await ask(node, method, quantity(number), ...(method === "eth_getBlockByNumber" ? [true] : [])));
    }
    const block = content.at(-4) as { transactions: { hash: Hex; raw?: Hex }[]; uncles: Hex[] };
    for (const index of block.uncles.keys()) {
      const params = [quantity(number), quantity(BigInt(index))];
      content.push(await ask(node, "eth_getUncleByBlockNumberAndIndex", ...params));
    }
    for (const { hash } of block.transactions) {
      const raw = (await ask(node, "eth_getRawTransactionByHash", hash)) as Hex;
      content.push(raw, await ask(node, "eth_getTransactionByHash", hash));
    }
  }
  if (last === 0n) return content;
  const at = last === undefined ? "latest" : quantity(last - 1n);
  for (const account of [ALICE, BOB, NOBODY]) {
    content.push(
      await ask(node, "eth_getBalance", account, at),
      await ask(node, "eth_getTransactionCount", account, at),
    );
  }
  return content;
}

/** The blocks that other nodes can import, and the number of the last of them. */
function importable(node: HindcastNode): { readonly file: Bytes; readonly last: bigint } {
  let last = node.head.header.number;
  try {
    return { file: concatBytes(...node.exportChain()), last };
  } catch (error) {
    expect(error).toMatchObject({ code: "EXPORT_NOT_IMPORTABLE" });
    last = BigInt(/Block (\d+) cannot/.exec(String(error))?.[1] as string) - 1n;
  }
  return { file: concatBytes(...node.exportChain({ to: last })), last };
}

interface Counts {
  accepted: number;
  imported: number;
  uncles: number;
  withdrawals: number;
}

async function checkReadable(options: NodeOptions, steps: readonly Step[], counts: Counts): Promise<void> {
  const dataDir = await aFolder();
  const opened: HindcastNode[] = [];
  const open = async (more: NodeOptions): Promise<HindcastNode> => {
    const node = await createNode({ clock: () => NOW, mining: "auto", ...options, ...more });
    opened.push(node);
    return node;
  };
  try {
    const node = await open({ dataDir });
    for (const each of steps) if (await take(node, each)) counts.accepted++;
    const content = await contentOf(node);
    const { file, last } = importable(node);
    const importing = await open({});
    expect(await importing.importChain(file)).toEqual({ imported: Number(last), known: 0 });
    expect(await contentOf(importing, last)).toEqual(await contentOf(node, last));
    counts.imported += Number(last);
    for (const part of content as { uncles?: unknown[]; withdrawals?: unknown[] }[]) {
      counts.uncles += part?.uncles?.length ?? 0;
      counts.withdrawals += part?.withdrawals?.length ?? 0;
    }
    const copy = await open({});
    await ask(copy, "anvil_loadState", await ask(node, "anvil_dumpState"));
    expect(await contentOf(copy)).toEqual(content);
    await node.close();
    const again = await open({ dataDir });
    expect(await contentOf(again)).toEqual(content);
  } finally {
    await Promise.all(opened.map((node) => node.close()));
  }
}

const CHAINS = [
  ["wasm", "osaka"],
  ["wasm", "amsterdam"],
  ["wasm", "london"],
  ["ethereumjs", "prague"],
] as const;

it.each(sweep(CHAINS, ([, hardfork]) => hardfork !== "osaka"))(
  "what is accepted is the same after a dump, an import, in an opened folder, and raw (%s, %s)",
  async (engine, hardfork) => {
    const counts: Counts = { accepted: 0, imported: 0, uncles: 0, withdrawals: 0 };
    const length = { minLength: 5, maxLength: 25 };
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(step, length), fc.array(plainStep, length)), (steps) =>
        checkReadable({ engine, hardfork }, steps, counts),
      ),
      { numRuns: runs(100), endOnFailure: true },
    );
    expect(counts.accepted).toBeGreaterThan(0);
    expect(counts.imported).toBeGreaterThan(0);
    expect(hardfork === "london" ? counts.uncles : counts.withdrawals).toBeGreaterThan(0);
  },
);
