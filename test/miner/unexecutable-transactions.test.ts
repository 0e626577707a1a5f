/**
 * A transaction that cannot be executed for a reason of this node, and not for one of its own: its sender is told, it
 * leaves the pool, and the transactions of others are mined.
 */
import { describe, expect, it } from "vitest";
import type { Block } from "../../src/chainspec/header/block.ts";
import { ENGINE_NAMES } from "../../src/evm/engine.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { assemble } from "../support/assembler.ts";

/** It writes beyond the memory that an execution may have here. */
const MEMORY_EATER = "0x00000000000000000000000000000000000e4700";
const EATING = assemble("0 20000000 MSTORE");
/** The deposit contract of mainnet, with code whose event has no layout of a deposit (EIP-6110). */
const DEPOSITS = "0x00000000219ab540356cbb839cbe05303d7705fa";
const DEPOSITING = assemble("0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5 0 0 LOG1");

const OPTIONS = { hardfork: "prague", gasLimit: 10n ** 10n, limits: { executionMemory: 2 ** 24 } } as const;

interface Kind {
  readonly engine: (typeof ENGINE_NAMES)[number];
  readonly to: Hex;
  readonly error: string;
  /** Errors that are logged where no sender waits. A transaction that is not valid is dropped without. */
  readonly logged: readonly object[];
}

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    "beyond a limit",
    { engine: "wasm", to: MEMORY_EATER, error: "EXECUTION_MEMORY", logged: [{ code: "EXECUTION_MEMORY" }] },
  ],
  ...ENGINE_NAMES.map(
    (engine) =>
      [
        `with a log of an invalid layout (${engine})`,
        { engine, to: DEPOSITS, error: "DEPOSIT_EVENT_INVALID", logged: [] },
      ] as const,
  ),
];

async function aNode({ engine, to }: Kind, options: NodeOptions = {}) {
  const errors: unknown[] = [];
  const node = await createNode({ ...OPTIONS, engine, onError: (error) => errors.push(error), ...options });
  const { provider } = node;
  await provider.request({ method: "anvil_setCode", params: [MEMORY_EATER, encodeData(EATING)] });
  await provider.request({ method: "anvil_setCode", params: [DEPOSITS, encodeData(DEPOSITING)] });
  const accounts = await provider.request({ method: "eth_accounts" });
  const bad = { from: accounts[0] as Hex, to, gas: "0x100000000" } as const;
  const good = { from: accounts[1] as Hex, to: accounts[2] as Hex, value: "0x1" } as const;
  const send = (tx: typeof bad | typeof good): Promise<Hex> =>
    provider.request({ method: "eth_sendTransaction", params: [tx] });
  const pooled = async (): Promise<number> => Number((await provider.request({ method: "txpool_status" })).pending);
  const minedIn = async (hash: Hex): Promise<string | undefined> =>
    (await provider.request({ method: "eth_getTransactionReceipt", params: [hash] }))?.status;
  return { node, provider, bad, good, send, pooled, minedIn, errors };
}

describe.each(KINDS)("a transaction %s", (_name, kind) => {
  it("fails for its sender alone, and can be sent again", async () => {
    const { node, bad, good, send, pooled, minedIn, errors } = await aNode(kind);
    await using _closing = node;
    await expect(send(bad)).rejects.toMatchObject({ cause: { code: kind.error } });
    await expect(send(bad)).rejects.toMatchObject({ cause: { code: kind.error } });
    expect(await pooled()).toBe(0);
    expect(await minedIn(await send(good))).toBe("0x1");
    const [other, failed] = await Promise.allSettled([send(good), send(bad), send(good)]);
    expect(other).toMatchObject({ status: "fulfilled" });
    expect(failed).toMatchObject({ status: "rejected" });
    expect(errors).toEqual([]);
  });

  it.each(["evm_mine", "hardhat_mine", "anvil_mine", "miner_start", "evm_setAutomine"])(
    "is left out and dropped, and the reason logged: %s",
    async (method) => {
      const { node, provider, bad, good, send, pooled, minedIn, errors } = await aNode(kind, { mining: "manual" });
      await using _closing = node;
      await send(bad);
      const hash = await send(good);
      const params =
        method === "hardhat_mine" || method === "anvil_mine" ? ["0x3"] : method === "evm_setAutomine" ? [true] : [];
      await provider.request({ method, params } as never);
      if (method === "evm_setAutomine") expect(await minedIn(await send(good))).toBe("0x1");
      expect(await minedIn(hash)).toBe("0x1");
      expect(await pooled()).toBe(0);
      expect(errors).toMatchObject(kind.logged);
    },
  );

  it("is left out by interval mining, and ends the wait of its sender", async () => {
    const { node, provider, bad, good, pooled, minedIn } = await aNode(kind, { mining: { intervalMs: 20 } });
    await using _closing = node;
    const failing = provider.request({ method: "eth_sendTransactionSync", params: [bad] });
    await expect(failing).rejects.toMatchObject({ cause: { code: kind.error } });
    const hash = await provider.request({ method: "eth_sendTransactionSync", params: [good] });
    expect(await minedIn((hash as unknown as { transactionHash: Hex }).transactionHash)).toBe("0x1");
    expect(await pooled()).toBe(0);
  });

  it("is left out of the blocks of a reorg, of the pending block and of a built payload", async () => {
    const { node, provider, bad, good, send, minedIn, errors } = await aNode(kind);
    await using _closing = node;
    await provider.request({ method: "anvil_mine", params: ["0x2"] });
    await provider.request({
      method: "anvil_reorg",
      params: [
        1,
        [
          [bad, 0],
          [good, 0],
        ],
      ],
    } as never);
    const block = await provider.request({ method: "eth_getBlockByNumber", params: ["latest", false] });
    expect(block?.transactions.length).toBe(1);
    expect(await minedIn(block?.transactions[0] as Hex)).toBe("0x1");
    expect(errors).toMatchObject(kind.logged);
    await provider.request({ method: "evm_setAutomine", params: [false] });
    await send(bad);
    const hash = await send(good);
    const pending = await provider.request({ method: "eth_getBlockByNumber", params: ["pending", false] });
    expect(pending?.transactions).toEqual([hash]);
  });
});

it("is not tried again for each of many blocks", async () => {
  const kind = KINDS[0]?.[1] as Kind;
  const { node, bad, good, send, errors } = await aNode(kind, { mining: "manual", maxTransactions: 1 });
  await using _closing = node;
  await send(bad);
  await send(good);
  const blocks: readonly Block[] = await node.mine({ blocks: 3 });
  expect(blocks.map(({ transactions }) => transactions.length)).toEqual([0, 1, 0]);
  expect(errors.length).toBe(1);
});
