/** A remote chain over a real node: which block, what its state says, how often it asks. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { PinnedState } from "../../src/remote/upstream.ts";
import { ALICE, addressText, BOB, NOBODY } from "../support/a-node.ts";
import { UpstreamFailure } from "../support/an-upstream.ts";
import { aWorld, bytes, CODE, CONTRACT, openChainNode, RICH, SLOTS, slotOf, type World } from "./a-remote-chain.ts";

const ACCOUNTS = [ALICE, BOB, CONTRACT, RICH, NOBODY];

let shared: HindcastNode;
beforeAll(async () => {
  shared = await openChainNode();
});
afterAll(() => shared.close());

/** All that the world's accounts hold, as the state says. */
async function readAll(state: PinnedState): Promise<unknown> {
  const accounts = await Promise.all(ACCOUNTS.map((address) => state.getAccount(bytes(address))));
  const slots = await Promise.all(
    Array.from({ length: 25 }, (_, index) => state.getStorage(bytes(CONTRACT), slotOf(index))),
  );
  const code = await state.getCode(accounts[2]?.codeHash ?? bytes("0x"));
  return {
    accounts: accounts.map((account) => account && [account.nonce, account.balance]),
    slots: slots.map((value) => Buffer.from(value).toString("hex")),
    code: Buffer.from(code).toString("hex"),
  };
}

/** The same, as the node says of a block. */
async function expected({ ask }: World, block: string): Promise<unknown> {
  const accounts = ACCOUNTS.map(async (address) => {
    const nonce = BigInt(await ask<string>("eth_getTransactionCount", address, block));
    const balance = BigInt(await ask<string>("eth_getBalance", address, block));
    return nonce === 0n && balance === 0n && address !== CONTRACT ? undefined : [nonce, balance];
  });
  const slots = Array.from({ length: 25 }, (_, index) =>
    index < SLOTS ? (index + 1).toString(16).padStart(2, "0") : "",
  );
  return { accounts: await Promise.all(accounts), slots, code: CODE.slice(2) };
}

describe("the block of a fork", () => {
  it("is the latest, a number, one counted back, or a hash", async () => {
    const { open, ask } = await aWorld({}, shared);
    const { hash } = await ask<{ hash: string }>("eth_getBlockByNumber", "0x4", false);
    expect((await open()).pin).toMatchObject({ number: 6n, transactions: [] });
    expect((await open({ blockNumber: 4n })).pin.hash).toEqual(bytes(hash));
    expect((await open({ blockNumber: -2n })).pin.hash).toEqual(bytes(hash));
    const chain = await open({ blockHash: hash as `0x${string}` });
    expect(chain.pin).toMatchObject({ number: 4n, nextBlock: undefined });
    expect(chain.chainId).toBe(BigInt(await ask<string>("eth_chainId")));
    expect(chain.pin.json.transactions).toHaveLength(1);
  });

  it("is the one before a transaction, with the transactions up to it", async () => {
    const { open, ask, node } = await aWorld();
    await ask("evm_setAutomine", false);
    const hashes: string[] = [];
    for (let index = 0; index < 4; index++)
      hashes.push(await ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x2" }));
    await node.mine();
    const { pin } = await open({ transactionHash: hashes[2] as `0x${string}` });
    expect(pin.number).toBe(6n);
    expect(pin.transactions.map(({ hash }) => hash)).toEqual(hashes.slice(0, 3));
    expect(pin.nextBlock).toMatchObject({ number: "0x7" });
  });

  it("is unknown only after a node that lags has had some time", async () => {
    const world = await aWorld({}, shared);
    let lags = 3;
    world.upstream.rules.answer = ({ method, params }, ask) =>
      method === "eth_getBlockByNumber" && params[0] === "0x5" && lags-- > 0 ? Promise.resolve(null) : ask();
    expect((await world.open({ blockNumber: 5n })).pin.number).toBe(5n);
    await expect(world.open({ blockNumber: 99n })).rejects.toMatchObject({ code: "REMOTE_BLOCK_UNKNOWN" });
    const asked = world.upstream.calls.filter(
      ({ method, params }) => /^eth_getBlock/.test(method) && params[0] === "0x63",
    );
    expect(asked).toHaveLength(4);
    await expect(world.open({ blockHash: `0x${"12".repeat(32)}` })).rejects.toMatchObject({
      code: "REMOTE_BLOCK_UNKNOWN",
    });
    await expect(world.open({ blockNumber: -7n })).rejects.toMatchObject({ code: "REMOTE_BLOCK_UNKNOWN" });
  });

  it("is of the chain that was named", async () => {
    const { open } = await aWorld({}, shared);
    await expect(open({ chainId: 5n })).rejects.toMatchObject({ code: "REMOTE_DISAGREES" });
  });

  it("takes two round trips, the second for the system contracts", async () => {
    const { open, upstream } = await aWorld({}, shared);
    const { state } = await open();
    expect(upstream.posts).toBe(2);
    expect(state.isKnown(bytes("0x00000961ef480eb55e80d19ad83579a64c007002"), slotOf(3))).toBe(true);
  });
});

describe("the state of a remote block", () => {
  it.each(["http", "provider"])("is what the node says (%s)", async (door) => {
    const world = await aWorld({}, shared);
    const { state } = await world.open(door === "http" ? {} : { provider: world.provider });
    expect(await readAll(state)).toEqual(await expected(world, "latest"));
  });

  it("stays what it was while the upstream goes on", async () => {
    const world = await aWorld();
    const { state } = await world.open({ blockNumber: 4n });
    const before = await expected(world, "0x4");
    await world.ask("eth_sendTransaction", { from: ALICE, to: BOB, value: "0x5" });
    expect(await readAll(state)).toEqual(before);
  });

  it("comes in one wave, however much is asked for in a turn, and is asked for once", async () => {
    const { open, upstream } = await aWorld({}, shared);
    const chain = await open();
    const { state } = chain;
    upstream.forget();
    const addresses = Array.from({ length: 200 }, (_, index) => bytes(addressText(index % 100)));
    const before = chain.upstream.stats.requests;
    const reads = Promise.all([
      ...addresses.map((address) => state.getAccount(address)),
      ...Array.from({ length: 500 }, (_, index) => state.getStorage(bytes(CONTRACT), slotOf(index % 250))),
    ]);
    await nextTurn();
    // All are out, and nothing has come back.
    expect(chain.upstream.stats.requests - before).toBe(301);
    expect(upstream.calls).toEqual([]);
    await reads;
    expect(upstream.calls.filter(({ method }) => method === "eth_getBalance")).toHaveLength(100);
    expect(upstream.calls.filter(({ method }) => method === "eth_getStorageValues")).toHaveLength(1);
  });

  it("is answered at once where it is known", async () => {
    const { open, upstream } = await aWorld({}, shared);
    const { state } = await open();
    await state.prefetch([
      { address: bytes(CONTRACT), slots: [slotOf(0), slotOf(1)] },
      { address: bytes(NOBODY), slots: [] },
    ]);
    upstream.forget();
    expect(state.getAccount(bytes(CONTRACT))).toMatchObject({ nonce: 0n, balance: 0n });
    expect(state.getStorage(bytes(CONTRACT), slotOf(1))).toEqual(Uint8Array.of(2));
    expect(state.getAccount(bytes(NOBODY))).toBeUndefined();
    expect(state.getStorage(bytes(NOBODY), slotOf(1))).toEqual(new Uint8Array(0));
    expect(state.hasStorage(bytes(NOBODY))).toBe(false);
    await state.prefetch([{ address: bytes(CONTRACT), slots: [slotOf(0)] }]);
    expect(upstream.posts).toBe(0);
    expect(state.isKnown(bytes(CONTRACT), slotOf(0))).toBe(true);
    expect(state.isKnown(bytes(CONTRACT), slotOf(9))).toBe(false);
  });

  it("says whether an account has storage, as far as the upstream can tell", async () => {
    const { open, upstream } = await aWorld({}, shared);
    const { state } = await open();
    expect(await state.hasStorage(bytes(CONTRACT))).toBe(true);
    expect(await state.hasStorage(bytes(RICH))).toBe(false);
    upstream.rules.answer = ({ method }, ask) => {
      if (method === "eth_getProof") throw new UpstreamFailure(-32601, "the method eth_getProof does not exist");
      return ask();
    };
    expect(await (await open()).state.hasStorage(bytes(CONTRACT))).toBe(false);
  });

  it("is read slot by slot where eth_getStorageValues is not served", async () => {
    const world = await aWorld(
      {
        answer: ({ method }, ask) => {
          if (method === "eth_getStorageValues") throw new UpstreamFailure(-32601, "unsupported method");
          return ask();
        },
      },
      shared,
    );
    const { state } = await world.open();
    expect(await readAll(state)).toEqual(await expected(world, "latest"));
    expect(world.upstream.calls.filter(({ method }) => method === "eth_getStorageValues")).toHaveLength(1);
  });

  it("is read by number where a hash is not taken, and is an error once the number has another hash", async () => {
    const world = await aWorld({
      answer: ({ params }, ask) => {
        const isByHash =
          typeof params.at(-1) === "object" && params.at(-1) !== null && "blockHash" in (params.at(-1) as object);
        if (isByHash) throw new UpstreamFailure(-32602, "json: cannot unmarshal object into Go value of type string");
        return ask();
      },
    });
    const { state } = await world.open();
    expect(await readAll(state)).toEqual(await expected(world, "latest"));
    await world.node.reorg({ depth: 2 });
    await expect(state.getAccount(bytes(addressText(9)))).rejects.toMatchObject({ code: "REMOTE_BLOCK_UNKNOWN" });
  });

  it("is asked for again after a failure, and the failure is kept nowhere", async () => {
    const { open, upstream } = await aWorld({}, shared);
    const { state } = await open({ retries: 0 });
    upstream.rules.misdeed = () => "html";
    await expect(state.getAccount(bytes(RICH))).rejects.toMatchObject({ code: "REMOTE_BAD_ANSWER" });
    await expect(state.getStorage(bytes(CONTRACT), slotOf(1))).rejects.toMatchObject({ code: "REMOTE_BAD_ANSWER" });
    await state.prefetch([{ address: bytes(RICH), slots: [] }]);
    upstream.rules.misdeed = undefined as never;
    expect(await state.getAccount(bytes(RICH))).toMatchObject({ balance: 5n });
    expect(await state.getStorage(bytes(CONTRACT), slotOf(1))).toEqual(Uint8Array.of(2));
  });

  it.each([null, "5", 7, "0xzz", {}])("refuses an answer that is none: %j", async (answer) => {
    const { open, upstream } = await aWorld({}, shared);
    const { state } = await open();
    upstream.rules.answer = async ({ method }, ask) => (method === "eth_getBalance" ? { answer } : ask());
    await expect(state.getAccount(bytes(RICH))).rejects.toMatchObject({ code: "REMOTE_BAD_ANSWER" });
  });

  it("says which block has no state any more, how old it is, and what to do", async () => {
    const { open, upstream } = await aWorld({}, shared);
    const { state } = await open();
    upstream.rules.answer = () => {
      throw new UpstreamFailure(-32000, "missing trie node 56e81f (path ) state 0x12 is not available");
    };
    await expect(state.getAccount(bytes(RICH))).rejects.toThrow(
      /does not have the state of block 6 \(0x[0-9a-f]{64}, \d+ days old\)\. .*missing trie node.*archive node/,
    );
  });

  it("is that of older blocks too", async () => {
    const world = await aWorld({}, shared);
    const chain = await world.open();
    const { hash } = await world.ask<{ hash: string }>("eth_getBlockByNumber", "0x2", false);
    const state = chain.stateAt({ number: 2n, hash: bytes(hash) });
    expect(chain.stateAt({ number: 2n, hash: bytes(hash) })).toBe(state);
    expect(await readAll(state)).toEqual(await expected(world, "0x2"));
  });
});

describe("the history of a remote chain", () => {
  it("is asked for once, and again where there was nothing", async () => {
    const { open, upstream, ask } = await aWorld({}, shared);
    const chain = await open();
    upstream.forget();
    const block = await ask("eth_getBlockByNumber", "0x3", true);
    const asked = [1, 2].map(() => chain.history("eth_getBlockByNumber", ["0x3", true]));
    expect(await Promise.all(asked)).toEqual([block, block]);
    expect(await chain.history("eth_getBlockByNumber", ["0x3", true])).toEqual(block);
    expect(upstream.posts).toBe(1);
    expect(await chain.history("eth_getTransactionByHash", [`0x${"ab".repeat(32)}`])).toBeNull();
    expect(await chain.history("eth_getTransactionByHash", [`0x${"ab".repeat(32)}`])).toBeNull();
    expect(upstream.posts).toBe(3);
  });
});

it("calls keep to the rate that was given, so that a node with four times that rate refuses none", async () => {
  const world = await aWorld({}, shared);
  // 20 compute units a call.
  const chain = await world.open({ computeUnitsPerSecond: 2_000 });
  world.upstream.rules.callsPerSecond = 400;
  const begun = performance.now();
  const addresses = Array.from({ length: 45 }, (_, index) => ({
    address: bytes(addressText(0x20 + index)),
    slots: [],
  }));
  await chain.state.prefetch(addresses);
  expect(chain.upstream.stats.rateLimited).toBe(0);
  // 135 calls, of which one second's may go at once.
  expect(performance.now() - begun).toBeGreaterThan(280);
});
