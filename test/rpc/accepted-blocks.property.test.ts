/**
 * What a node accepts can be read again: transactions of every type with extremes in every member, by every method that
 * takes one, and blocks at extreme times and fees. After each series the chain is dumped and loaded, its folder opened
 * again, exported and imported, and read in its raw forms.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeTransaction } from "../../src/chainspec/transaction/decode-transaction.ts";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { decodeData, encodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, addressText, BOB, type Json, NOBODY, NOW } from "../support/a-node.ts";
import { runs } from "../support/seed.ts";

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`;
/** Zero, the largest, one too many, and what lies between. */
const integer = (bits: number): fc.Arbitrary<Hex> => {
  const end = 2n ** BigInt(bits);
  const extreme = fc.constantFrom(0n, 1n, end / 2n, end - 1n, end);
  return fc.oneof(extreme, fc.bigInt({ min: 0n, max: end - 1n }), fc.bigInt({ min: 0n, max: 255n })).map(quantity);
};
const data = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(encodeData);
const address = fc.oneof(fc.constantFrom(ALICE, BOB, NOBODY, addressText(0)), data(20));
const rare = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const often = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });

const authorization = fc.record(
  {
    chainId: fc.oneof(fc.constantFrom("0x0", "0x7a69"), integer(256)),
    address,
    nonce: integer(64),
    yParity: integer(8),
    v: fc.constantFrom("0x0", "0x1b", "0x1c", "0x1d", "0x25"),
    r: integer(256),
    s: integer(256),
  },
  { requiredKeys: ["chainId", "address", "nonce", "r", "s"] },
);

/** A call that is near enough to a valid one that many are accepted. */
const call: fc.Arbitrary<Json> = fc
  .record({
    from: fc.constantFrom(ALICE, BOB),
    to: fc.oneof({ weight: 5, arbitrary: address }, { weight: 1, arbitrary: fc.constant(undefined) }),
    gas: fc.oneof({ weight: 6, arbitrary: fc.constant("0x200000") }, { weight: 1, arbitrary: integer(64) }),
    value: often(fc.oneof(fc.constantFrom("0x0", "0x1"), integer(256))),
    input: often(fc.uint8Array({ maxLength: 80 }).map(encodeData)),
    nonce: fc.option(integer(64), { nil: undefined, freq: 9 }).map((nonce) => (nonce === "0x0" ? undefined : nonce)),
    type: rare(fc.constantFrom("0x0", "0x1", "0x2", "0x3", "0x4", "0x102")),
    gasPrice: rare(fc.oneof(fc.constantFrom("0x77359400"), integer(256))),
    maxFeePerGas: rare(fc.oneof(fc.constantFrom("0x77359400"), integer(256))),
    maxPriorityFeePerGas: rare(fc.oneof(fc.constantFrom("0x0", "0x1"), integer(256))),
    accessList: rare(
      fc.array(fc.record({ address, storageKeys: fc.array(data(32), { maxLength: 2 }) }), { maxLength: 2 }),
    ),
    authorizationList: often(fc.array(authorization, { maxLength: 2 })),
    maxFeePerBlobGas: rare(integer(256)),
  })
  .map((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)));

type Step = readonly [method: string, params: unknown[]];
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom("eth_sendTransaction", "eth_sendUnsignedTransaction", "personal_sendTransaction"), call)
      .map(([method, tx]): Step => [method, method.startsWith("personal") ? [tx, ""] : [tx]]),
  },
  // The raw bytes are sent on.
  { weight: 2, arbitrary: call.map((tx): Step => ["eth_signTransaction", [tx]]) },
  { weight: 1, arbitrary: call.map((tx): Step => ["eth_fillTransaction", [tx]]) },
  { weight: 1, arbitrary: call.map((tx): Step => ["anvil_reorg", [1, [[tx, 0]]]]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          "evm_increaseTime",
          "evm_setTime",
          "evm_setNextBlockTimestamp",
          "anvil_setBlockTimestampInterval",
        ),
        integer(64),
      )
      .map(([method, time]): Step => [method, [time]]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 40 }), rare(integer(64)))
      .map(
        ([blocks, interval]): Step => [
          "hardhat_mine",
          [quantity(BigInt(blocks)), ...(interval === undefined ? [] : [interval])],
        ],
      ),
  },
  { weight: 1, arbitrary: integer(64).map((time): Step => ["evm_mine", [time]]) },
  { weight: 1, arbitrary: integer(256).map((fee): Step => ["anvil_setNextBlockBaseFeePerGas", [fee]]) },
  { weight: 1, arbitrary: integer(63).map((gas): Step => ["evm_setBlockGasLimit", [gas]]) },
  { weight: 1, arbitrary: fc.tuple(address, integer(256)).map((params): Step => ["anvil_setBalance", params]) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(NOBODY), integer(64)).map((params): Step => ["anvil_setNonce", params]),
  },
  { weight: 1, arbitrary: address.map((coinbase): Step => ["anvil_setCoinbase", [coinbase]]) },
);

const ask = (node: HindcastNode, method: string, ...params: unknown[]): Promise<unknown> =>
  node.provider.send(method, params);

/** Makes a step, or is refused in words: never by a fault of ours. Returns whether it was accepted. */
async function take(node: HindcastNode, [method, params]: Step): Promise<boolean> {
  try {
    const answer = await ask(node, method, ...params);
    const raw = typeof answer === "string" ? answer : ((answer as Json | null)?.raw as Hex | undefined);
    if (method === "eth_signTransaction") await ask(node, "eth_sendRawTransaction", raw);
    if (method === "eth_fillTransaction") {
      const rules = { chainId: 31_337n, isHomestead: true, isSpuriousDragon: true };
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

/** All blocks with transactions and receipts, in their JSON and raw forms, and the state of the accounts. */
async function contentOf(node: HindcastNode): Promise<unknown> {
  const content: unknown[] = [];
  for (let number = 0n; number <= node.head.header.number; number++) {
    for (const method of [
      "eth_getBlockByNumber",
      "debug_getRawBlock",
      "debug_getRawReceipts",
      "eth_getBlockReceipts",
    ]) {
      content.push(await ask(node, method, quantity(number), ...(method === "eth_getBlockByNumber" ? [true] : [])));
    }
    const block = content.at(-4) as { transactions: { hash: Hex; raw?: Hex }[] };
    for (const { hash } of block.transactions) {
      const raw = (await ask(node, "eth_getRawTransactionByHash", hash)) as Hex;
      content.push(raw, await ask(node, "eth_getTransactionByHash", hash));
    }
  }
  for (const account of [ALICE, BOB, NOBODY]) {
    content.push(
      await ask(node, "eth_getBalance", account, "latest"),
      await ask(node, "eth_getTransactionCount", account, "latest"),
    );
  }
  return content;
}

async function checkReadable(options: NodeOptions, steps: readonly Step[]): Promise<number> {
  const dataDir = await aFolder();
  const opened: HindcastNode[] = [];
  const open = async (more: NodeOptions): Promise<HindcastNode> => {
    const node = await createNode({ clock: () => NOW, mining: "auto", ...options, ...more });
    opened.push(node);
    return node;
  };
  try {
    const node = await open({ dataDir });
    let accepted = 0;
    for (const each of steps) if (await take(node, each)) accepted++;
    const content = await contentOf(node);
    const copy = await open({});
    await ask(copy, "anvil_loadState", await ask(node, "anvil_dumpState"));
    expect(await contentOf(copy)).toEqual(content);
    await node.close();
    const again = await open({ dataDir });
    expect(await contentOf(again)).toEqual(content);
    return accepted;
  } finally {
    await Promise.all(opened.map((node) => node.close()));
  }
}

it.each([
  ["wasm", "osaka"],
  ["wasm", "amsterdam"],
  ["wasm", "london"],
  ["ethereumjs", "prague"],
] as const)(
  "what is accepted is the same after a dump, in an opened folder, and raw (%s, %s)",
  async (engine, hardfork) => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        accepted += await checkReadable({ engine, hardfork }, steps);
      }),
      { numRuns: runs(100), endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(0);
  },
);
