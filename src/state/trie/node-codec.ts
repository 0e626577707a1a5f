/**
 * RLP of trie nodes (yellow paper appendices B to D), from nodes and to nodes without lists of items between, because
 * every state root depends on its speed.
 */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { keccakInput } from "../../primitives/hash/hash.ts";
import {
  contentBytes,
  headBytes,
  LIST,
  STRING,
  stringLength,
  writeHead,
  writeString,
} from "../../primitives/rlp/rlp-head.ts";
import { writeHash } from "./branch-bytes.ts";
import { hexPrefix, isLeafPath, unpackPath, writeHexPrefix } from "./nibbles.ts";
import {
  type BranchNode,
  type Child,
  type LeafNode,
  makeBranch,
  makeExtension,
  makeLeaf,
  makeReference,
  NodeKind,
  type TrieNode,
} from "./node.ts";

const HASH_PREFIX = 0xa0;
/** Longer nodes are referenced by their hash. */
export const MAX_EMBEDDED_LENGTH = 31;
/** Bytes of a branch's empty value. */
const BRANCH_VALUE_LENGTH = 1;

/** RLP of a node of at most 32 KiB; see {@link writeNode}. */
export function encodeNode(node: TrieNode): Bytes {
  return keccakInput.slice(0, writeNode(keccakInput, node));
}

/**
 * Writes the RLP of a node to the beginning of an array. Its children must have been hashed, or encoded if they are
 * short: those with a hash are referenced by it, short ones are embedded.
 *
 * @returns length in bytes
 */
export function writeNode(out: Bytes, node: TrieNode): number {
  if (node.kind === NodeKind.branch) return writeBranch(out, node);
  if (node.kind === NodeKind.leaf) return writeLeaf(out, node);
  const path = hexPrefix(node.path, false);
  const position = writeHead(out, 0, LIST, stringLength(path) + childLength(node.child));
  return writeChild(out, writeString(out, position, path), node.child);
}

function writeLeaf(out: Bytes, { path, value }: LeafNode): number {
  // The packed path, with a length before it unless it is a single byte. Such a byte is below 0x40, as it begins with 2
  // or 3.
  const packedLength = (path.length >> 1) + 1;
  let position = writeHead(out, 0, LIST, (packedLength === 1 ? 1 : 1 + packedLength) + stringLength(value));
  if (packedLength > 1) out[position++] = STRING + packedLength;
  return writeString(out, writeHexPrefix(out, position, path, true), value);
}

function writeBranch(out: Bytes, { children }: BranchNode): number {
  let length = BRANCH_VALUE_LENGTH;
  for (let nibble = 0; nibble < 16; nibble++) length += childLength(children[nibble] as Child | null);
  let position = writeHead(out, 0, LIST, length);
  for (let nibble = 0; nibble < 16; nibble++) position = writeChild(out, position, children[nibble] as Child | null);
  out[position] = STRING;
  return position + BRANCH_VALUE_LENGTH;
}

function childLength(child: Child | null): number {
  if (child === null) return 1;
  if (child.kind === NodeKind.reference || child.hash !== undefined) return 33;
  return embedded(child).length;
}

function writeChild(out: Bytes, position: number, child: Child | null): number {
  if (child === null) {
    out[position] = STRING;
    return position + 1;
  }
  if (child.kind === NodeKind.reference) return writeHash(out, position, child.bytes, child.offset);
  if (child.hash !== undefined) return writeHash(out, position, child.hash, 0);
  const bytes = embedded(child);
  out.set(bytes, position);
  return position + bytes.length;
}

/** RLP of an embedded node: less than 32 bytes. */
function embedded(node: TrieNode): Bytes {
  if (node.encoded !== undefined) return node.encoded;
  const out = new Uint8Array(MAX_EMBEDDED_LENGTH);
  return out.subarray(0, writeNode(out, node));
}

/**
 * The decoded node; its members are views into `bytes`.
 *
 * @throws {TypeError} if they are not the RLP of a node of a trie with keys of one length
 */
export function decodeNode(bytes: Bytes): TrieNode {
  const reader = { bytes, position: 0 };
  const node = readNode(reader);
  if (reader.position !== bytes.length) throw malformed("bytes after its end");
  if (node.kind === NodeKind.branch) keepBase(node, bytes);
  return node;
}

/** Keeps the RLP of a branch, if all of its children are hashes. */
function keepBase(branch: BranchNode, bytes: Bytes): void {
  let hashed = 0;
  for (let nibble = 0; nibble < 16; nibble++) {
    const child = branch.children[nibble] as Child | null;
    if (child === null) continue;
    if (child.kind !== NodeKind.reference) return;
    hashed |= 1 << nibble;
  }
  branch.base = bytes;
  branch.hashed = hashed;
  branch.changed = 0;
}

interface Reader {
  readonly bytes: Bytes;
  position: number;
}

/** An RLP item: start and end of its payload, and whether it is a list. */
interface Item {
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
}

function readNode(reader: Reader): TrieNode {
  const list = readItem(reader);
  if (!list.isList) throw malformed("a string");
  reader.position = list.start;
  const first = readItem(reader);
  const firstEnd = reader.position;
  const second = firstEnd < list.end ? readItem(reader) : undefined;
  if (second === undefined) throw malformed("one member");
  if (reader.position === list.end) return readShort(reader, first, second, list.end);
  reader.position = list.start;
  return readBranch(reader, list.end);
}

function readShort(reader: Reader, first: Item, second: Item, end: number): TrieNode {
  const { bytes } = reader;
  const packed = bytes.subarray(first.start, first.end);
  if (first.isList || packed.length === 0) throw malformed("no path");
  const path = unpackPath(packed);
  if (isLeafPath(packed)) {
    if (second.isList) throw malformed("a list as value");
    return makeLeaf(path, bytes.subarray(second.start, second.end), false);
  }
  reader.position = first.end;
  const child = readChild(reader);
  reader.position = end;
  if (child === null) throw malformed("an extension to nothing");
  return makeExtension(path, child, false);
}

function readBranch(reader: Reader, end: number): TrieNode {
  const children: (Child | null)[] = [];
  for (let nibble = 0; nibble < 16; nibble++) children.push(readChild(reader));
  if (reader.bytes[reader.position++] !== STRING) throw malformed("a branch with a value");
  if (reader.position !== end) throw malformed("a branch that is not 17 members long");
  return makeBranch(children, false);
}

function readChild(reader: Reader): Child | null {
  const { bytes, position } = reader;
  const first = bytes[position] as number;
  if (first === STRING) {
    reader.position = position + 1;
    return null;
  }
  if (first === HASH_PREFIX && position + 33 <= bytes.length) {
    reader.position = position + 33;
    return makeReference(bytes, position + 1);
  }
  if (first < LIST) throw malformed("a child that is neither hash nor node");
  return readNode(reader);
}

function readItem(reader: Reader): Item {
  const { bytes, position } = reader;
  const first = bytes[position];
  if (first === undefined) throw malformed("nothing where a member is due");
  const start = position + headBytes(first);
  const end = start + contentBytes(bytes, position);
  if (end > bytes.length) throw malformed("a length beyond its end");
  reader.position = end;
  return { isList: first >= LIST, start, end };
}

function malformed(found: string): TypeError {
  return new TypeError(`not a trie node: ${found}`);
}
