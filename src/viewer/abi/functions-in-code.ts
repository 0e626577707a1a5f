/** Finds the functions of the common standards in the code of a contract whose ABI is not known. */
import type { AbiFunction, Contract } from "../rpc/types.ts";
import { loadStandards, standards } from "./standards.ts";

const PUSH1 = 0x60;
const PUSH4 = 0x63;
const PUSH32 = 0x7f;

/** By the selectors that the code pushes, to compare them with that of a call. Null if none of them is known. */
export async function functionsInCode(code: string): Promise<Contract | null> {
  await loadStandards();
  const digits = code.slice(2);
  const found = new Map<string, AbiFunction>();
  for (let at = 0; at < digits.length; at += 2) {
    const opcode = Number.parseInt(digits.slice(at, at + 2), 16);
    if (opcode === PUSH4) {
      const of = standards().functions.get(`0x${digits.slice(at + 2, at + 10)}`);
      if (of !== undefined) found.set(of.signature, of);
    }
    if (opcode >= PUSH1 && opcode <= PUSH32) at += (opcode - PUSH1 + 1) * 2;
  }
  return found.size === 0 ? null : { name: null, functions: [...found.values()], events: [], errors: [] };
}
