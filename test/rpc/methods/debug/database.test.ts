/** debug_*: what the database holds under a hash, the chain's configuration, and the head as geth sets it. */
import { describe, expect, it } from "vitest";
import { parseGenesis } from "../../../../src/chainspec/genesis/genesis.ts";
import { decodeData, encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import { ALICE, aNode, aServedNode, BOB, type Json, wordText } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { COUNTER, deploy, ECHO, send } from "../../../support/contracts.ts";

const hashOf = (data: Hex): Hex => encodeData(keccak256(decodeData(data)));

describe("debug_codeByHash", () => {
  it("gives the code that has the hash, and null where none has it", async () => {
    const { node, plain } = await aServedNode();
    await deploy(node, ECHO);
    const code = encodeData(ECHO);
    expect(await plain.ask("debug_codeByHash", hashOf(code))).toBe(code);
    expect(await plain.ask("debug_codeByHash", hashOf("0x"), "latest")).toBe("0x");
    expect(await plain.ask("debug_codeByHash", hashOf(encodeData(COUNTER)))).toBeNull();
  });
});

describe("debug_dbGet", () => {
  it("gives trie nodes, codes and preimages by geth's keys", async () => {
    const { node, plain } = await aServedNode();
    await deploy(node, ECHO);
    const { stateRoot } = await plain.ask<{ stateRoot: Hex }>("eth_getBlockByNumber", "latest", false);
    const { accountProof } = await plain.ask<{ accountProof: Hex[] }>("eth_getProof", BOB, [], "latest");
    expect(await plain.ask("debug_dbGet", stateRoot)).toBe(accountProof[0]);
    const codeHash = hashOf(encodeData(ECHO));
    expect(await plain.ask("debug_dbGet", `0x63${codeHash.slice(2)}`)).toBe(encodeData(ECHO));
    const secureKey = `${encodeData(new TextEncoder().encode("secure-key-"))}${hashOf(BOB).slice(2)}`;
    expect(await plain.ask("debug_dbGet", secureKey)).toBe(BOB);
    expect(await plain.ask("debug_dbGet", wordText(1))).toBeNull();
  });

  it("takes a key as text, and says which keys there are", async () => {
    const { plain } = await aServedNode();
    expect(await plain.ask("debug_dbGet", `c${"a".repeat(32)}`)).toBeNull();
    const failure = await plain.failure("debug_dbGet", "LastBlock");
    expect(failure.code).toBe(-32602);
    expect(failure.message).toContain("the hash of a trie node");
    expect((await plain.failure("debug_dbGet", "0x123")).code).toBe(-32602);
  });
});

it("debug_preimage gives the address and the slot behind a key of the trie", async () => {
  const { node, plain } = await aServedNode();
  await deploy(node, assemble("1 77 SSTORE"));
  const target = await deploy(node, assemble("1 123456789 SSTORE"));
  await send(node, { to: target });
  expect(await plain.ask("debug_preimage", hashOf(ALICE))).toBe(ALICE);
  expect(await plain.ask("debug_preimage", hashOf(wordText(123_456_789)))).toBe(wordText(123_456_789));
  expect(await plain.failure("debug_preimage", wordText(7))).toMatchObject({
    code: -32000,
    message: "unknown preimage",
  });
});

describe("debug_chainConfig", () => {
  it.each(["frontier", "london", "cancun", "osaka"])("is a config that means the same chain (%s)", async (hardfork) => {
    const node = await aNode({ hardfork, chainId: 77 });
    const config = await node.provider.request({ method: "debug_chainConfig" });
    const { number: _, ...genesis } = { number: 0, config };
    const { schedule } = parseGenesis({ ...genesis, alloc: {} });
    expect(schedule.chainId).toBe(77n);
    const again = await aNode({ genesis: { config, alloc: {}, gasLimit: "0x1c9c380" } });
    const own = await node.provider.request({ method: "anvil_nodeInfo" });
    expect(await again.provider.request({ method: "anvil_nodeInfo" })).toMatchObject({ hardFork: own.hardFork });
    expect(await again.provider.request({ method: "debug_chainConfig" })).toEqual(config);
  });

  it("keeps every digit, and names hardforks as geth does", async () => {
    const ttd = "58750000000000000000000";
    const genesis = { config: { chainId: 5, eip150Block: 3, cancunTime: 9, terminalTotalDifficulty: ttd }, alloc: {} };
    const node = await aNode({ genesis });
    expect(await node.provider.request({ method: "debug_chainConfig" })).toEqual({
      chainId: 5,
      eip150Block: 3,
      cancunTime: 9,
      terminalTotalDifficulty: ttd,
      blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 } },
    });
  });
});

it("debug_dumpBlock lists the accounts after a block as debug_accountRange does", async () => {
  const { node, plain } = await aServedNode();
  await send(node, { to: BOB, value: "0x5" });
  await send(node, { to: BOB, value: "0x7" });
  const dump = await plain.ask<{ accounts: Record<string, Json> }>("debug_dumpBlock", "0x1");
  expect(dump).toEqual(await plain.ask("debug_accountRange", "0x1", "0x", 256, false, false, false));
  const bob = Object.values(dump.accounts).find(({ address }) => address === BOB);
  expect(bob).toMatchObject({ balance: "10000000000000000000005" });
  expect((await plain.failure("debug_dumpBlock", "0x99")).code).toBe(-32000);
});

it("debug_setHead takes blocks off, and their transactions with them", async () => {
  const { node, plain } = await aServedNode();
  for (let count = 0; count < 3; count++) await send(node, { to: BOB, value: "0x1" });
  expect(await plain.ask("debug_setHead", "0x1")).toBeNull();
  expect(await plain.ask("eth_blockNumber")).toBe("0x1");
  expect(await plain.ask("txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
  expect(await plain.ask("eth_getTransactionCount", ALICE, "pending")).toBe("0x1");
  expect(await plain.failure("debug_setHead", "0x2")).toMatchObject({
    code: -32602,
    message: "Cannot set the head to block 2: the head is block 1. Give the number of an earlier block.",
  });
});
