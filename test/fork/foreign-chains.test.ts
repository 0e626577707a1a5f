/** Forks of chains and nodes that differ from Ethereum's: unknown members and types, other rules, refused ranges. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import type { RemoteProvider } from "../../src/remote/upstream.ts";
import { ALICE, aNode, BOB, NOW, openNode, wordText } from "../support/a-node.ts";
import { anUpstream, UpstreamFailure, type UpstreamRules } from "../support/an-upstream.ts";
import { withForeignMembers } from "../support/answers.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";

type Json = Record<string, unknown>;

let chain: HindcastNode;
let logger: Hex;
let tx: Hex;

beforeAll(async () => {
  chain = await openNode();
  logger = await deploy(chain, EMITTER);
  for (let topic = 1; topic <= 6; topic++) tx = await send(chain, { from: ALICE, to: logger, data: logCall([topic]) });
});
afterAll(() => chain.close());

async function aFork(answer: UpstreamRules["answer"], options: NodeOptions = {}): Promise<HindcastNode> {
  const { url } = await anUpstream(chain.provider as never, answer === undefined ? {} : { answer });
  return aNode({ clock: () => NOW, ...options, fork: { url, cache: false, retries: 0 } });
}

const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;

describe("logs of a long range", () => {
  const filter = () => ({ fromBlock: "0x0", toBlock: "latest", address: logger });
  const limited =
    (blocks: number, code: number, message: string): UpstreamRules["answer"] =>
    ({ method, params }, given) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string };
      if (method !== "eth_getLogs" || Number(toBlock) - Number(fromBlock) < blocks) return given();
      throw new UpstreamFailure(code, message);
    };

  it.each([
    [-32_005, "query returned more than 10000 results"],
    [-32_000, "block range is too wide (maximum 3)"],
    [-32_602, "eth_getLogs is limited to a 3 range"],
  ])("are read in halves where the other node refuses it with %i: %s", async (code, message) => {
    const node = await aFork(limited(3, code, message));
    expect(await ask(node, "eth_getLogs", filter())).toEqual(await ask(chain, "eth_getLogs", filter()));
  });

  it("are an error where it refuses a single block", async () => {
    const node = await aFork(limited(0, -32_000, "logs are not indexed"));
    await expect(ask(node, "eth_getLogs", filter())).rejects.toMatchObject({ code: -32_002 });
  });
});

describe("blocks of other forms", () => {
  it("have the headers that the other node sent, with its hash", async () => {
    const hash = `0x${"ab".repeat(32)}`;
    const node = await aFork(async ({ method, params }, given) => {
      const answer = (await given()) as Json;
      const isBlock = method === "eth_getBlockByNumber" && params[0] === "0x2";
      return isBlock ? { ...answer, hash } : answer;
    });
    const {
      transactions: _,
      uncles: __,
      withdrawals: ___,
      size: ____,
      ...members
    } = await ask<Json>(node, "eth_getBlockByNumber", "0x2", false);
    expect(members).toMatchObject({ hash });
    expect(await ask(node, "eth_getHeaderByNumber", "0x2")).toEqual(members);
    expect(await ask(node, "erigon_getHeaderByNumber", "0x2")).toEqual(members);
    expect(await ask(node, "eth_getHeaderByHash", hash)).toEqual(members);
    const own = { hash: (await chain.getBlock(3n))?.hash };
    expect(await ask<Json>(node, "eth_getHeaderByNumber", "0x3")).toMatchObject({
      hash: encodeData(own.hash as Uint8Array),
      number: "0x3",
    });
  });

  const asForeign = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(asForeign);
    if (typeof value !== "object" || value === null) return value;
    const { transactions, ...json } = value as Json;
    const foreign = json.hash === tx || json.transactionHash === tx ? { type: "0x6a", l1Fee: "0x5" } : {};
    const { r: _, s: __, v: ___, yParity: ____, ...unsigned } = json;
    return {
      ...("type" in foreign ? unsigned : json),
      ...foreign,
      ...(transactions === undefined ? {} : { transactions: asForeign(transactions), l1BlockNumberOfNobody: "0x9" }),
    };
  };
  const answer: UpstreamRules["answer"] = async ({ method }, given) =>
    /^eth_get(Block|Transaction)(?!Count)/.test(method) ? asForeign(await given()) : given();

  it("are shown as they are, with unknown members and transactions", async () => {
    const node = await aFork(answer);
    const { blockNumber, blockHash } = await ask<{ blockNumber: Hex; blockHash: Hex }>(
      chain,
      "eth_getTransactionByHash",
      tx,
    );
    for (const [method, ...params] of [
      ["eth_getBlockByNumber", blockNumber, true],
      ["eth_getBlockByHash", blockHash, false],
      ["eth_getTransactionByHash", tx],
      ["eth_getTransactionByBlockHashAndIndex", blockHash, "0x0"],
      ["eth_getTransactionReceipt", tx],
      ["eth_getBlockReceipts", blockNumber],
    ] as const) {
      const expected = asForeign(await ask(chain, method, ...params));
      const shown = await withForeignMembers(() => ask(node, method, ...params));
      expect([method, shown]).toEqual([method, expected]);
    }
    await expect(ask(node, "trace_transaction", tx)).rejects.toThrow(/transaction type not supported: type 106/);
  });

  it.each<[string, Json]>([
    ["gas", { cumulativeGasUsed: "0x1234" }],
    ["status", { status: "0x0" }],
    ["logs", { logs: [] }],
  ])("have no traces if running them gives other %s than their receipts have", async (_, change) => {
    const change1 = (receipt: Json): Json => (receipt.transactionHash === tx ? { ...receipt, ...change } : receipt);
    const node = await aFork(async ({ method }, given) => {
      if (method === "eth_getBlockReceipts") return ((await given()) as Json[]).map(change1);
      return method === "eth_getTransactionReceipt" ? change1((await given()) as Json) : given();
    });
    for (const [method, ...params] of [
      ["trace_transaction", tx],
      ["trace_replayTransaction", tx, ["stateDiff"]],
      ["debug_traceTransaction", tx],
    ] as const) {
      await expect(ask(node, method, ...params)).rejects.toThrow(/rules/);
    }
    await expect(node.renderTrace(tx)).rejects.toThrow(/rules/);
  });
});

it.each(["wasm", "ethereumjs"] as const)(
  "without blobs in headers they cost as little as can be (%s)",
  async (engine) => {
    const BLOBLESS = ["excessBlobGas", "blobGasUsed", "parentBeaconBlockRoot", "requestsHash", "withdrawalsRoot"];
    const node = await aFork(
      async ({ method }, given) => {
        const answer = (await given()) as Json | null;
        if (!/^eth_getBlockBy/.test(method) || answer === null) return answer;
        return Object.fromEntries(Object.entries(answer).filter(([name]) => !BLOBLESS.includes(name)));
      },
      { engine },
    );
    const data = encodeData(assemble("BLOBBASEFEE 0 MSTORE 32 0 RETURN"));
    for (const tag of ["latest", "0x2"]) expect(await ask(node, "eth_call", { data }, tag)).toBe(wordText(1));
    await send(node, { from: ALICE, to: BOB, value: "0x1" });
    expect(await ask(node, "eth_call", { data }, "latest")).toBe(wordText(1));
  },
);

it("renders the call tree of a transaction below the fork", async () => {
  const node = await aFork(undefined);
  expect(await node.renderTrace(tx)).toBe(await chain.renderTrace(tx));
});

it("a block with an excess of blob gas that nobody could have paid for is not forked", async () => {
  const answer: UpstreamRules["answer"] = async ({ method }, given) =>
    method === "eth_getBlockByNumber" || method === "eth_getBlockByHash"
      ? { ...((await given()) as Json), excessBlobGas: "0x10000000000" }
      : given();
  await expect(aFork(answer)).rejects.toMatchObject({
    code: "REMOTE_BAD_ANSWER",
    message: expect.stringContaining("its excessBlobGas 1099511627776 makes blob gas cost 2^256 wei or more"),
  });
});

it.each(["number", "gasLimit", "gasUsed", "timestamp", "blobGasUsed", "excessBlobGas"])(
  "a block whose %s has more than 64 bits is not forked",
  async (name) => {
    const answer: UpstreamRules["answer"] = async ({ method }, given) =>
      method === "eth_getBlockByNumber" || method === "eth_getBlockByHash"
        ? { ...((await given()) as Json), [name]: `0x1${"0".repeat(16)}` }
        : given();
    await expect(aFork(answer)).rejects.toMatchObject({
      code: "REMOTE_BAD_ANSWER",
      message: expect.stringContaining(name),
    });
  },
);

it("a block that the chain has is refused, and not missing, where the other node serves another chain by now", async () => {
  const request: RemoteProvider["request"] = async (call) =>
    call.method === "eth_getBlockByHash" ? null : (chain.provider as RemoteProvider).request(call);
  const node = await aNode({ clock: () => NOW, fork: { provider: { request }, cache: false, retries: 0 } });
  const { number } = node.head.header;
  const parent = `0x${(number - 1n).toString(16)}`;
  for (const [method, ...params] of [
    ["eth_getBlockByNumber", parent, false],
    ["eth_getBalance", ALICE, parent],
    ["eth_call", { to: logger }, parent],
  ] as const) {
    await expect(ask(node, method, ...params)).rejects.toMatchObject({ code: -32_002 });
  }
});
