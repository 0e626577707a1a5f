/** Verifies Merkle proofs (EIP-1186): the value of a key, or its absence. */
import {
  type Bytes,
  bytesKey,
  bytesToBigInt,
  EMPTY_BYTES,
  equalBytes,
  stripLeadingZeros,
} from "../primitives/bytes/bytes.ts";
import { EMPTY_TRIE_ROOT, keccak256 } from "../primitives/hash/hash.ts";
import { decodeRlp } from "../primitives/rlp/rlp.ts";
import type { RemoteAccount } from "./upstream.ts";

/** A trie node and its hash. */
export interface ProofNode {
  readonly hash: Bytes;
  readonly bytes: Bytes;
}

/** Finds a trie node by its hash, which the bytes were checked to have. */
export type NodeLookup = (hash: Bytes) => Bytes | undefined;

/** A decoded node: 17 members of a branch, or two of a leaf or an extension. */
type Item = Bytes | readonly Item[];

/** The nodes of a proof with their hashes. */
export function hashNodes(proof: readonly Bytes[]): readonly ProofNode[] {
  return proof.map((bytes) => ({ hash: keccak256(bytes), bytes }));
}

/** Finds the nodes of a proof. */
export function lookUpIn(nodes: readonly ProofNode[]): NodeLookup {
  const byHash = new Map(nodes.map(({ hash, bytes }) => [bytesKey(hash), bytes]));
  return (hash) => byHash.get(bytesKey(hash));
}

/**
 * The value of a key; undefined if the nodes prove that there is none.
 *
 * @param key - keccak256 of an address or slot
 * @throws {RangeError} if the nodes do not form a path from the root towards the key
 */
export function provenValue(root: Bytes, key: Bytes, findNode: NodeLookup): Bytes | undefined {
  if (equalBytes(root, EMPTY_TRIE_ROOT)) return undefined;
  const path = nibblesOf(key);
  let item: Item = root;
  for (let depth = 0; ; ) {
    const members = membersOf(item, findNode);
    if (members.length === BRANCH) {
      item = members[path[depth] ?? BRANCH] ?? EMPTY_BYTES;
      depth++;
      if (item.length === 0) return undefined;
      continue;
    }
    const [packed, next] = members;
    if (members.length !== 2 || !(packed instanceof Uint8Array) || next === undefined) throw malformed();
    const { nibbles, isLeaf } = unpack(packed);
    const isOnPath = nibbles.every((nibble, index) => nibble === path[depth + index]);
    depth += nibbles.length;
    if (!isOnPath) return undefined;
    if (!isLeaf) item = next;
    else if (depth !== path.length || !(next instanceof Uint8Array)) throw malformed();
    else return next;
  }
}

/**
 * The root of the trie that a proof is of.
 *
 * @param key - as for {@link provenValue}
 * @throws {RangeError} if there are no nodes, or they do not form a path from the first one towards the key
 */
export function provenRoot(key: Bytes, proof: readonly Bytes[]): Bytes {
  const nodes = hashNodes(proof);
  const [first] = nodes;
  if (first === undefined) throw malformed();
  provenValue(first.hash, key, lookUpIn(nodes));
  return first.hash;
}

const BRANCH = 17;

/** The members of an embedded node, or of the node with a hash. */
function membersOf(item: Item, findNode: NodeLookup): readonly Item[] {
  if (!(item instanceof Uint8Array)) return item;
  const bytes = findNode(item);
  if (bytes === undefined)
    throw new RangeError("a node of the proof is missing, or has another hash than its parent says");
  const node = decodeRlp(bytes) as Item;
  if (node instanceof Uint8Array) throw malformed();
  return node;
}

function nibblesOf(bytes: Bytes): readonly number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}

/** Decodes the hex-prefix encoding (yellow paper appendix C). */
function unpack(packed: Bytes): { readonly nibbles: readonly number[]; readonly isLeaf: boolean } {
  const [flag = 0, ...rest] = nibblesOf(packed);
  return { nibbles: (flag & 1) === 1 ? rest : rest.slice(1), isLeaf: flag >= 2 };
}

/**
 * The account of a proof; undefined if it proves absence.
 *
 * @throws {RangeError} as {@link provenValue}
 */
export function provenAccount(stateRoot: Bytes, address: Bytes, findNode: NodeLookup): RemoteAccount | undefined {
  const value = provenValue(stateRoot, keccak256(address), findNode);
  if (value === undefined) return undefined;
  const members = decodeRlp(value);
  if (!Array.isArray(members) || members.length !== 4) throw malformed();
  const [nonce, balance, storageRoot, codeHash] = members as Bytes[];
  if (storageRoot?.length !== 32 || codeHash?.length !== 32) throw malformed();
  return {
    nonce: bytesToBigInt(nonce ?? EMPTY_BYTES),
    balance: bytesToBigInt(balance ?? EMPTY_BYTES),
    storageRoot,
    codeHash,
  };
}

/**
 * The value of a slot in a proof, without leading zeros.
 *
 * @throws {RangeError} as {@link provenValue}
 */
export function provenSlot(storageRoot: Bytes, slot: Bytes, findNode: NodeLookup): Bytes {
  const value = provenValue(storageRoot, keccak256(slot), findNode);
  if (value === undefined) return EMPTY_BYTES;
  const decoded = decodeRlp(value);
  if (!(decoded instanceof Uint8Array) || decoded.length > 32) throw malformed();
  return stripLeadingZeros(decoded);
}

function malformed(): RangeError {
  return new RangeError("a node of the proof is not of a Merkle Patricia trie");
}
