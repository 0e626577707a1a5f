// Yellow paper §7, contract creation: the deposit of the code that init code returns.

import { newTemporaryCode } from "../code/new-code";
import { FrameError } from "../facts.generated";
import { EIP_2, EIP_170, EIP_3541, EIP_8037 } from "../machine/eips";
import { fees } from "../machine/fees";
import { Frame } from "../machine/frame";
import { keccakBytes } from "../machine/keccak";
import { hasEip } from "../machine/machine";
import { setCode } from "../state/substate";
import { accountAt } from "../state/world-state";
import { chargeState } from "./state-gas";

const hash = memory.data(32, 16);

/** Result of {@link deposit} for Frontier: the creation succeeds without code, because its gas does not suffice. */
const UNDEPOSITED: i32 = -1;

/** Charges the code that init code returned, and stores it. Returns 0, or the error of the creation. */
export function deposit(ended: Frame, output: usize, length: usize): i32 {
  if (length == 0) return 0;
  const left = ended.gas;
  const cost = <u64>length * fees.codeByte + ((<u64>length + 31) >> 5) * fees.codeWord;
  // In this order, because the first failing check gives the error (EIP-170, EIP-3541).
  if (hasEip(EIP_170) && <u64>length > fees.maxCodeSize) return FrameError.CODE_SIZE_EXCEEDED;
  if (cost > <u64>left) return hasEip(EIP_2) ? FrameError.CODE_STORE_OUT_OF_GAS : UNDEPOSITED;
  if (hasEip(EIP_3541) && load<u8>(output) == 0xef) return FrameError.INVALID_CODE;
  let rest = left - <i64>cost;
  if (hasEip(EIP_8037)) rest = chargeState(ended, rest, <i64>(<u64>length * fees.stateCodeByte));
  if (rest < 0) return FrameError.CODE_STORE_OUT_OF_GAS;
  ended.gas = rest;
  const code = newTemporaryCode(output, length);
  keccakBytes(hash, output, length);
  setCode(accountAt(ended.self), code, hash, true);
  return 0;
}
