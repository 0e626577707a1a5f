/**
 * Finds the ether and tokens that a transaction moved between accounts: ether from calls, creations and self-destructs,
 * tokens from the events of ERC-20, ERC-721 and ERC-1155. A token transfer without such an event is not found. The gas
 * fee is not included.
 */
import { runsForeignCode } from "../evm/frames.ts";
import { type Bytes, bytesKey, bytesToBigInt } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { once } from "../primitives/once.ts";
import type { Steps } from "../primitives/platform/turns.ts";
import type { Log } from "../primitives/rlp/log-list.ts";
import type { CallFrame } from "../tracer/recording.ts";

/** Ether, or the standard whose event shows the transfer. */
export type AssetKind = "ether" | "erc20" | "erc721" | "erc1155";

/** Ether, a fungible token, or one token id. */
export interface Asset {
  readonly kind: AssetKind;
  /** The token's contract; undefined for ether. */
  readonly token: Bytes | undefined;
  /** For ERC-721 and ERC-1155; undefined otherwise. */
  readonly tokenId: bigint | undefined;
}

/** One transfer, in the order in which they happened. */
export interface AssetMove extends Asset {
  /** The zero address for a mint. */
  readonly from: Bytes;
  /** The zero address for a burn. */
  readonly to: Bytes;
  /** wei, units of the token, or 1 for an ERC-721. */
  readonly amount: bigint;
  /** Index of the call frame in its recording. */
  readonly callFrame: number;
}

/** The net change of one account's balance of one asset. */
export interface AssetChange extends Asset {
  readonly account: Bytes;
  /** Negative if the account lost it. */
  readonly amount: bigint;
}

const WORD_BYTES = 32;
const ADDRESS_START = 12;

const topics = once(() => {
  const topicOf = (signature: string): string => bytesKey(keccak256(new TextEncoder().encode(signature)));
  return {
    transfer: topicOf("Transfer(address,address,uint256)"),
    single: topicOf("TransferSingle(address,address,address,uint256,uint256)"),
    batch: topicOf("TransferBatch(address,address,address,uint256[],uint256[])"),
  };
});

/**
 * Lists the moves in order. Moves of failed frames are left out. The ether of a frame comes before the moves inside it.
 *
 * @param frames - recorded with their logs
 */
export function* assetMoves(frames: readonly CallFrame[]): Steps<readonly AssetMove[]> {
  const failed: boolean[] = [];
  const moves: AssetMove[] = [];
  for (const frame of frames) {
    failed[frame.index] = frame.error !== undefined || failed[frame.parent] === true;
    if (failed[frame.index] !== true) moves.push(...movesOf(frame));
    yield;
  }
  return moves;
}

/** Sums up the moves by account and asset; leaves out sums of zero. */
export function assetChanges(moves: readonly AssetMove[]): readonly AssetChange[] {
  const changes = new Map<string, { readonly asset: Asset; readonly account: Bytes; amount: bigint }>();
  const add = (account: Bytes, { kind, token, tokenId }: Asset, amount: bigint): void => {
    const key = `${bytesKey(account)}:${kind}:${token === undefined ? "" : bytesKey(token)}:${tokenId}`;
    const change = changes.get(key) ?? { asset: { kind, token, tokenId }, account, amount: 0n };
    change.amount += amount;
    changes.set(key, change);
  };
  for (const move of moves) {
    add(move.from, move, -move.amount);
    add(move.to, move, move.amount);
  }
  return [...changes.values()]
    .filter(
      ({ account, asset, amount }) =>
        amount !== 0n && (asset.token === undefined || account.some((byte) => byte !== 0)),
    )
    .map(({ account, asset, amount }) => ({ account, ...asset, amount }));
}

function movesOf(frame: CallFrame): readonly AssetMove[] {
  return [...etherOf(frame), ...frame.logs.flatMap((log) => tokensOf(log, frame.index))];
}

function etherOf({ kind, from, to, value, selfDestruct, index }: CallFrame): readonly AssetMove[] {
  const ether = { kind: "ether", token: undefined, tokenId: undefined, callFrame: index } as const;
  const moves: AssetMove[] = [];
  if (value > 0n && to !== undefined && !runsForeignCode(kind)) moves.push({ ...ether, from, to, amount: value });
  if (selfDestruct !== undefined && selfDestruct.balance > 0n) {
    const { address, beneficiary, balance } = selfDestruct;
    if (bytesKey(address) !== bytesKey(beneficiary))
      moves.push({ ...ether, from: address, to: beneficiary, amount: balance });
  }
  return moves;
}

function tokensOf({ address: token, topics: given, data }: Log, callFrame: number): readonly AssetMove[] {
  const [signature, first, second, third] = given;
  if (signature === undefined || first === undefined || second === undefined) return [];
  const key = bytesKey(signature);
  const { transfer, single, batch } = topics();
  if (key === transfer) {
    const move = { token, from: addressIn(first), to: addressIn(second), callFrame };
    if (third !== undefined && data.length === 0) {
      return [{ ...move, kind: "erc721", tokenId: bytesToBigInt(third), amount: 1n }];
    }
    if (third !== undefined || data.length !== WORD_BYTES) return [];
    return [{ ...move, kind: "erc20", tokenId: undefined, amount: bytesToBigInt(data) }];
  }
  if (third === undefined) return [];
  const move = { kind: "erc1155", token, from: addressIn(second), to: addressIn(third), callFrame } as const;
  if (key === single && data.length === 2 * WORD_BYTES) {
    return [{ ...move, tokenId: wordAt(data, 0), amount: wordAt(data, WORD_BYTES) }];
  }
  if (key !== batch) return [];
  const [ids, amounts] = [wordsAt(data, 0), wordsAt(data, WORD_BYTES)];
  return ids.map((tokenId, index) => ({ ...move, tokenId, amount: amounts[index] ?? 0n }));
}

function addressIn(topic: Bytes): Bytes {
  return topic.subarray(ADDRESS_START);
}

function wordAt(data: Bytes, offset: number): bigint {
  return bytesToBigInt(data.subarray(offset, offset + WORD_BYTES));
}

/** Reads an ABI-encoded list of words, as far as the data goes. */
function wordsAt(data: Bytes, offset: number): readonly bigint[] {
  const start = Number(wordAt(data, offset));
  if (start + WORD_BYTES > data.length) return [];
  const room = Math.floor((data.length - start) / WORD_BYTES) - 1;
  const length = Math.min(Number(wordAt(data, start)), room);
  return Array.from({ length }, (_, index) => wordAt(data, start + (index + 1) * WORD_BYTES));
}
