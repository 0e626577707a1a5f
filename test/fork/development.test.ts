/** Development methods on a fork, and the members that new blocks take over from the pinned one. */
import { getContractAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { ALICE, aNode, BOB, NOBODY, NOW, openNode, wordText } from "../support/a-node.ts";
import { anUpstream } from "../support/an-upstream.ts";
import { assemble } from "../support/assembler.ts";
import { deploy, EMITTER, logCall, send } from "../support/contracts.ts";

/** Destroys itself. */
const MORTAL = assemble("0 SELFDESTRUCT");
const PIN = 5n;
/** Where ALICE's next contract will be. It has ether already. */
const FUNDED = getContractAddress({ from: ALICE, nonce: 3n });

let chain: HindcastNode;
let logger: Hex;
let mortal: Hex;

beforeAll(async () => {
  chain = await openNode({ hardfork: "shanghai", gasLimit: 12_345_678 });
  logger = await deploy(chain, EMITTER);
  mortal = await deploy(chain, MORTAL);
  await chain.provider.send("anvil_setStorageAt", [mortal, wordText(0), wordText(5)]);
  await chain.provider.send("anvil_setCode", [BOB, `0xef0100${NOBODY.slice(2)}`]);
  await chain.provider.send("anvil_setBalance", [NOBODY, "0xde0b6b3a7640000"]);
  await chain.provider.send("anvil_setBalance", [FUNDED, "0x7"]);
  await send(chain, { from: ALICE, to: logger, data: logCall([1]), gas: "0x30000" });
  await chain.mine({ blocks: 2 });
});
afterAll(() => chain.close());

const aFork = (options: NodeOptions = {}, url?: string): Promise<HindcastNode> =>
  aNode({
    hardfork: "shanghai",
    // Without retries nothing is asked again whose block another chain lacks.
    fork: {
      ...(url === undefined ? { provider: chain.provider } : { url }),
      cache: false,
      blockNumber: PIN,
      retries: 0,
    },
    ...options,
  });
const ask = <T = unknown>(node: HindcastNode, method: string, ...params: unknown[]): Promise<T> =>
  node.provider.send(method, params) as Promise<T>;
const header = (node: HindcastNode, block: string) =>
  ask<Record<string, string>>(node, "eth_getBlockByNumber", block, false);

describe("a fork", () => {
  it("funds the development accounts and empties their code, but leaves their nonces", async () => {
    const node = await aFork({ balance: 3n });
    expect(await ask(node, "eth_getCode", BOB, "latest")).toBe("0x");
    expect(await ask(node, "eth_getBalance", BOB, "latest")).toBe("0x3");
    expect(await ask(node, "eth_getTransactionCount", ALICE, "latest")).toBe("0x3");
    const bare = await aFork({ accounts: 0 });
    expect(await ask(bare, "eth_getCode", BOB, "latest")).toBe(`0xef0100${NOBODY.slice(2)}`);
  });

  it("goes on with the number, time, gas limit and base fee that the chain itself would have", async () => {
    const node = await aFork();
    await Promise.all([node.mine(), chain.mine()]);
    const [ours, theirs] = await Promise.all([header(node, "0x6"), header(chain, "0x6")]);
    for (const member of ["number", "gasLimit", "baseFeePerGas", "parentHash"]) {
      expect([member, ours[member]]).toEqual([member, theirs[member]]);
    }
    expect(Number(ours.timestamp)).toBeGreaterThan(NOW);
    expect(Number(ours.timestamp)).toBeLessThan(NOW + 60);
    await chain.rollback(1);
  });

  it("takes the pinned block for safe and final as long as no later one is", async () => {
    const node = await aFork();
    await node.mine({ blocks: 2 });
    for (const tag of ["safe", "finalized"]) expect((await header(node, tag)).number).toBe(`0x${PIN.toString(16)}`);
    expect(encodeData(chain.getBlock(PIN)?.hash ?? new Uint8Array())).toBe((await header(node, "finalized")).hash);
  });

  it("creates a contract where an account has only ether, whose slots were zero before", async () => {
    const node = await aFork();
    const hash = await ask<Hex>(node, "eth_sendTransaction", {
      from: ALICE,
      data: encodeData(assemble("9 0 SSTORE STOP")),
    });
    const { stateDiff } = await ask<{ stateDiff: Record<string, { storage: unknown }> }>(
      node,
      "trace_replayTransaction",
      hash,
      ["stateDiff"],
    );
    expect(stateDiff[FUNDED.toLowerCase()]?.storage).toEqual({
      [wordText(0)]: { "*": { from: wordText(0), to: wordText(9) } },
    });
  });

  it("never shows the other chain's storage again of an account that was destroyed here, or created anew", async () => {
    const node = await aFork();
    const slot = (tag: string) => ask(node, "eth_getStorageAt", mortal, "0x0", tag);
    expect(await slot("latest")).toBe(wordText(5));
    await send(node, { from: ALICE, to: mortal });
    expect([await ask(node, "eth_getCode", mortal, "latest"), await slot("latest")]).toEqual(["0x", wordText(0)]);
    await ask(node, "anvil_setCode", mortal, encodeData(MORTAL));
    await ask(node, "anvil_setBalance", mortal, "0x1");
    await node.mine();
    expect([await slot("latest"), await slot(`0x${PIN.toString(16)}`)]).toEqual([wordText(0), wordText(5)]);
    expect(await slot(`0x${(PIN + 1n).toString(16)}`)).toBe(wordText(0));
  });

  it("sends for accounts of the other chain that are impersonated", async () => {
    const node = await aFork();
    const tx = { from: NOBODY, to: ALICE, value: "0x1" };
    await expect(ask(node, "eth_sendTransaction", tx)).rejects.toThrow(`unknown account ${NOBODY}`);
    await ask(node, "anvil_impersonateAccount", NOBODY);
    const hash = await ask(node, "eth_sendTransaction", tx);
    expect(await ask(node, "eth_getTransactionReceipt", hash)).toMatchObject({ status: "0x1", from: NOBODY });
  });

  it("has filters with the logs of both chains, whose changes are those of this one", async () => {
    const node = await aFork();
    const filter = await ask(node, "eth_newFilter", { fromBlock: "0x0", address: logger });
    await send(node, { from: ALICE, to: logger, data: logCall([2]), gas: "0x30000" });
    const numbers = (logs: { blockNumber: string }[]) => logs.map(({ blockNumber }) => Number(blockNumber));
    expect(numbers(await ask(node, "eth_getFilterLogs", filter))).toEqual([3, 6]);
    expect(numbers(await ask(node, "eth_getFilterChanges", filter))).toEqual([6]);
  });

  it.each([
    ["debug_accountRange", "latest", "0x", 10, true, true, false],
    ["debug_dumpBlock", "latest"],
    ["debug_accountRange", "0x4", "0x", 10, true, true, false],
  ])("cannot list the accounts of the other chain, and says so: %s at %s", async (method, ...params) => {
    const node = await aFork();
    await expect(ask(node, method, ...params)).rejects.toMatchObject({
      code: -32_004,
      message: expect.stringContaining("The accounts of a state"),
    });
  });
});

describe("anvil_setRpcUrl", () => {
  it("reads the same chain from another node", async () => {
    const [first, second] = [await anUpstream(chain.provider as never), await anUpstream(chain.provider as never)];
    const node = await aFork({}, first.url);
    await node.mine({ blocks: 2 });
    await ask(node, "anvil_setRpcUrl", second.url);
    await first.close();
    expect(await ask(node, "eth_getStorageAt", mortal, "0x0", "latest")).toBe(wordText(5));
    expect(await ask(node, "eth_getBlockByNumber", "0x2", true)).toEqual(
      await ask(chain, "eth_getBlockByNumber", "0x2", true),
    );
    expect(node.head.header.number).toBe(PIN + 2n);
    expect(node.fork).toMatchObject({ label: new URL(second.url).origin, blockNumber: PIN });
  });

  it("is refused for a node of another chain, and changes nothing then", async () => {
    const other = await anUpstream((await aNode({ timestamp: 5n, hardfork: "shanghai" })).provider as never);
    const mine = await anUpstream(chain.provider as never);
    const node = await aFork({}, mine.url);
    await expect(ask(node, "anvil_setRpcUrl", other.url)).rejects.toMatchObject({ code: -32_002 });
    expect(node.fork?.label).toBe(new URL(mine.url).origin);
    expect(await ask(node, "eth_getStorageAt", mortal, "0x0", "latest")).toBe(wordText(5));
  });
});
