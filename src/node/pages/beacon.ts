/**
 * The part of the Beacon API that programs ask for blobs: rollups derive their chain from them. A slot is a block's number here,
 * and a block root its hash, as in Anvil.
 */
import type { BlockId, BlockTag } from "../../chain/blocks/block-id.ts";
import { concatList } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, isData } from "../../primitives/bytes/hex.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { PageContent, PageRequest } from "../../server/http/http-server.ts";

const JSON_TYPE = "application/json";
const BYTES_TYPE = "application/octet-stream";
const WORD_LENGTH = 66;
/** The tags of the Beacon API. */
const TAGS: Readonly<Record<string, BlockTag>> = {
  head: "latest",
  genesis: "earliest",
  finalized: "finalized",
  justified: "safe",
};

/**
 * Answers a request. What is wrong with it is said as the Beacon API says it: the status, and an object of code and message.
 *
 * @param path - what follows `/eth/v1/beacon/`
 */
export function answerBeacon(context: RpcContext, path: string, request: PageRequest): Promise<PageContent> {
  const [resource = "", id, ...rest] = path.split("/");
  if (rest.length === 0 && resource === "genesis" && id === undefined) return genesis(context);
  if (rest.length === 0 && id !== undefined) {
    if (resource === "blobs") return blobsOf(context, id, request);
    if (resource === "blob_sidecars") return Promise.resolve(failure(410, USE_BLOBS));
  }
  return Promise.resolve(failure(404, "This node serves /eth/v1/beacon/genesis and /eth/v1/beacon/blobs/{block_id}."));
}

const USE_BLOBS =
  "Sidecars with proofs are no longer served. GET /eth/v1/beacon/blobs/{block_id}?versioned_hashes=… gives the blobs.";

async function genesis({ blocks }: RpcContext): Promise<PageContent> {
  const first = await blocks.block({ tag: "earliest" });
  return json({
    data: {
      genesis_time: String(first?.block.header.timestamp ?? 0n),
      // There is no consensus layer: neither validators nor versions of its forks.
      genesis_validators_root: `0x${"00".repeat(32)}`,
      genesis_fork_version: "0x00000000",
    },
  });
}

async function blobsOf({ blocks, blobs }: RpcContext, text: string, request: PageRequest): Promise<PageContent> {
  const id = blockIdOf(text);
  if (id === undefined) return failure(400, `Invalid block ID: ${text.slice(0, 80)}`);
  // Programs repeat the parameter, or put commas between hashes.
  const wanted = request.query.getAll("versioned_hashes").flatMap((hashes) => hashes.split(","));
  const wrong = wanted.find((hash) => !isWord(hash));
  if (wrong !== undefined) return failure(400, `Invalid versioned hash: ${wrong.slice(0, 80)}`);
  const view = await blocks.block(id);
  if (view === undefined || view.isPending) return failure(404, "Block not found");
  const isWanted = new Set(wanted.map((hash) => hash.toLowerCase()));
  const found: Uint8Array[] = [];
  for (const { hash, blobVersionedHashes } of view.block.transactions) {
    const own = blobVersionedHashes.length === 0 ? [] : blobs.ofTransaction(hash);
    if (own === undefined) return failure(404, "The blobs of this block are not among the last that the node keeps");
    for (const [index, versionedHash] of blobVersionedHashes.entries()) {
      const blob = own[index];
      if (blob !== undefined && (wanted.length === 0 || isWanted.has(encodeData(versionedHash)))) found.push(blob);
    }
  }
  if (request.accept.includes(BYTES_TYPE)) return { contentType: BYTES_TYPE, body: concatList(found) };
  const last = await blocks.block({ tag: "finalized" });
  const finalized = last !== undefined && view.block.header.number <= last.block.header.number;
  return json({ execution_optimistic: false, finalized, data: found.map(encodeData) });
}

function blockIdOf(text: string): BlockId | undefined {
  const tag = Object.hasOwn(TAGS, text) ? TAGS[text] : undefined;
  if (tag !== undefined) return { tag };
  if (isWord(text)) return { hash: decodeData(text as `0x${string}`), requireCanonical: false };
  return /^\d{1,15}$/.test(text) ? { number: BigInt(text) } : undefined;
}

const isWord = (text: string): boolean => text.length === WORD_LENGTH && isData(text);

const json = (value: unknown, status = 200): PageContent => ({
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(value),
});

const failure = (code: number, message: string): PageContent => json({ code, message }, code);
