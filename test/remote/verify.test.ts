/** `verify` detects false answers about everything that a proof covers, and accepts true ones. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { decodeData } from "../../src/primitives/bytes/hex.ts";
import { EMPTY_TRIE_ROOT, keccak256 } from "../../src/primitives/hash/hash.ts";
import { hashNodes, lookUpIn, provenAccount, provenSlot } from "../../src/remote/merkle-proof.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, NOBODY, wordText } from "../support/a-node.ts";
import { anUpstream, type UpstreamRequest } from "../support/an-upstream.ts";
import { aWorld, bytes, CODE, CONTRACT, openChainNode, RICH, slotOf } from "./a-remote-chain.ts";

let shared: HindcastNode;
beforeAll(async () => {
  shared = await openChainNode();
});
afterAll(() => shared.close());

interface ProofJson {
  balance: string;
  nonce: string;
  codeHash: string;
  storageHash: string;
  accountProof: string[];
  storageProof: { key: string; value: string; proof: string[] }[];
}

/** Changes the answers of one method. */
const changing =
  <T>(method: string, change: (answer: T) => void) =>
  async (request: UpstreamRequest, ask: () => Promise<unknown>): Promise<unknown> => {
    const answer = structuredClone(await ask()) as T;
    if (request.method === method) change(answer);
    return answer;
  };

describe("verify", () => {
  it("reads what the upstream proves, in one wave, with the nodes of the proofs", async () => {
    const world = await aWorld({ latencyMs: 10 }, shared);
    const { state, pin } = await world.open({ verify: true });
    world.upstream.forget();
    await state.prefetch([
      { address: bytes(CONTRACT), slots: Array.from({ length: 250 }, (_, index) => slotOf(index)) },
      { address: bytes(NOBODY), slots: [slotOf(1)] },
      { address: bytes(ALICE), slots: [] },
    ]);
    expect(world.upstream.waves).toBe(1);
    expect(await state.getStorage(bytes(CONTRACT), slotOf(3))).toEqual(Uint8Array.of(4));
    expect(await state.getStorage(bytes(CONTRACT), slotOf(200))).toEqual(new Uint8Array(0));
    expect(await state.getAccount(bytes(NOBODY))).toBeUndefined();
    const account = await state.getAccount(bytes(CONTRACT));
    expect(await state.getCode(account?.codeHash ?? bytes("0x"))).toEqual(bytes(CODE));
    expect(await state.hasStorage(bytes(CONTRACT))).toBe(true);
    expect(world.upstream.waves).toBe(1);
    const root = state.getTrieNode(pin.stateRoot);
    expect(keccak256(root ?? bytes("0x"))).toEqual(pin.stateRoot);
    expect(state.getTrieNode(EMPTY_TRIE_ROOT)).toBeUndefined();
  });

  it.each<[string, string, RegExp, (answer: never) => void]>([
    [
      "the value of a slot",
      "eth_getProof",
      /slot 0x0+3 of account 0x(c0)+/,
      ({ storageProof }: ProofJson) => {
        if (storageProof[0] !== undefined) storageProof[0].value = "0x99";
      },
    ],
    [
      "a slot, with its proof",
      "eth_getProof",
      /slot 0x0+3 of account/,
      ({ storageProof }: ProofJson) => {
        const [proven] = storageProof;
        if (proven === undefined) return;
        proven.value = "0x0";
        proven.proof = [];
      },
    ],
    [
      "a balance",
      "eth_getProof",
      /account 0x(c0)+ at block 6/,
      (proof: ProofJson) => {
        proof.balance = "0x1234";
      },
    ],
    [
      "a node of a proof",
      "eth_getProof",
      /account 0x(c0)+ at block 6/,
      ({ accountProof }: ProofJson) => {
        accountProof[0] = `${accountProof[0]?.slice(0, -2)}01`;
      },
    ],
    [
      "an account that is said to be absent",
      "eth_getProof",
      /account 0x(c0)+ at block 6/,
      (proof: ProofJson) => {
        Object.assign(proof, { balance: "0x0", nonce: "0x0", accountProof: [] });
      },
    ],
  ])("catches a lie about %s, names it, and keeps nothing of it", async (_, method, subject, lie) => {
    const world = await aWorld({}, shared);
    const cache = { folder: await aFolder() };
    const { state, pin } = await world.open({ verify: true, cache });
    world.upstream.rules.answer = changing(method, lie);
    const read = state.getStorage(bytes(CONTRACT), slotOf(3));
    await expect(read).rejects.toMatchObject({ code: "REMOTE_LIE" });
    await expect(read).rejects.toThrow(subject);
    const blockHash = `0x${Buffer.from(pin.hash).toString("hex")}` as const;
    const offline = await world.open({ verify: true, cache, blockHash, offline: true });
    await expect(offline.state.getStorage(bytes(CONTRACT), slotOf(3))).rejects.toMatchObject({
      code: "REMOTE_OFFLINE",
    });
    world.upstream.rules.answer = (__, ask) => ask();
    expect(await state.getStorage(bytes(CONTRACT), slotOf(3))).toEqual(Uint8Array.of(4));
  });

  it("catches a lie about code", async () => {
    const world = await aWorld({}, shared);
    const { state } = await world.open({ verify: true });
    world.upstream.rules.answer = ({ method }, ask) => (method === "eth_getCode" ? Promise.resolve("0x6001") : ask());
    await expect(state.getAccount(bytes(CONTRACT))).rejects.toThrow(/false answer about the code of account 0x(c0)+/);
  });

  it("catches a lie about the block of the fork, and about blocks below it", async () => {
    const world = await aWorld({}, shared);
    const chain = await world.open({ verify: true });
    const { hash } = await world.ask<{ hash: string }>("eth_getBlockByNumber", "0x2", false);
    const lie = (block: Record<string, string>): void => {
      block.timestamp = "0x1";
    };
    world.upstream.rules.answer = changing("eth_getBlockByHash", lie);
    await expect(chain.history("eth_getBlockByHash", [hash, false])).rejects.toMatchObject({ code: "REMOTE_LIE" });
    await expect(world.open({ verify: true, blockHash: hash as `0x${string}` })).rejects.toMatchObject({
      code: "REMOTE_LIE",
    });
    world.upstream.rules.answer = ({ method, params }, ask) =>
      method === "eth_getBlockByHash" && params[0] === hash
        ? world.ask("eth_getBlockByNumber", "0x3", params[1])
        : ask();
    await expect(chain.history("eth_getBlockByHash", [hash, true])).rejects.toMatchObject({ code: "REMOTE_LIE" });
    await expect(world.open({ blockHash: hash as `0x${string}` })).rejects.toMatchObject({ code: "REMOTE_LIE" });
  });

  it("reads the state of older blocks against their own headers", async () => {
    const world = await aWorld({}, shared);
    const chain = await world.open({ verify: true });
    const { hash } = await world.ask<{ hash: string }>("eth_getBlockByNumber", "0x2", false);
    const state = chain.stateAt({ number: 2n, hash: bytes(hash) });
    expect((await state.getAccount(bytes(ALICE)))?.nonce).toBe(2n);
  });

  it("believes the hash of a block that the user did not name where all URLs agree", async () => {
    const world = await aWorld({}, shared);
    const other = await anUpstream(shared.provider as never, {
      answer: changing("eth_getBlockByNumber", (block: Record<string, string> | null) => {
        if (block !== null) block.hash = wordText(1);
      }),
    });
    await expect(world.open({ verify: true, urls: [world.upstream.url, other.url] })).rejects.toMatchObject({
      code: "REMOTE_DISAGREES",
    });
    await world.open({ verify: true, urls: [world.upstream.url, world.upstream.url] });
  });

  it("says so where the upstream has no proofs", async () => {
    const world = await aWorld({}, shared);
    const { state } = await world.open({ verify: true });
    world.upstream.rules.answer = ({ method }, ask) =>
      method === "eth_getProof" ? Promise.reject({ code: -32601, message: "method not found" }) : ask();
    await expect(state.getAccount(bytes(RICH))).rejects.toMatchObject({ code: "REMOTE_METHOD_MISSING" });
  });
});

describe("a Merkle proof", () => {
  it("proves what the trie holds, and nothing once any byte of it is changed", async () => {
    const world = await aWorld({}, shared);
    const block = await world.ask<{ stateRoot: string }>("eth_getBlockByNumber", "latest", false);
    const proof = await world.ask<ProofJson>("eth_getProof", CONTRACT, [wordText(3)], "latest");
    const nodes = proof.accountProof.map(decodeData);
    const account = provenAccount(bytes(block.stateRoot), bytes(CONTRACT), lookUpIn(hashNodes(nodes)));
    expect(account?.storageRoot).toEqual(bytes(proof.storageHash));
    const slotNodes = (proof.storageProof[0]?.proof ?? []).map(decodeData);
    expect(provenSlot(bytes(proof.storageHash), slotOf(3), lookUpIn(hashNodes(slotNodes)))).toEqual(Uint8Array.of(4));
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (index, at, change) => {
        const changed = nodes.map((node) => node.slice());
        const node = changed[index % changed.length] as Uint8Array;
        node[at % node.length] = (node[at % node.length] as number) ^ change;
        expect(() => provenAccount(bytes(block.stateRoot), bytes(CONTRACT), lookUpIn(hashNodes(changed)))).toThrow(
          RangeError,
        );
      }),
    );
  });
});
