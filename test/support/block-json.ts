/** Computes a block's hash and size from its JSON alone. */
import { RLP } from "@ethereumjs/rlp";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Json } from "./a-node.ts";

type Item = Uint8Array | Item[];

const MEMBERS = [
  ["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"],
  ["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "extraData", "mixHash", "nonce"],
  ["baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas", "parentBeaconBlockRoot", "requestsHash"],
  ["blockAccessListHash", "slotNumber"],
].flat();
const QUANTITIES = new Set(
  "difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas slotNumber".split(" "),
);

/** The header as RLP's list. */
export function headerItems(block: Json): Uint8Array[] {
  return MEMBERS.filter((name) => block[name] !== undefined).map((name) => {
    const digits = String(block[name]).slice(2);
    if (!QUANTITIES.has(name)) return fromDigits(digits);
    return digits === "0" ? new Uint8Array(0) : fromDigits(digits.length % 2 === 0 ? digits : `0${digits}`);
  });
}

/** keccak256 of the header's RLP. */
export function blockHashOf(block: Json): string {
  return toHex(keccak_256(RLP.encode(headerItems(block))));
}

/** Bytes of the RLP of a block with this header, these transactions and uncles, and no withdrawals member. */
export function blockSizeOf(block: Json, transactions: Item[] = [], uncles: Item[] = []): number {
  return RLP.encode([headerItems(block), transactions, uncles]).length;
}

/** `sha3Uncles` of a block with these uncles. */
export function unclesHashOf(uncles: readonly Json[]): string {
  return toHex(keccak_256(RLP.encode(uncles.map(headerItems))));
}

function fromDigits(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, "hex"));
}

function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
