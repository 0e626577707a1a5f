import { describe, expect, it } from "vitest";
import { ALICE, aNode, BOB, type Json, NOBODY, NOW } from "../../../support/a-node.ts";

const ask = async (node: Awaited<ReturnType<typeof aNode>>, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

describe("eth_config", () => {
  it("shows one hardfork, from time 0, on a development chain", async () => {
    const node = await aNode({ hardfork: "cancun" });
    const { current, next, last } = (await ask(node, "eth_config")) as Record<string, Json | null>;
    expect({ next, last }).toEqual({ next: null, last: null });
    expect(current).toMatchObject({
      activationTime: 0,
      blobSchedule: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
      chainId: "0x7a69",
      systemContracts: { BEACON_ROOTS_ADDRESS: "0x000f3df6d732807ef1319fb7b8bb8522d0beac02" },
    });
    expect(Object.keys(current?.precompiles as Json)).toHaveLength(10);
    expect(Object.keys(current?.systemContracts as Json)).toHaveLength(1);
  });

  it("has nothing to show before the hardforks by time", async () => {
    expect(await ask(await aNode({ hardfork: "london" }), "eth_config")).toEqual({
      current: null,
      next: null,
      last: null,
    });
  });

  it("goes from current to next as the head's time passes the hardfork's, and knows the last", async () => {
    const config = {
      chainId: 7,
      terminalTotalDifficulty: 0,
      londonBlock: 0,
      shanghaiTime: 0,
      cancunTime: 0,
      pragueTime: NOW + 100,
      osakaTime: NOW + 200,
      blobSchedule: {
        prague: { target: 5, max: 8, baseFeeUpdateFraction: 1_000_000 },
      },
    };
    const node = await aNode({ genesis: { config, difficulty: "0x0", gasLimit: "0x1c9c380" } });
    const times = async (): Promise<unknown[]> =>
      Object.values((await ask(node, "eth_config")) as Record<string, Json | null>).map(
        (fork) => fork?.activationTime ?? null,
      );
    expect(await times()).toEqual([0, NOW + 100, NOW + 200]);
    await node.mine({ timestamp: BigInt(NOW + 100) });
    expect(await times()).toEqual([NOW + 100, NOW + 200, NOW + 200]);
    expect(await ask(node, "eth_config")).toMatchObject({ current: { blobSchedule: { target: 5, max: 8 } } });
    await node.mine({ timestamp: BigInt(NOW + 250) });
    expect(await times()).toEqual([NOW + 200, null, null]);
  });
});

it("says what it is: never syncing, listening, without peers, mining for its coinbase", async () => {
  const node = await aNode({ coinbase: BOB });
  expect(await ask(node, "eth_syncing")).toBe(false);
  expect(await ask(node, "net_listening")).toBe(true);
  expect(await ask(node, "net_peerCount")).toBe("0x0");
  expect(await ask(node, "eth_coinbase")).toBe(BOB);
  expect(await ask(node, "eth_requestAccounts")).toEqual(await ask(node, "eth_accounts"));
  // Keccak-256 of one zero byte, as in every list of test vectors.
  expect(await ask(node, "web3_sha3", "0x00")).toBe(
    "0xbc36789e7a1e281436464229828f817d6612f7b477d66591ff96a9e064bcc98a",
  );
});

it.each([
  ["anvil_impersonateAccount", "anvil_stopImpersonatingAccount"],
  ["hardhat_impersonateAccount", "hardhat_stopImpersonatingAccount"],
  ["evm_addAccount", "evm_removeAccount"],
])("lists impersonated accounts behind its own until that ends: %s, %s", async (begin, end) => {
  const node = await aNode({ accounts: 2 });
  const password = begin === "evm_addAccount" ? [""] : [];
  for (const address of [NOBODY, BOB]) await ask(node, begin, address, ...password);
  for (const method of ["eth_accounts", "eth_requestAccounts"])
    expect(await ask(node, method)).toEqual([ALICE, BOB, NOBODY]);
  expect(await ask(node, "personal_listAccounts")).toEqual([ALICE, BOB]);
  await ask(node, end, NOBODY, ...password);
  expect(await ask(node, "eth_accounts")).toEqual([ALICE, BOB]);
});

it("keeps everything, as its capabilities say", async () => {
  const node = await aNode();
  await node.mine();
  const { head, ...resources } = (await ask(node, "eth_capabilities")) as Json;
  expect(head).toMatchObject({ number: "0x1" });
  expect(Object.keys(resources).sort()).toEqual(["blocks", "logs", "receipts", "state", "stateproofs", "tx"]);
  for (const resource of Object.values(resources)) expect(resource).toEqual({ disabled: false, oldestBlock: "0x0" });
});

describe("a transaction by its sender and nonce", () => {
  it("is found mined at any depth, and waiting", async () => {
    const node = await aNode({ mining: "manual" });
    const hashes: unknown[] = [];
    for (let block = 0; block < 5; block++) {
      for (let index = 0; index < 3; index++) {
        hashes.push(await ask(node, "eth_sendTransaction", { from: ALICE, to: BOB, gas: "0x5208" }));
      }
      await node.mine({ blocks: 3 });
    }
    hashes.push(await ask(node, "eth_sendTransaction", { from: ALICE, to: BOB, gas: "0x5208" }));
    for (const [nonce, hash] of hashes.entries()) {
      const found = await ask(node, "eth_getTransactionBySenderAndNonce", ALICE, `0x${nonce.toString(16)}`);
      expect(found).toEqual(await ask(node, "eth_getTransactionByHash", hash));
      expect(found).toMatchObject({ hash });
    }
    expect(await ask(node, "eth_getTransactionBySenderAndNonce", ALICE, "0x10")).toBeNull();
    expect(await ask(node, "eth_getTransactionBySenderAndNonce", BOB, "0x0")).toBeNull();
  });
});
