// State gas, the second dimension of gas (EIP-8037). It is paid from the transaction's reservoir. If the reservoir is
// empty, it is paid from the gas of the frame, which is called spilling.

import { Frame } from "../machine/frame";
import { frame, gas, reservoir, setGas, setReservoir } from "../machine/machine";
import { price } from "../machine/price";

/** Resets the state gas before an instruction is priced. @inline */
export function beginStatePrice(): void {
  price.stateGas = 0;
  price.spill = 0;
}

/** Adds state gas to the price of the current instruction. */
export function addStatePrice(amount: u64): void {
  if (amount == 0) return;
  price.stateGas = <i64>amount;
  price.spill = max<i64>(price.stateGas - reservoir, 0);
  price.add(<u64>price.spill);
}

/** Deducts the state gas of the current instruction. The spilled part has been paid with its price. @inline */
export function takeStateGas(): void {
  if (price.stateGas != 0) take();
}

function take(): void {
  setReservoir(reservoir - (price.stateGas - price.spill));
  frame.spilled += price.spill;
}

/** Charges state gas to a frame that has `left` gas. Returns the gas that remains, or -1 if it does not suffice. */
export function chargeState(payer: Frame, left: i64, amount: i64): i64 {
  const missing = max<i64>(amount - reservoir, 0);
  if (missing > left) return -1;
  setReservoir(reservoir - (amount - missing));
  payer.spilled += missing;
  return left - missing;
}

/**
 * Refunds state gas of a frame: first the part that it spilled, the rest to the reservoir.
 *
 * @returns the gas to add to the frame
 */
export function refundState(payer: Frame, amount: i64): i64 {
  const spilled = payer.spilled;
  const repaid = min<i64>(amount, spilled);
  payer.spilled = spilled - repaid;
  setReservoir(reservoir + amount - repaid);
  return repaid;
}

/** Refunds state gas to the running frame, whose gas is in `gas`. */
export function refundRunning(amount: i64): void {
  setGas(gas + refundState(frame, amount));
}

/** Refunds all state gas of a failed frame. Returns the gas to add to it. */
export function rollBack(ended: Frame): i64 {
  const spilled = ended.spilled;
  ended.spilled = 0;
  setReservoir(ended.reservoirMark);
  return spilled;
}

/**
 * Adds the spilled gas of a successful frame to its caller's. If the frame has put a refund into the reservoir, that
 * now repays spilled gas.
 *
 * @returns the gas to add to the caller
 */
export function mergeSpill(caller: Frame, ended: Frame): i64 {
  const spilled = caller.spilled + ended.spilled;
  const repaid = min<i64>(reservoir, spilled);
  caller.spilled = spilled - repaid;
  setReservoir(reservoir - repaid);
  return repaid;
}
