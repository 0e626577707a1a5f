/**
 * EXTCODESIZE, EXTCODECOPY and EXTCODEHASH where the run loop leaves them to handlers that may wait for the state.
 *
 * EthereumJS' own show code that begins with 0xef00 as these two bytes. EIP-3540, which that belongs to, is in no hardfork:
 * such code, of before London (EIP-3541) or set by hand, is shown like any other, as geth shows it.
 */
import { Address } from "@ethereumjs/util";
import { Op } from "../evm/opcodes.ts";
import type { OpcodeHandler, RunState } from "./evm-types.ts";
import { readInteger } from "./evm-words.ts";
import { addressBytes } from "./opcode-state.ts";

/** The handlers by opcode. */
export const FOREIGN_CODE_HANDLERS: ReadonlyMap<number, OpcodeHandler> = new Map<number, OpcodeHandler>([
  [
    Op.EXTCODESIZE,
    async ({ stack, stateManager }) => {
      const code = await stateManager.getCode(popAddress(stack));
      stack.push(BigInt(code.length));
    },
  ],
  [Op.EXTCODECOPY, copyCode],
  [
    Op.EXTCODEHASH,
    async ({ stack, stateManager }) => {
      const account = await stateManager.getAccount(popAddress(stack));
      stack.push(account === undefined || account.isEmpty() ? 0n : readInteger(account.codeHash));
    },
  ],
]);

function popAddress(stack: RunState["stack"]): Address {
  return new Address(addressBytes(stack.pop()));
}

async function copyCode({ stack, memory, stateManager }: RunState): Promise<void> {
  const address = popAddress(stack);
  const [target = 0n, start = 0n, size = 0n] = stack.popN(3);
  if (size === 0n) return;
  const code = await stateManager.getCode(address);
  const length = Number(size);
  const copied = new Uint8Array(length);
  // An offset beyond 2^53 rounds, but stays far beyond the end of any code.
  const first = Math.min(Number(start), code.length);
  copied.set(code.subarray(first, first + length));
  memory.write(Number(target), length, copied);
}
