// State gas, the second dimension of gas (EIP-8037). It is paid from the transaction's reservoir, and when that is
// empty from the gas of the frame, which is called spilling.

import * as Frame from "../machine/frame";
import { frame, gas, reservoir, setGas, setReservoir } from "../machine/machine";
import { addPrice } from "../machine/memory";

/** State gas that the instruction at hand takes: in all, and of it from the gas of the frame, which its price includes. */
let wanted: i64 = 0;
let spill: i64 = 0;

/** Begins to price an instruction that may grow the state. */
// @ts-ignore: decorator
@inline
export function beginStatePrice(): void {
  wanted = 0;
  spill = 0;
}

/** Adds state gas to the price of the instruction at hand. */
export function addStatePrice(amount: u64): void {
  if (amount == 0) return;
  wanted = <i64>amount;
  spill = max<i64>(wanted - reservoir, 0);
  addPrice(<u64>spill);
}

/** The instruction at hand takes its state gas. Its price has been paid. */
// @ts-ignore: decorator
@inline
export function takeStateGas(): void {
  if (wanted != 0) take();
}

function take(): void {
  setReservoir(reservoir - (wanted - spill));
  store<i64>(frame + Frame.SPILLED, load<i64>(frame + Frame.SPILLED) + spill);
}

/** State gas that the instruction at hand spilled. */
export function spilledNow(): i64 {
  return spill;
}

/** Takes state gas of a frame, whose gas is so much. Returns what is left of that; less than nothing where it is too little. */
export function chargeState(payer: usize, left: i64, amount: i64): i64 {
  const missing = max<i64>(amount - reservoir, 0);
  if (missing > left) return -1;
  setReservoir(reservoir - (amount - missing));
  store<i64>(payer + Frame.SPILLED, load<i64>(payer + Frame.SPILLED) + missing);
  return left - missing;
}

/**
 * Gives a frame state gas back: first what it spilled, then to the reservoir.
 *
 * @returns what its gas grows by
 */
export function refundState(payer: usize, amount: i64): i64 {
  const spilled = load<i64>(payer + Frame.SPILLED);
  const repaid = min<i64>(amount, spilled);
  store<i64>(payer + Frame.SPILLED, spilled - repaid);
  setReservoir(reservoir + amount - repaid);
  return repaid;
}

/** Gives state gas back to the running frame, whose gas is in the machine. */
export function refundRunning(amount: i64): void {
  setGas(gas + refundState(frame, amount));
}

/** A frame failed: what it took goes back where it came from. Returns what its gas grows by. */
export function rollBack(ended: usize): i64 {
  const spilled = load<i64>(ended + Frame.SPILLED);
  store<i64>(ended + Frame.SPILLED, 0);
  setReservoir(load<i64>(ended + Frame.RESERVOIR));
  return spilled;
}

/**
 * A frame succeeded: what it spilled is its caller's. A refund of what the caller had spilled may stand in the reservoir,
 * which repays that now.
 *
 * @returns what the caller's gas grows by
 */
export function mergeSpill(caller: usize, ended: usize): i64 {
  const spilled = load<i64>(caller + Frame.SPILLED) + load<i64>(ended + Frame.SPILLED);
  const repaid = min<i64>(reservoir, spilled);
  store<i64>(caller + Frame.SPILLED, spilled - repaid);
  setReservoir(reservoir - repaid);
  return repaid;
}
