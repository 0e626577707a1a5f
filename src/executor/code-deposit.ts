/** What becomes of the code that init code returns, from Homestead on (yellow paper §7). */
import { type Common, Hardfork } from "@ethereumjs/common";
import { EVMError } from "@ethereumjs/evm";
import { EMPTY_BYTES } from "../primitives/bytes.ts";
import type { WorkingStateView } from "../state/view.ts";
import type { FrameState } from "./evm-environment.ts";

const texts = EVMError.errorMessages;

/**
 * Pays for the code with what a frame has left after it ended well, and stores it.
 *
 * @returns why that cannot be, if so: the creation then fails
 */
export type CodeDeposit = (state: FrameState, view: WorkingStateView) => EVMError | undefined;

/** The deposit by the rules of one hardfork. */
export function codeDeposit(common: Common): CodeDeposit {
  const perByte = BigInt(common.param("createDataGas"));
  const isLimited = common.gteHardfork(Hardfork.SpuriousDragon);
  const maxSize = isLimited ? Number(common.param("maxCodeSize")) : Number.POSITIVE_INFINITY;
  const refusesFormat = common.isActivatedEIP(3541);
  return (state, view) => {
    const code = state.interpreter._result.returnValue ?? EMPTY_BYTES;
    if (code.length === 0) return undefined;
    const cost = BigInt(code.length) * perByte;
    // In this order: the first reason is the one that is told (EIP-170, EIP-3541).
    if (code.length > maxSize) return new EVMError(texts.CODESIZE_EXCEEDS_MAXIMUM);
    if (cost > state.gasLeft) return new EVMError(texts.OUT_OF_GAS);
    if (refusesFormat && code[0] === 0xef) return new EVMError(texts.INVALID_BYTECODE_RESULT);
    state.gasLeft -= cost;
    // Waits for nothing: the account has been read.
    void view.putCode(state.env.address.bytes, code);
    return undefined;
  };
}
