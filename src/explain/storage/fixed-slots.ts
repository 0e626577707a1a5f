/**
 * Storage slots with a meaning fixed by standards, which is the same in every contract: those of proxies.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1967
 * @see https://eips.ethereum.org/EIPS/eip-1822
 */
import { bytesToBigInt } from "../../primitives/bytes/bytes.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { once } from "../../primitives/once.ts";
import type { ValueType } from "../source/storage-type.ts";
import type { SlotPart } from "./slot-parts.ts";

const ADDRESS: ValueType = { kind: "value", label: "address", bytes: 20 };
const BOOL: ValueType = { kind: "value", label: "bool", bytes: 1 };

const slots = once(() => {
  const hash = (text: string): bigint => bytesToBigInt(keccak256(new TextEncoder().encode(text)));
  const proxy = (name: string, type: ValueType): [bigint, SlotPart] => {
    const label = `eip1967.proxy.${name}`;
    return [hash(label) - 1n, { name: label, type, offset: 0 }];
  };
  return new Map<bigint, SlotPart>([
    proxy("implementation", ADDRESS),
    proxy("admin", ADDRESS),
    proxy("beacon", ADDRESS),
    proxy("rollback", BOOL),
    [hash("PROXIABLE"), { name: "eip1822.proxiable", type: ADDRESS, offset: 0 }],
  ]);
});

/** The variable that a standard defines for a slot; undefined for all other slots. */
export function fixedSlotPart(slot: bigint): SlotPart | undefined {
  return slots().get(slot);
}
