/** The bytes of an entry of the stream: the operations of one batch of the store. */
import { ByteArena } from "../primitives/bytes/byte-arena.ts";
import { type Bytes, concatList } from "../primitives/bytes/bytes.ts";
import { keccak256 } from "../primitives/hash/hash.ts";
import { Breaks } from "../primitives/platform/turns.ts";
import type { BatchOperation } from "../store/backends/level-database.ts";

/** What an operation does; the first of its bytes. */
const Kind = { delete: 0, put: 1, putUnderHash: 2 } as const;

const HASH_BYTES = 32;
/** Operations between two checks whether to give way. */
const STEP = 512;
/** Bytes that are hashed at once. */
const PIECE = 256 * 1024;

/**
 * Encodes operations, one after another: the kind, then for {@link Kind.putUnderHash} the table and the hash, for others
 * the length of the key in two bytes and the key; puts end with the length of the value in four bytes and the value.
 *
 * Gives way to other work.
 *
 * @param operations - without deletions under hashes, of which a shared chain has none
 */
export async function encodeOperations(operations: readonly BatchOperation[]): Promise<Bytes> {
  const bytes = new Uint8Array(operations.reduce((length, operation) => length + lengthOf(operation), 0));
  const view = new DataView(bytes.buffer);
  const breaks = new Breaks();
  let at = 0;
  for (const [index, operation] of operations.entries()) {
    at = write(operation, bytes, view, at);
    const turn = index % STEP === STEP - 1 ? breaks.check() : undefined;
    if (turn !== undefined) await turn;
  }
  return bytes;
}

function lengthOf(operation: BatchOperation): number {
  const key = operation.table === undefined ? 2 + operation.key.length : 1 + HASH_BYTES;
  return 1 + key + (operation.type === "put" ? 4 + operation.value.length : 0);
}

function write(operation: BatchOperation, bytes: Bytes, view: DataView, start: number): number {
  const { key, table, type } = operation;
  let at = start;
  if (table !== undefined) {
    if (type === "del") throw new TypeError("encodeOperations: a shared chain deletes nothing under a hash");
    bytes[at] = Kind.putUnderHash;
    bytes[at + 1] = table;
    at += 2;
  } else {
    bytes[at] = type === "put" ? Kind.put : Kind.delete;
    view.setUint16(at + 1, key.length);
    at += 3;
  }
  bytes.set(key, at);
  at += key.length;
  if (type === "del") return at;
  view.setUint32(at, operation.value.length);
  bytes.set(operation.value, at + 4);
  return at + 4 + operation.value.length;
}

/**
 * The operations of {@link encodeOperations}. What is stored under hashes is a part of the given bytes, which must not be
 * changed. The rest is copied: a store in memory holds its keys, and each of them would keep the whole entry.
 *
 * @throws {RangeError} if the bytes end too early
 */
export function decodeOperations(bytes: Bytes): BatchOperation[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const operations: BatchOperation[] = [];
  const own = new ByteArena();
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at];
    const table = kind === Kind.putUnderHash ? view.getUint8(at + 1) : undefined;
    const keyStart = table === undefined ? at + 3 : at + 2;
    const keyEnd = keyStart + (table === undefined ? view.getUint16(at + 1) : HASH_BYTES);
    const key = bytes.subarray(keyStart, keyEnd);
    at = keyEnd;
    if (kind === Kind.delete) {
      operations.push({ type: "del", key });
      continue;
    }
    at += 4 + view.getUint32(keyEnd);
    if (at > bytes.length) throw new RangeError("an entry of the stream ends too early");
    const value = bytes.subarray(keyEnd + 4, at);
    if (table === undefined)
      operations.push({ type: "put", key: own.copy(key), value: own.copy(value), isGiven: true });
    else operations.push({ type: "put", table, key, value, isGiven: true });
  }
  return operations;
}

/** The hash of an entry's bytes: of the hashes of its pieces, so that long ones give way to other work. */
export async function digestOf(bytes: Bytes): Promise<Bytes> {
  if (bytes.length <= PIECE) return keccak256(bytes);
  const breaks = new Breaks();
  const digests: Bytes[] = [];
  for (let at = 0; at < bytes.length; at += PIECE) {
    digests.push(keccak256(bytes.subarray(at, at + PIECE)));
    const turn = breaks.check();
    if (turn !== undefined) await turn;
  }
  return keccak256(concatList(digests));
}
