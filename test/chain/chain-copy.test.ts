/** State files hold whole chains: what does not belong together is refused before anything is written. */
import { beforeAll, describe, expect, it } from "vitest";
import { type CopiedBlock, checkCopy } from "../../src/chain/chain-copy.ts";
import { ChainSpec } from "../../src/chainspec/chain-spec.ts";
import { parseGenesis } from "../../src/chainspec/genesis/genesis.ts";
import { makeBlock } from "../../src/chainspec/header/block.ts";
import type { Header } from "../../src/chainspec/header/header.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import { BOB, NOW, openNode } from "../support/a-node.ts";
import { send } from "../support/contracts.ts";

const FORKS = ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople", "petersburg", "istanbul"];
const blockForks = Object.fromEntries([...FORKS, "berlin", "london"].map((name) => [`${name}Block`, 0]));
const config = { chainId: 31_337, ...blockForks };
const spec = new ChainSpec(parseGenesis({ config, alloc: {} }));

let blocks: readonly CopiedBlock[];
let others: readonly CopiedBlock[];

async function copied(node: HindcastNode): Promise<CopiedBlock[]> {
  const list: CopiedBlock[] = [];
  for (let number = 0n; number <= node.head.header.number; number++) {
    const block = node.getBlock(number);
    if (block === undefined) throw new Error(`no block ${number}`);
    list.push({ block, receipts: (await node.getReceipts(block)) ?? [], startStateId: undefined, traceAddresses: [] });
  }
  return list;
}

/** With a transaction in the second block. */
async function aChain(timestamp: number): Promise<readonly CopiedBlock[]> {
  const node = await openNode({ hardfork: "london", timestamp });
  await node.mine();
  await send(node, { to: BOB });
  await node.mine({ blocks: 2 });
  const list = await copied(node);
  await node.close();
  return list;
}

beforeAll(async () => {
  blocks = await aChain(NOW);
  others = await aChain(NOW - 5);
});

const check = (list: readonly CopiedBlock[], pinned?: CopiedBlock): Promise<void> =>
  checkCopy(
    {
      blocks: list,
      trieNodes: [],
      codes: [],
      editedStateId: undefined,
      importedNumber: 0n,
      oldestState: 0n,
    },
    spec,
    pinned && { block: pinned.block, totalDifficulty: 0n },
  );

const at = (number: number, list = blocks): CopiedBlock => list[number] as CopiedBlock;
function withHeader(number: number, changes: Partial<Header>): CopiedBlock {
  const { header, transactions, uncles, withdrawals } = at(number).block;
  return { ...at(number), block: makeBlock({ ...header, ...changes }, { transactions, uncles, withdrawals }) };
}

describe("a copied chain", () => {
  it("is taken whole, and from a block that is there already", async () => {
    await check(blocks);
    await check(blocks.slice(2), at(1));
  });

  it("of no block is refused, unless there is a block that it goes on from", async () => {
    await expect(check([])).rejects.toThrow("It holds no block.");
    await check([], at(1));
  });

  it.each([
    ["with a gap", () => [at(0), at(1), at(3)], "Block 3: it follows block 1."],
    ["with a block twice", () => [at(0), at(1), at(1)], "Block 1: it follows block 1."],
    ["backwards", () => [at(1), at(0)], "Block 0: it follows block 1."],
    ["with a block of another chain", () => [at(0), at(1, others)], "Block 1: its parentHash is not the hash"],
    [
      "with a block of another chain further on",
      () => [at(0), at(1), at(2), at(3, others)],
      "Block 3: its parentHash is not the hash",
    ],
    [
      "with fewer receipts than transactions",
      () => [at(0), at(1), { ...at(2), receipts: [] }],
      "Block 2: it has 1 transactions and 0 receipts.",
    ],
    [
      "with receipts of another block",
      () => [at(0), at(1), { ...at(2), receipts: at(2).receipts.map((each) => ({ ...each, status: false })) }],
      "Block 2: receiptsRoot does not match its receipts.",
    ],
    [
      "with another root of transactions",
      () => [at(0), withHeader(1, { transactionsRoot: new Uint8Array(32) })],
      "Block 1: transactionsRoot does not match its transactions.",
    ],
    [
      "with another hash of uncles",
      () => [at(0), withHeader(1, { unclesHash: new Uint8Array(32) })],
      "Block 1: sha3Uncles does not match its uncles.",
    ],
  ])("%s is refused", async (_how, list, message) => {
    await expect(check(list())).rejects.toMatchObject({ code: "STATE_FILE_INVALID" });
    await expect(check(list())).rejects.toThrow(message);
  });

  it("that does not follow the block it goes on from is refused", async () => {
    await expect(check(blocks.slice(3), at(1))).rejects.toThrow("Block 3: it follows block 1.");
    await expect(check(blocks.slice(2), at(1, others))).rejects.toThrow("Block 2: its parentHash is not the hash");
  });

  it("whose headers have not the members of their hardforks is refused", async () => {
    const late = withHeader(0, { withdrawalsRoot: new Uint8Array(32) });
    await expect(check([late])).rejects.toMatchObject({ code: "STATE_FILE_MISMATCH" });
    await expect(check([late])).rejects.toThrow("Block 0 has a withdrawalsRoot, which london does not know.");
    const early = withHeader(0, { baseFeePerGas: undefined });
    await expect(check([early])).rejects.toThrow("Block 0 has no baseFeePerGas, which london demands.");
  });
});
