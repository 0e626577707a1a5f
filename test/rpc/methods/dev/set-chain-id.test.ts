/** anvil_setChainId: blocks after the head have another id, blocks before it keep theirs. */
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { describe, expect, it } from "vitest";
import { createNode, type HindcastNode } from "../../../../src/index.ts";
import { checkDataFolder } from "../../../../src/node/check-data-folder.ts";
import { encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { aFolder } from "../../../support/a-folder.ts";
import { ALICE, addressText, aNode, aServedNode, BOB, wordText } from "../../../support/a-node.ts";
import { errorCodesOf } from "../../../support/answers.ts";
import { assemble } from "../../../support/assembler.ts";

/** Stores CHAINID in slot 0, and returns it. */
const CONTRACT = addressText(0x77);
const CODE = encodeData(assemble("CHAINID DUP1 0 SSTORE 0 MSTORE 32 0 RETURN"));
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

describe("anvil_setChainId", () => {
  async function aChain() {
    const { plain } = await aServedNode();
    await plain.ask("anvil_setCode", CONTRACT, CODE);
    const send = (): Promise<Hex> => plain.ask("eth_sendTransaction", { from: ALICE, to: CONTRACT });
    /** CHAINID as the transaction read it. */
    const seenBy = async (hash: Hex): Promise<string | undefined> => {
      const { structLogs } = await plain.ask<{ structLogs: { stack: string[] }[] }>("debug_traceTransaction", hash);
      return structLogs[1]?.stack[0];
    };
    return { plain, send, seenBy };
  }

  it("changes what is answered, signed and read by code", async () => {
    const { plain, send, seenBy } = await aChain();
    const before = await send();
    await plain.ask("anvil_setChainId", 1);
    expect(await plain.ask("eth_chainId")).toBe("0x1");
    expect(await plain.ask("net_version")).toBe("1");
    expect(await plain.ask("eth_call", { to: CONTRACT }, "latest")).toBe(wordText(1));
    const after = await send();
    expect(await plain.ask("eth_getTransactionByHash", after)).toMatchObject({ chainId: "0x1" });
    expect(await plain.ask("eth_getTransactionByHash", before)).toMatchObject({ chainId: "0x7a69", from: ALICE });
    expect(await seenBy(after)).toBe("0x1");
    expect(await seenBy(before)).toBe("0x7a69");
    expect(await plain.ask("eth_getStorageAt", CONTRACT, "0x0", "0x1")).toBe(wordText(0x7a69));
  });

  it("takes transactions of wallets of the new chain, and no others", async () => {
    const { plain } = await aChain();
    await plain.ask("anvil_setChainId", 5);
    const account = privateKeyToAccount(KEY);
    const transport = http(plain.url, { retryCount: 0 });
    const wallet = createWalletClient({ account, chain: { ...foundry, id: 5 }, transport });
    await wallet.sendTransaction({ to: BOB, value: 1n });
    const signed = await account.signTransaction({ chainId: 31_337, to: BOB, gas: 21_000n, maxFeePerGas: 10n ** 10n });
    expect((await plain.failure("eth_sendRawTransaction", signed)).message).toContain("invalid chain id for signer");
  });

  it("is undone by a revert to before it", async () => {
    const { plain, send } = await aChain();
    const snapshot = await plain.ask("evm_snapshot");
    await plain.ask("anvil_setChainId", 5);
    await send();
    await plain.ask("evm_revert", snapshot);
    expect(await plain.ask("eth_chainId")).toBe("0x7a69");
    await plain.ask("anvil_setChainId", 6);
    await send();
    await plain.ask("anvil_rollback", 1);
    expect(await plain.ask("eth_chainId")).toBe("0x6");
  });

  it("is undone by a reset", async () => {
    const { plain } = await aChain();
    await plain.ask("evm_mine");
    await plain.ask("anvil_setChainId", 1);
    await plain.ask("anvil_reset");
    expect(await plain.ask("eth_chainId")).toBe("0x7a69");
    await plain.ask("evm_mine");
    expect(await plain.ask("eth_chainId")).toBe("0x7a69");
  });

  it("drops waiting transactions of the old chain", async () => {
    const { plain, send } = await aChain();
    await plain.ask("evm_setAutomine", false);
    await send();
    await plain.ask("anvil_setChainId", 5);
    expect(await plain.ask("txpool_status")).toEqual({ pending: "0x0", queued: "0x0" });
  });

  it("does not reach another branch", async () => {
    const node = await aNode();
    const branch = await node.branch();
    await branch.provider.request({ method: "anvil_setChainId", params: [5] });
    expect([node.chainId, branch.chainId]).toEqual([31_337n, 5n]);
  });
});

describe("a chain on disk", () => {
  const openedTwice = async (change: (node: HindcastNode) => Promise<unknown>): Promise<HindcastNode> => {
    const dataDir = await aFolder();
    const node = await createNode({ dataDir });
    await change(node);
    await node.close();
    return aNode({ dataDir });
  };
  const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
    node.provider.request({ method, params } as never);
  const chainIds = async (node: HindcastNode): Promise<unknown[]> => [
    await ask(node, "eth_chainId"),
    ...(await Promise.all(["0x1", "0x2"].map((number) => ask(node, "eth_getBlockByNumber", number, true)))).map(
      (block) => (block as { transactions: { chainId: Hex }[] } | null)?.transactions[0]?.chainId,
    ),
  ];
  const send = (node: HindcastNode): Promise<unknown> => ask(node, "eth_sendTransaction", { from: ALICE, to: BOB });

  it("has the new id, and its blocks theirs, when it is opened again", async () => {
    const node = await openedTwice(async (first) => {
      await send(first);
      await ask(first, "anvil_setChainId", 5);
      await send(first);
    });
    expect(await chainIds(node)).toEqual(["0x5", "0x7a69", "0x5"]);
    expect(await ask(node, "trace_block", "0x2")).toMatchObject([{ action: { from: ALICE, to: BOB } }]);
  });

  it("forgets an id whose blocks are gone, whatever was mined after that", async () => {
    const node = await openedTwice(async (first) => {
      await send(first);
      await ask(first, "anvil_setChainId", 5);
      await send(first);
      await ask(first, "anvil_rollback", 2);
      for (let count = 0; count < 3; count++) await send(first);
    });
    expect(await chainIds(node)).toEqual(["0x7a69", "0x7a69", "0x7a69"]);
  });

  it("has the id of a snapshot after a revert to it", async () => {
    const node = await openedTwice(async (first) => {
      await ask(first, "anvil_setChainId", 5);
      const snapshot = await ask(first, "evm_snapshot");
      await ask(first, "anvil_setChainId", 6);
      await ask(first, "evm_revert", snapshot);
      await send(first);
    });
    expect(await chainIds(node)).toEqual(["0x5", "0x5", undefined]);
  });

  it("passes its check with blocks of two ids", async () => {
    const dataDir = await aFolder();
    const node = await createNode({ dataDir });
    await ask(node, "anvil_setChainId", 5);
    await send(node);
    await node.close();
    expect(await checkDataFolder({ dataDir }, false)).toMatchObject({ found: [], left: [] });
  });
});

it("a state file has one id", async () => {
  const changed = await aNode();
  await changed.provider.request({ method: "anvil_setChainId", params: [5] });
  await expect((async () => changed.dumpState())()).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await expect(changed.provider.request({ method: "anvil_dumpState" })).rejects.toMatchObject({ code: -32004 });
  expect(errorCodesOf("anvil_dumpState")).toContain(-32004);
});
