import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeData } from "../../../../src/primitives/bytes/hex.ts";
import {
  addressText,
  type Client,
  type Json,
  openNode,
  quantity,
  type ServedNode,
  serve,
} from "../../../support/a-node.ts";
import { blockHashOf, blockSizeOf, unclesHashOf } from "../../../support/block-json.ts";

const MINER = addressText(0xaa);
const SIDE_MINER = addressText(0xbb);
const EXTRA = "0x736964652d626c6f636b";
const GENESIS_DIFFICULTY = 131_072n;

/** A block object's members for an uncle, by the document. */
const MEMBERS = [
  ["number", "hash", "parentHash", "nonce", "sha3Uncles", "logsBloom", "transactionsRoot", "stateRoot"],
  ["receiptsRoot", "miner", "difficulty", "totalDifficulty", "extraData", "size", "gasLimit", "gasUsed"],
  ["timestamp", "uncles", "mixHash", "transactions"],
].flat();

describe.each(["frontier", "homestead", "byzantium", "constantinople", "london"])("uncle lookups (%s)", (hardfork) => {
  let served: ServedNode;
  let including: Json;
  let side: Json;

  beforeAll(async () => {
    served = await serve(await openNode({ hardfork, coinbase: MINER }));
    const { node, plain } = served;
    await node.mine({ blocks: 3 });
    const sideBlock = await node.mineSideBlock({ coinbase: decodeData(SIDE_MINER), extraData: decodeData(EXTRA) });
    await node.mine({ uncles: [sideBlock.header] });
    await node.mine();
    including = await plain.ask<Json>("eth_getBlockByNumber", "0x4", false);
    side = await plain.ask<Json>("eth_getUncleByBlockNumberAndIndex", "0x4", "0x0");
  });
  afterAll(() => served.node.close());

  it("give exactly the twenty members of the document, at both address forms alike", async () => {
    expect(MEMBERS).toHaveLength(20);
    expect(Object.keys(side).sort()).toEqual([...MEMBERS].sort());
    expect(await served.parity.ask("eth_getUncleByBlockNumberAndIndex", "0x4", "0x0")).toEqual(side);
  });

  it("give each member in its form: QUANTITY without leading zeros, DATA of its size", () => {
    const sizes = { hash: 32, parentHash: 32, nonce: 8, sha3Uncles: 32, logsBloom: 256, transactionsRoot: 32 };
    const more = { stateRoot: 32, receiptsRoot: 32, miner: 20, mixHash: 32 };
    for (const [name, bytes] of Object.entries({ ...sizes, ...more })) {
      expect(side[name], name).toMatch(new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`));
    }
    for (const name of ["number", "difficulty", "totalDifficulty", "size", "gasLimit", "gasUsed", "timestamp"]) {
      expect(side[name], name).toMatch(/^0x(0|[1-9a-f][0-9a-f]*)$/);
    }
    expect(side.extraData).toBe(EXTRA);
    expect(side.miner).toBe(SIDE_MINER);
    expect(side.uncles).toEqual([]);
    expect(side.transactions).toEqual([]);
  });

  it("find the same uncle by the including block's number, its hash and a tag", async () => {
    const { plain } = served;
    expect(await plain.ask("eth_getUncleByBlockHashAndIndex", including.hash, "0x0")).toEqual(side);
    await served.node.rollback(1);
    expect(await plain.ask("eth_getUncleByBlockNumberAndIndex", "latest", "0x0")).toEqual(side);
    await served.node.mine();
  });

  it("give the header that the including block committed to", async () => {
    expect(including.uncles).toEqual([side.hash]);
    expect(side.number).toBe("0x3");
    expect(side.parentHash).toBe(((await served.plain.ask("eth_getBlockByNumber", "0x2", false)) as Json).hash);
    // A London header has a base fee, which is none of the twenty members; the side block itself shows it.
    const { baseFeePerGas } = await served.plain.ask<Json>("eth_getBlockByHash", side.hash, false);
    const header = { ...side, baseFeePerGas };
    expect(blockHashOf(header)).toBe(side.hash);
    expect(unclesHashOf([header])).toBe(including.sha3Uncles);
    expect(side.size).toBe(quantity(blockSizeOf(header)));
  });

  it("give the total difficulty of the chain up to the uncle, the uncle included", async () => {
    const { parity } = served;
    let total = GENESIS_DIFFICULTY;
    for (const number of ["0x1", "0x2"]) {
      const block = await parity.ask<Json>("eth_getBlockByNumber", number, false);
      total += BigInt(block.difficulty as string);
      expect(block.totalDifficulty).toBe(quantity(total));
    }
    expect(side.totalDifficulty).toBe(quantity(total + BigInt(side.difficulty as string)));
  });

  it("give null for an unknown block, an unknown index, the pending block and a block without uncles", async () => {
    const { plain } = served;
    const byNumber = (...params: unknown[]): Promise<unknown> =>
      plain.ask("eth_getUncleByBlockNumberAndIndex", ...params);
    expect(await byNumber("0x4", "0x1")).toBeNull();
    expect(await byNumber("0x99", "0x0")).toBeNull();
    expect(await byNumber("0x3", "0x0")).toBeNull();
    expect(await byNumber("earliest", "0x0")).toBeNull();
    expect(await byNumber("pending", "0x0")).toBeNull();
    expect(await plain.ask("eth_getUncleByBlockHashAndIndex", `0x${"12".repeat(32)}`, "0x0")).toBeNull();
    expect(await plain.ask("eth_getUncleByBlockHashAndIndex", including.hash, "0x1")).toBeNull();
    // An uncle's own hash names a side block, which has no uncles.
    expect(await plain.ask("eth_getUncleByBlockHashAndIndex", side.hash, "0x0")).toBeNull();
  });
});

describe("two uncles", () => {
  it("are told apart by their index", async () => {
    const served = await serve(await openNode({ hardfork: "petersburg" }));
    const { node, plain } = served;
    await node.mine({ blocks: 4 });
    const sides = [
      await node.mineSideBlock({ coinbase: decodeData(addressText(1)) }),
      await node.mineSideBlock({ coinbase: decodeData(addressText(2)) }),
    ];
    await node.mine({ uncles: sides.map(({ header }) => header) });
    const miners = await Promise.all(["0x0", "0x1"].map((index) => minerOf(plain, index)));
    expect(miners).toEqual([addressText(1), addressText(2)]);
    await node.close();
  });
});

async function minerOf(plain: Client, index: string): Promise<unknown> {
  const uncle = await plain.ask<Json>("eth_getUncleByBlockNumberAndIndex", "latest", index);
  return uncle.miner;
}
