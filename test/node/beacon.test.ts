/** Blobs over REST, by the Beacon API, as rollups read them: fetched over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hex } from "../../src/primitives/bytes/hex.ts";
import { aServedNode, NOW, openNode, type ServedNode, serve, wordText } from "../support/a-node.ts";
import { blobTransaction } from "../support/payload-blobs.ts";
import { blobs } from "../support/signed-transactions.ts";

let served: ServedNode;
let hashes: Hex[];
let block: { readonly hash: Hex; readonly number: Hex };
const [blob] = blobs(0).blobs as unknown as [{ readonly data: Hex }];

const get = async (path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(new URL(`/eth/v1/beacon/${path}`, served.url), { headers });
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    bytes: new Uint8Array(await reply.arrayBuffer()),
  };
};
const json = async (path: string): Promise<Record<string, unknown>> => {
  const { status, bytes } = await get(path);
  return { status, ...(JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>) };
};

beforeAll(async () => {
  served = await serve(await openNode({ hardfork: "cancun", timestamp: NOW }));
  const { node, plain } = served;
  await plain.ask("eth_sendRawTransaction", blobTransaction(node, 0));
  block = await plain.ask("eth_getBlockByNumber", "latest", false);
  const tx = await plain.ask<{ blobVersionedHashes: Hex[] }>(
    "eth_getTransactionByBlockNumberAndIndex",
    "latest",
    "0x0",
  );
  hashes = tx.blobVersionedHashes;
});
afterAll(() => served.node.close());

describe("/eth/v1/beacon/blobs", () => {
  it.each(["head", "1", "block hash"])("gives the blobs of the block %s", async (id) => {
    const expected = { status: 200, execution_optimistic: false, finalized: false, data: [blob.data] };
    expect(await json(`blobs/${id === "block hash" ? block.hash : id}`)).toEqual(expected);
  });

  it("gives none of a block without any, and says where blocks are final", async () => {
    expect(await json("blobs/genesis")).toEqual({
      status: 200,
      execution_optimistic: false,
      finalized: true,
      data: [],
    });
    expect(await json("blobs/finalized")).toMatchObject({ status: 200, data: [] });
    expect(await json("blobs/justified")).toMatchObject({ status: 200, data: [] });
  });

  it("gives those with versioned hashes, which are repeated or have commas between them", async () => {
    const [known] = hashes as [Hex];
    const other = wordText(7);
    const data = async (query: string) => (await json(`blobs/head?${query}`)).data;
    expect(await data(`versioned_hashes=${known}`)).toEqual([blob.data]);
    expect(await data(`versioned_hashes=${other}`)).toEqual([]);
    expect(await data(`versioned_hashes=${other}&versioned_hashes=${known.toUpperCase().replace("0X", "0x")}`)).toEqual(
      [blob.data],
    );
    expect(await data(`versioned_hashes=${other},${known}`)).toEqual([blob.data]);
    expect(await data(`versioned_hashes=${other}%2C${known}`)).toEqual([blob.data]);
  });

  it("gives bytes to those who accept them", async () => {
    const { type, bytes } = await get("blobs/head", { accept: "application/octet-stream" });
    expect(type).toBe("application/octet-stream");
    expect(`0x${Buffer.from(bytes).toString("hex")}`).toBe(blob.data);
  });

  it("says what is wrong as the Beacon API does", async () => {
    expect(await json("blobs/99")).toEqual({ status: 404, code: 404, message: "Block not found" });
    expect(await json(`blobs/${wordText(1)}`)).toMatchObject({ status: 404 });
    for (const id of ["latest", "-1", "0x12", "1e3", "__proto__", "%00"]) {
      expect(await json(`blobs/${id}`)).toMatchObject({ status: 400, code: 400 });
    }
    expect(await json("blobs/head?versioned_hashes=0x12")).toMatchObject({ status: 400 });
    expect(await json("blobs/head?versioned_hashes=")).toMatchObject({ status: 400 });
    expect(await json("blob_sidecars/head")).toMatchObject({
      status: 410,
      message: expect.stringContaining("/blobs/"),
    });
    expect(await json("headers")).toMatchObject({ status: 404 });
    expect(await json("blobs/head/more")).toMatchObject({ status: 404 });
  });

  it("says that blobs are not there, not that there were none, of a block that came without them", async () => {
    const importing = await aServedNode({ hardfork: "cancun", timestamp: NOW });
    await importing.node.importChain(Buffer.concat([...served.node.exportChain()]));
    const reply = await fetch(new URL("/eth/v1/beacon/blobs/1", importing.url));
    expect(reply.status).toBe(404);
    expect(await reply.json()).toEqual({ code: 404, message: expect.stringContaining("not among the last") });
  });
});

it("/eth/v1/beacon/genesis gives the time of the first block", async () => {
  expect(await json("genesis")).toEqual({
    status: 200,
    data: {
      genesis_time: String(NOW),
      genesis_validators_root: wordText(0),
      genesis_fork_version: "0x00000000",
    },
  });
});
