/**
 * Checks every stored block against its hash, and its body, receipts and access list against the roots in its header.
 */
import { hashUncles, rawBodyFromList, withdrawalItem } from "../../chainspec/header/block.ts";
import { decodeHeader, type Header } from "../../chainspec/header/header.ts";
import { decodeFields } from "../../chainspec/transaction/decode-transaction.ts";
import { encodeReceipts, type Receipt } from "../../chainspec/transaction/receipt.ts";
import { type Bytes, bigIntToBytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { HashMap } from "../../primitives/bytes/hash-map.ts";
import { maxBigInt } from "../../primitives/bytes/limits.ts";
import { EMPTY_UNCLES_HASH, keccak256 } from "../../primitives/hash/hash.ts";
import { Breaks } from "../../primitives/platform/turns.ts";
import { decodeRlp, encodeRlp, type RlpItem } from "../../primitives/rlp/rlp.ts";
import { listRoot } from "../../state/trie/list-root.ts";
import type { ChainStore } from "../../store/chain-store.ts";
import { blockAtNumberKey, hashKey } from "../../store/codecs/keys.ts";
import { encodeHashes } from "../../store/codecs/values.ts";
import { attempt, type Findings, failureOf, readable } from "./findings.ts";

/** The facts about a block with a correct header that later checks need. */
export interface KnownBlock {
  readonly hash: Bytes;
  readonly number: bigint;
  readonly parentHash: Bytes;
  readonly stateRoot: Bytes;
  readonly difficulty: bigint;
  /** undefined if the body is damaged. */
  readonly txHashes: readonly Bytes[] | undefined;
  readonly hasReceipts: boolean;
}

/** All blocks with a correct header, by hash and sorted by number. */
export interface KnownBlocks {
  readonly byHash: HashMap<KnownBlock>;
  /** Ascending by number. */
  readonly sorted: readonly KnownBlock[];
}

/**
 * Checks headers, bodies, receipts and access lists.
 *
 * @param genesisHash - hash of the chain's first block, the only one without a parent
 */
export async function checkBlocks(store: ChainStore, genesisHash: Bytes, findings: Findings): Promise<KnownBlocks> {
  const byHash = new HashMap<KnownBlock>();
  const list: KnownBlock[] = [];
  const breaks = new Breaks();
  for await (const { key, value } of readable(store, "headers", findings)) {
    const turn = breaks.check();
    if (turn !== undefined) await turn;
    const hash = key.slice(1);
    const header = attempt(() => decodeHeader(value));
    if (!equalBytes(keccak256(value), hash)) {
      findings.add("headers", key, "does not have the hash it stands under");
      continue;
    }
    if (header === undefined) {
      const reason = failureOf(() => decodeHeader(value));
      findings.add("headers", key, `cannot be read (${reason})`, { kind: "remove", blockHash: hash });
      continue;
    }
    const block = checkBlock(store, hash, header, findings);
    byHash.set(hash, block);
    list.push(block);
  }
  const sorted = list.sort((left, right) => (left.number < right.number ? -1 : left.number > right.number ? 1 : 0));
  checkAncestry(store, { byHash, sorted }, genesisHash, findings);
  return { byHash, sorted };
}

function checkBlock(store: ChainStore, hash: Bytes, header: Header, findings: Findings): KnownBlock {
  const txHashes = checkBody(store, hash, header, findings);
  const { number, parentHash, stateRoot, difficulty } = header;
  const hasReceipts = txHashes !== undefined && checkReceipts(store, hash, header, txHashes, findings);
  checkAccessList(store, hash, header, findings);
  return { hash, number, parentHash, stateRoot, difficulty, txHashes, hasReceipts };
}

/** @returns hashes of the block's transactions; undefined for a damaged body */
function checkBody(store: ChainStore, hash: Bytes, header: Header, findings: Findings): readonly Bytes[] | undefined {
  const key = hashKey("bodies", hash);
  const bytes = attempt(() => store.getRaw("bodies", key));
  const body = bytes && attempt(() => rawBodyFromList(decodeRlp(bytes) as unknown[]));
  if (body === undefined) {
    findings.add("bodies", key, bytes === undefined ? "is not there" : "is not a body of a block");
    return undefined;
  }
  const items = body.transactions.map((item) => (item instanceof Uint8Array ? item : encodeRlp(item as RlpItem)));
  const roots: readonly (readonly [string, Bytes | undefined, Bytes | undefined])[] = [
    ["transactions", header.transactionsRoot, listRoot(items)],
    ["uncles", header.unclesHash, hashUncles(body.uncles)],
    ["withdrawals", header.withdrawalsRoot, body.withdrawals && listRoot(body.withdrawals.map(withdrawalItem))],
  ];
  const wrong = roots.filter(([, expected, found]) => !areEqual(expected, found)).map(([name]) => name);
  if (wrong.length > 0) {
    findings.add("bodies", key, `has other ${wrong.join(" and ")} than its header says`);
    return undefined;
  }
  const unreadable = items.map((item) => failureOf(() => decodeFields(item))).find((failure) => failure !== undefined);
  if (unreadable !== undefined) {
    findings.add("bodies", key, `cannot be read (${unreadable})`, { kind: "remove", blockHash: hash });
  }
  const txHashes = items.map((item) => keccak256(item));
  expectValue(store, "txHashes", hash, txHashes.length === 0 ? undefined : encodeHashes(txHashes), findings);
  return txHashes;
}

function checkReceipts(
  store: ChainStore,
  hash: Bytes,
  header: Header,
  txHashes: readonly Bytes[],
  findings: Findings,
): boolean {
  const key = hashKey("receipts", hash);
  if (txHashes.length === 0) return true;
  const receipts = attempt(() => store.getReceipts(hash));
  if (receipts?.length === txHashes.length && areReceiptsOf(header, receipts)) return true;
  const isThere = attempt(() => store.getRaw("receipts", key)) !== undefined;
  const what = isThere ? "has other receipts than its header says" : "is not there";
  findings.add("receipts", key, what, { kind: "execute", blockHash: hash });
  return false;
}

function areReceiptsOf(header: Header, receipts: readonly Receipt[]): boolean {
  return equalBytes(listRoot(encodeReceipts(receipts)), header.receiptsRoot) && addsUp(header, receipts);
}

/** The root does not cover gas in two dimensions, but the larger sum is the block's gas (EIP-8037). */
function addsUp({ gasUsed }: Header, receipts: readonly Receipt[]): boolean {
  let execution = 0n;
  let state = 0n;
  for (const { dimensions } of receipts) {
    if (dimensions === undefined) return true;
    execution += dimensions.executionGasUsed;
    state += dimensions.stateGasUsed;
  }
  return gasUsed === maxBigInt(execution, state);
}

function checkAccessList(store: ChainStore, hash: Bytes, header: Header, findings: Findings): void {
  const { blockAccessListHash } = header;
  // The access list of a block that changes nothing is not stored.
  if (blockAccessListHash === undefined || equalBytes(blockAccessListHash, EMPTY_UNCLES_HASH)) return;
  const key = hashKey("blockAccessLists", hash);
  const found = attempt(() => store.getRaw("blockAccessLists", key));
  if (found !== undefined && equalBytes(keccak256(found), blockAccessListHash)) return;
  const what = found === undefined ? "is not there" : "does not have the hash that its header says";
  findings.add("blockAccessLists", key, what, { kind: "execute", blockHash: hash });
}

/**
 * Checks that each block has its parent, its total difficulty and its entry by number. Total difficulties above a
 * missing block are not checked, because that block's own may be wrong.
 */
function checkAncestry(
  store: ChainStore,
  { byHash, sorted }: KnownBlocks,
  genesisHash: Bytes,
  findings: Findings,
): void {
  const totals = new HashMap<bigint>();
  for (const { hash, number, parentHash, difficulty } of sorted) {
    const isGenesis = equalBytes(hash, genesisHash);
    if (!isGenesis && byHash.get(parentHash) === undefined) {
      findings.add("headers", hashKey("headers", hash), `has a parent that is not there: block ${number - 1n}`);
    }
    const before = isGenesis ? 0n : totals.get(parentHash);
    if (before !== undefined) {
      totals.set(hash, before + difficulty);
      expectValue(store, "totalDifficulties", hash, bigIntToBytes(before + difficulty), findings);
    }
    const placeKey = blockAtNumberKey(number, hash);
    const found = attempt(() => store.getRaw("blocksByNumber", placeKey));
    if (!areEqual(found, parentHash)) findings.addWrong("blocksByNumber", placeKey, found, parentHash);
  }
}

function expectValue(
  store: ChainStore,
  table: "txHashes" | "totalDifficulties",
  hash: Bytes,
  right: Bytes | undefined,
  findings: Findings,
): void {
  const key = hashKey(table, hash);
  const found = attempt(() => store.getRaw(table, key));
  if (!areEqual(found, right)) findings.addWrong(table, key, found, right);
}

/** True if both are the same bytes, or both undefined. */
export function areEqual(left: Bytes | undefined, right: Bytes | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return equalBytes(left, right);
}
