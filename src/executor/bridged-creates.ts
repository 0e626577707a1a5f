/**
 * CREATE and CREATE2 of init code that begins like the EVM Object Format.
 *
 * EthereumJS answers zero at once, without a frame, a nonce or gas. EIP-3540, which that belongs to, is in no hardfork: such
 * init code is code like any other, and its first opcode is undefined.
 */

import { Op } from "../evm/opcodes.ts";
import { bigIntToFixedBytes } from "../primitives/bytes.ts";
import type { Common, OpcodeHandler, RunState } from "./evm-types.ts";

/** EthereumJS' handler of CREATE or CREATE2, but for that. */
export function creationHandler(opcode: number, handler: OpcodeHandler): OpcodeHandler {
  const hasSalt = opcode === Op.CREATE2;
  return (state, common) => (beginsLikeObjectFormat(state) ? create(state, hasSalt) : handler(state, common));
}

function beginsLikeObjectFormat({ stack, memory }: RunState): boolean {
  const [, offset = 0n, length = 0n] = stack.peek(3);
  if (length < 2n) return false;
  const [first, second] = memory.read(Number(offset), 2);
  return first === 0xef && second === 0x00;
}

/** CREATE or CREATE2 is given too much init code to run (EIP-3860). */
export function hasTooMuchInitCode({ stack }: RunState, common: Common): boolean {
  if (!common.isActivatedEIP(3860)) return false;
  const [, , length = 0n] = stack.peek(3);
  return length > common.param("maxInitCodeSize");
}

async function create(state: RunState, hasSalt: boolean): Promise<void> {
  const { stack, memory, interpreter } = state;
  const [value = 0n, offset = 0n, length = 0n] = stack.popN(3);
  const gasLimit = state.messageGasLimit ?? 0n;
  // As the handler does: what is left here would limit the next call.
  Object.assign(state, { messageGasLimit: undefined });
  const initCode = memory.read(Number(offset), Number(length), true);
  const created = hasSalt
    ? await interpreter.create2(gasLimit, value, initCode, bigIntToFixedBytes(stack.pop(), 32))
    : await interpreter.create(gasLimit, value, initCode);
  stack.push(created);
}
