/** RLP of long lists in pieces, for files that are written piece by piece. */
import type { Bytes } from "../bytes/bytes.ts";
import { encodeRlp, type RlpItem } from "./rlp.ts";
import { LIST, lengthWithHead, stringLength, writeHead } from "./rlp-head.ts";

/** The RLP of an item. */
export interface RlpPieces {
  /** Bytes of all pieces. */
  readonly length: number;
  /** In order. Most are made when they are taken. */
  readonly pieces: Iterable<Bytes>;
}

/** Longest list: lengths have four bytes at most. */
const MAX_LENGTH = 2 ** 32;

/** An item as one piece, which is made at once. */
export function rlpPiece(item: RlpItem): RlpPieces {
  const bytes = encodeRlp(item);
  return { length: bytes.length, pieces: [bytes] };
}

/**
 * A list of items that are in pieces.
 *
 * @throws {RangeError} for a list of 2^32 bytes or more
 */
export function listInPieces(members: readonly RlpPieces[]): RlpPieces {
  const length = members.reduce((sum, member) => sum + member.length, 0);
  return list(length, function* () {
    for (const { pieces } of members) yield* pieces;
  });
}

/**
 * A list of byte strings, which must not be changed before their pieces are taken.
 *
 * @throws {RangeError} for a list of 2^32 bytes or more
 */
export function byteListInPieces(strings: readonly Bytes[]): RlpPieces {
  const length = strings.reduce((sum, string) => sum + stringLength(string), 0);
  return list(length, function* () {
    for (const string of strings) yield encodeRlp(string);
  });
}

function list(length: number, members: () => Iterable<Bytes>): RlpPieces {
  if (length >= MAX_LENGTH) throw new RangeError(`a list of ${length} bytes`);
  const head = new Uint8Array(lengthWithHead(length) - length);
  writeHead(head, 0, LIST, length);
  const pieces = {
    *[Symbol.iterator]() {
      yield head;
      yield* members();
    },
  };
  return { length: head.length + length, pieces };
}
