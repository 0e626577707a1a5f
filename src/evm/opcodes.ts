/** Opcodes by name, and groups of them. `instructions.ts` describes each. */
import { INSTRUCTIONS, type InstructionName } from "./instructions.ts";

/** Opcodes by name. Where speed matters, read them once into constants. */
export const Op = Object.fromEntries(INSTRUCTIONS.map(({ name, opcode }) => [name, opcode])) as Readonly<
  Record<InstructionName, number>
>;

const { PUSH0, PUSH32, DUP1, DUP16, SWAP1, SWAP16 } = Op;

/** PUSH0 to PUSH32. */
export function isPush(opcode: number): boolean {
  return opcode >= PUSH0 && opcode <= PUSH32;
}

/** True for DUP1 to DUP16, but not for DUPN (EIP-8024). */
export function isDup(opcode: number): boolean {
  return opcode >= DUP1 && opcode <= DUP16;
}

/** True for SWAP1 to SWAP16, but not for SWAPN (EIP-8024). */
export function isSwap(opcode: number): boolean {
  return opcode >= SWAP1 && opcode <= SWAP16;
}

const STARTERS = INSTRUCTIONS.filter(({ kind }) => kind === "opens");
const STARTS_FRAME: readonly boolean[] = byOpcode(STARTERS);
const STARTS_CREATION: readonly boolean[] = byOpcode(STARTERS.filter(({ names }) => names.account === undefined));

function byOpcode(instructions: typeof INSTRUCTIONS): boolean[] {
  return Array.from({ length: 256 }, (_, opcode) => instructions.some((instruction) => instruction.opcode === opcode));
}

/** True for opcodes that start a frame: calls and creations. */
export function startsFrame(opcode: number): boolean {
  return STARTS_FRAME[opcode] === true;
}

/** True for creations. Calls name the account that they call. */
export function startsCreation(opcode: number): boolean {
  return STARTS_CREATION[opcode] === true;
}
