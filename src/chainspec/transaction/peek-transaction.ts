/**
 * Reads a few fields of a raw transaction without building it: what has to be looked at before EthereumJS refuses the
 * whole for its own reasons, in its own words.
 */
import { RLP } from "@ethereumjs/rlp";
import { type Bytes, bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { hasSidecar } from "../blobs/blob-sidecar.ts";
import type { TransactionFields } from "./transaction.ts";

/** Fields as they stand in the bytes; nothing is checked. */
export interface PeekedTransaction
  extends Pick<TransactionFields, "type" | "to" | "data" | "gasLimit" | "maxFeePerGas" | "maxPriorityFeePerGas"> {
  /** undefined for a legacy transaction that binds to none */
  readonly chainId: bigint | undefined;
}

/** Where fields stand in a type's list. */
interface Layout {
  readonly length: number;
  readonly tip: number;
  readonly cap: number;
  readonly gasLimit: number;
  readonly to: number;
  readonly data: number;
}

const FEE_MARKET_LAYOUT = { tip: 2, cap: 3, gasLimit: 4, to: 5, data: 7 };
const LAYOUTS: readonly Layout[] = [
  { length: 9, tip: 1, cap: 1, gasLimit: 2, to: 3, data: 5 },
  { length: 11, tip: 2, cap: 2, gasLimit: 3, to: 4, data: 6 },
  { ...FEE_MARKET_LAYOUT, length: 12 },
  { ...FEE_MARKET_LAYOUT, length: 14 },
  { ...FEE_MARKET_LAYOUT, length: 13 },
];
const LEGACY_V = 6;

/** The fields, or undefined for bytes that are no transaction of a known type. */
export function peekTransaction(bytes: Bytes): PeekedTransaction | undefined {
  const first = bytes[0] ?? 0;
  const type = first >= 0xc0 ? 0 : first;
  const layout = LAYOUTS[type];
  if (layout === undefined || (type === 0 && first < 0xc0)) return undefined;
  const items = itemsOf(bytes, type);
  if (items?.length !== layout.length) return undefined;
  const at = (index: number): Bytes => items[index] as Bytes;
  const read = [layout.tip, layout.cap, layout.gasLimit, layout.to, layout.data, type === 0 ? LEGACY_V : 0];
  if (!read.every((index) => items[index] instanceof Uint8Array)) return undefined;
  const to = at(layout.to);
  return {
    type,
    chainId: type === 0 ? chainIdOf(bytesToBigInt(at(LEGACY_V))) : bytesToBigInt(at(0)),
    to: to.length === 0 ? undefined : to,
    data: at(layout.data),
    gasLimit: bytesToBigInt(at(layout.gasLimit)),
    maxFeePerGas: bytesToBigInt(at(layout.cap)),
    maxPriorityFeePerGas: bytesToBigInt(at(layout.tip)),
  };
}

function itemsOf(bytes: Bytes, type: number): readonly unknown[] | undefined {
  try {
    const decoded: unknown = RLP.decode(type === 0 ? bytes : bytes.subarray(1));
    const items = hasSidecar(bytes) && Array.isArray(decoded) ? (decoded[0] as unknown) : decoded;
    return Array.isArray(items) ? items : undefined;
  } catch {
    return undefined;
  }
}

/** EIP-155. */
function chainIdOf(v: bigint): bigint | undefined {
  return v >= 35n ? (v - 35n) / 2n : undefined;
}
