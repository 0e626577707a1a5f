/** Deposits in blocks of OP chains (type 0x7e) are executed when such a block is traced. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { addressText, NOW, quantity } from "../support/a-node.ts";
import { anUpstream, type UpstreamRequest } from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";

const DEPOSITOR = addressText(0xde);
const LOGGER = addressText(0x10);
const FAILING = addressText(0x11);
const VALUE = 5n;
type Json = Record<string, unknown>;

let chain: HindcastNode;
let hashes: string[];
const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.request({ method, params } as never);

beforeAll(async () => {
  chain = await createNode({ clock: () => NOW, mining: "manual", autoImpersonate: true });
  await ask(chain, "anvil_setCode", LOGGER, encodeData(assemble("CALLVALUE 0 MSTORE 32 0 LOG0")));
  await ask(chain, "anvil_setCode", FAILING, encodeData(assemble("0 0 REVERT")));
  await ask(chain, "anvil_setBalance", DEPOSITOR, quantity(10n ** 18n));
  await chain.mine();
  const send = (to: string, nonce: number): Promise<unknown> =>
    ask(chain, "eth_sendTransaction", {
      from: DEPOSITOR,
      to,
      value: quantity(VALUE),
      gas: "0x30000",
      nonce: quantity(nonce),
    });
  hashes = [(await send(LOGGER, 0)) as string, (await send(FAILING, 1)) as string];
  await chain.mine({ blocks: 2 });
});
afterAll(() => chain.close());

/** The chain as if the two transactions had been deposits of an account without funds. */
async function aForkOfDeposits(mint: bigint): Promise<HindcastNode> {
  const asDeposit = (json: Json): Json =>
    hashes.includes(String(json.hash))
      ? { ...json, type: "0x7e", mint: quantity(mint), sourceHash: json.hash, isSystemTx: false, gasPrice: "0x0" }
      : json;
  const answer = async ({ method, params }: UpstreamRequest, given: () => Promise<unknown>): Promise<unknown> => {
    if (method === "eth_getBalance" && params[0] === DEPOSITOR) return "0x0";
    const json = (await given()) as Json | null;
    if (method === "eth_getTransactionByHash" && json !== null) return asDeposit(json);
    if (!method.startsWith("eth_getBlockBy") || json === null || params[1] !== true) return json;
    return { ...json, transactions: (json.transactions as Json[]).map(asDeposit) };
  };
  const upstream = await anUpstream(chain.provider as never, { answer });
  const node = await createNode({ clock: () => NOW, fork: { url: upstream.url, cache: false } });
  onTestFinished(() => node.close());
  return node;
}

describe("a deposit", () => {
  it("runs without fees, with the wei that it mints, which stay if it fails", async () => {
    const node = await aForkOfDeposits(VALUE);
    const [first, second] = (await ask(node, "trace_replayBlockTransactions", "0x2", ["trace", "stateDiff"])) as {
      trace: { action: Json; error?: string }[];
      stateDiff: Record<string, Json>;
    }[];
    expect(first?.trace[0]).toMatchObject({ action: { from: DEPOSITOR, to: LOGGER, value: quantity(VALUE) } });
    expect(first?.stateDiff[DEPOSITOR]).toMatchObject({ balance: { "+": "0x0" }, nonce: { "+": "0x1" } });
    expect(first?.stateDiff[LOGGER]).toMatchObject({ balance: { "*": { from: "0x0", to: quantity(VALUE) } } });
    expect(second?.trace[0]).toMatchObject({ error: "Reverted" });
    expect(second?.stateDiff[DEPOSITOR]).toMatchObject({ balance: { "*": { from: "0x0", to: quantity(VALUE) } } });
  });

  it("that the sender could not pay for without them is no trace", async () => {
    const node = await aForkOfDeposits(0n);
    await expect(ask(node, "trace_transaction", hashes[0])).rejects.toThrow(/insufficient funds/);
  });
});
