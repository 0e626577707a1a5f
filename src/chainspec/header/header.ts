/** Block headers: shape, RLP, hash (yellow paper §4.4; later members by EIP-1559, 4895, 4844, 4788, 7685, 7928, 7843). */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type Bytes, bigIntToBytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { MAX_UINT64, MAX_UINT256, maxBigInt } from "../../primitives/bytes/limits.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { decodeRlp } from "../../primitives/rlp/rlp.ts";
import { RlpWriter } from "../../primitives/rlp/rlp-writer.ts";

/** A block header. Members of later hardforks are undefined before them. Immutable. */
export interface Header {
  readonly parentHash: Bytes;
  readonly unclesHash: Bytes;
  readonly coinbase: Bytes;
  readonly stateRoot: Bytes;
  readonly transactionsRoot: Bytes;
  readonly receiptsRoot: Bytes;
  /** 256 bytes */
  readonly logsBloom: Bytes;
  readonly difficulty: bigint;
  readonly number: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** seconds */
  readonly timestamp: bigint;
  readonly extraData: Bytes;
  /** 32 bytes; PREVRANDAO from the Merge on. */
  readonly mixHash: Bytes;
  /** 8 bytes */
  readonly nonce: Bytes;
  /** wei per gas; from London on. */
  readonly baseFeePerGas?: bigint | undefined;
  /** From Shanghai on. */
  readonly withdrawalsRoot?: Bytes | undefined;
  /** From Cancun on. */
  readonly blobGasUsed?: bigint | undefined;
  readonly excessBlobGas?: bigint | undefined;
  readonly parentBeaconBlockRoot?: Bytes | undefined;
  /** From Prague on. */
  readonly requestsHash?: Bytes | undefined;
  /** keccak256 of the block access list; from EIP-7928 on. */
  readonly blockAccessListHash?: Bytes | undefined;
  /** Consensus layer slot of the block; from EIP-7843 on. */
  readonly slotNumber?: bigint | undefined;
}

/** The header as a list of byte strings for RLP. */
export function headerToList(header: Header): Bytes[] {
  const list = [
    header.parentHash,
    header.unclesHash,
    header.coinbase,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.logsBloom,
    bigIntToBytes(header.difficulty),
    bigIntToBytes(header.number),
    bigIntToBytes(header.gasLimit),
    bigIntToBytes(header.gasUsed),
    bigIntToBytes(header.timestamp),
    header.extraData,
    header.mixHash,
    header.nonce,
  ];
  if (header.baseFeePerGas !== undefined) list.push(bigIntToBytes(header.baseFeePerGas));
  if (header.withdrawalsRoot !== undefined) list.push(header.withdrawalsRoot);
  if (header.blobGasUsed !== undefined) list.push(bigIntToBytes(header.blobGasUsed));
  if (header.excessBlobGas !== undefined) list.push(bigIntToBytes(header.excessBlobGas));
  if (header.parentBeaconBlockRoot !== undefined) list.push(header.parentBeaconBlockRoot);
  if (header.requestsHash !== undefined) list.push(header.requestsHash);
  if (header.blockAccessListHash !== undefined) list.push(header.blockAccessListHash);
  if (header.slotNumber !== undefined) list.push(bigIntToBytes(header.slotNumber));
  return list;
}

/**
 * RLP of a header, which {@link decodeHeader} reads again.
 *
 * @param writer - empty; can be reused for many headers
 * @throws {InvalidParamsError} `BLOCK_REJECTED` as {@link checkWidths}
 */
export function encodeHeader(header: Header, writer = new RlpWriter(HEADER_CAPACITY)): Bytes {
  checkWidths(header);
  if (header.slotNumber !== undefined) writer.integer(header.slotNumber);
  if (header.blockAccessListHash !== undefined) writer.string(header.blockAccessListHash);
  if (header.requestsHash !== undefined) writer.string(header.requestsHash);
  if (header.parentBeaconBlockRoot !== undefined) writer.string(header.parentBeaconBlockRoot);
  if (header.excessBlobGas !== undefined) writer.integer(header.excessBlobGas);
  if (header.blobGasUsed !== undefined) writer.integer(header.blobGasUsed);
  if (header.withdrawalsRoot !== undefined) writer.string(header.withdrawalsRoot);
  if (header.baseFeePerGas !== undefined) writer.integer(header.baseFeePerGas);
  writer.string(header.nonce);
  writer.string(header.mixHash);
  writer.string(header.extraData);
  writer.integer(header.timestamp);
  writer.integer(header.gasUsed);
  writer.integer(header.gasLimit);
  writer.integer(header.number);
  writer.integer(header.difficulty);
  writer.string(header.logsBloom);
  writer.string(header.receiptsRoot);
  writer.string(header.transactionsRoot);
  writer.string(header.stateRoot);
  writer.string(header.coinbase);
  writer.string(header.unclesHash);
  writer.string(header.parentHash);
  writer.list(0);
  return writer.take();
}

/** Enough for any header except one with a long `extraData`. */
const HEADER_CAPACITY = 768;

/** keccak256 of the header's RLP: the block hash. */
export function hashHeader(header: Header): Bytes {
  return keccak256(encodeHeader(header));
}

const FIXED_SIZES: readonly (readonly [index: number, name: string, size: number])[] = [
  [0, "parentHash", 32],
  [1, "sha3Uncles", 32],
  [2, "miner", 20],
  [3, "stateRoot", 32],
  [4, "transactionsRoot", 32],
  [5, "receiptsRoot", 32],
  [6, "logsBloom", 256],
  [13, "mixHash", 32],
  [14, "nonce", 8],
  [16, "withdrawalsRoot", 32],
  [19, "parentBeaconBlockRoot", 32],
  [20, "requestsHash", 32],
  [21, "blockAccessListHash", 32],
];
/** Widths as in the engine API and in geth: 256 bits for fees and difficulties, 64 for all other integers. */
const INTEGERS = [
  [7, "difficulty", 256],
  [8, "number", 64],
  [9, "gasLimit", 64],
  [10, "gasUsed", 64],
  [11, "timestamp", 64],
  [15, "baseFeePerGas", 256],
  [17, "blobGasUsed", 64],
  [18, "excessBlobGas", 64],
  [22, "slotNumber", 64],
] as const satisfies readonly (readonly [index: number, name: keyof Header, bits: number])[];

/**
 * Checks that the integers of a header fit their widths. A header under construction may lack some.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` naming the member
 */
export function checkWidths(header: Partial<Header>): void {
  for (const [, name, bits] of INTEGERS) {
    const value = header[name];
    if (value !== undefined && value > (bits === 64 ? MAX_UINT64 : MAX_UINT256)) {
      throw malformed(`${name} ${value} is not below 2^${bits}`);
    }
  }
}

/**
 * A header from its RLP list.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` for a wrong number of items, a wrong size or width, or a padded integer
 */
export function headerFromList(list: unknown): Header {
  if (!Array.isArray(list) || list.length < 15 || list.length > 23) {
    throw malformed(`a header has 15 to 23 items, got ${Array.isArray(list) ? list.length : "no list"}`);
  }
  const items = list as readonly unknown[];
  const bytes = (index: number): Bytes => items[index] as Bytes;
  for (const item of items) if (!(item instanceof Uint8Array)) throw malformed("a header item is a list");
  for (const [index, name, size] of FIXED_SIZES) {
    if (index < items.length && bytes(index).length !== size) {
      throw malformed(`${name} has ${bytes(index).length} bytes instead of ${size}`);
    }
  }
  for (const [index, name, bits] of INTEGERS) {
    if (index >= items.length) continue;
    if (bytes(index)[0] === 0) throw malformed(`${name} has a leading zero byte`);
    if (bytes(index).length > bits / 8) throw malformed(`${name} is not below 2^${bits}`);
  }
  const integer = (index: number): bigint | undefined =>
    index < items.length ? bytesToBigInt(bytes(index)) : undefined;
  const optional = (index: number): Bytes | undefined => (index < items.length ? bytes(index) : undefined);
  return {
    parentHash: bytes(0),
    unclesHash: bytes(1),
    coinbase: bytes(2),
    stateRoot: bytes(3),
    transactionsRoot: bytes(4),
    receiptsRoot: bytes(5),
    logsBloom: bytes(6),
    difficulty: bytesToBigInt(bytes(7)),
    number: bytesToBigInt(bytes(8)),
    gasLimit: bytesToBigInt(bytes(9)),
    gasUsed: bytesToBigInt(bytes(10)),
    timestamp: bytesToBigInt(bytes(11)),
    extraData: bytes(12),
    mixHash: bytes(13),
    nonce: bytes(14),
    baseFeePerGas: integer(15),
    withdrawalsRoot: optional(16),
    blobGasUsed: integer(17),
    excessBlobGas: integer(18),
    parentBeaconBlockRoot: optional(19),
    requestsHash: optional(20),
    blockAccessListHash: optional(21),
    slotNumber: integer(22),
  };
}

/**
 * A header from its RLP.
 *
 * @throws {InvalidParamsError} `BLOCK_REJECTED` as {@link headerFromList}
 */
export function decodeHeader(bytes: Bytes): Header {
  return headerFromList(decodeRlp(bytes));
}

const HASH_BYTES = 32;
/** Bytes of RLP before the state root: the hashes of the parent and of the uncles, the coinbase, and a prefix each. */
const BEFORE_STATE_ROOT = 2 * (1 + HASH_BYTES) + (1 + 20) + 1;

/** The state root in the RLP of a header, of which nothing else is read. */
export function stateRootIn(bytes: Bytes): Bytes {
  // A header is longer than 255 bytes: its length follows the first byte.
  const start = 1 + ((bytes[0] as number) - 0xf7) + BEFORE_STATE_ROOT;
  return bytes.slice(start, start + HASH_BYTES);
}

function malformed(rule: string): InvalidParamsError {
  return new InvalidParamsError({ code: "BLOCK_REJECTED", what: `Malformed block header: ${rule}.` });
}

/**
 * The slot of a time, if no consensus layer gives one: counted from the first block, or if a block has another than
 * that, from this block on.
 *
 * @param from - the parent of the block to be, or the block that is given another time
 * @param timestamp - seconds
 */
export function slotAfter(from: Header, timestamp: bigint, genesis: Header): bigint {
  const { slotNumber } = from;
  if (slotNumber === undefined || slotNumber === slotAt(from.timestamp, genesis)) return slotAt(timestamp, genesis);
  return maxBigInt(slotNumber + (timestamp - from.timestamp) / SECONDS_PER_SLOT, 0n);
}

/** Slots begin with the first block and take 12 seconds. */
function slotAt(timestamp: bigint, genesis: Pick<Header, "timestamp" | "slotNumber">): bigint {
  return (genesis.slotNumber ?? 0n) + maxBigInt(timestamp - genesis.timestamp, 0n) / SECONDS_PER_SLOT;
}

const SECONDS_PER_SLOT = 12n;
