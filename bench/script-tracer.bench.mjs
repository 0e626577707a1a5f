// Custom JavaScript tracers in process: a small call, 200,000 steps, and 1,000 slots that nobody has read yet.
import { aNode, deploy, word } from "./chains.mjs";
import { measure } from "./measure.mjs";

export const name = "JavaScript tracers";

/** 25,000 rounds of eight operations. */
const LOOP = "0x60005b60010180620061a811600257" + "00";
const LOOP_STEPS = 200_002;
/** SLOAD of the slots from 0 to 999. */
const LOADS = "0x60005b8054506001018061" + "03e8" + "11600257" + "00";

const COUNT =
  "{count: 0, step: function() { this.count++; }, fault: function() {}, result: function() { return this.count; }}";
const OPCODES =
  "{seen: {}, step: function(log) { var op = log.op.toString(); this.seen[op] = (this.seen[op] || 0) + 1; }, " +
  "fault: function() {}, result: function() { return this.seen; }}";
const STACK =
  "{sum: bigInt(0), step: function(log) { if (log.stack.length() > 1) this.sum = this.sum.add(log.stack.peek(1)); }, " +
  "fault: function() {}, result: function() { return this.sum.toString(); }}";
const STATE =
  "{sum: 0, step: function(log, db) { if (log.op.toString() === 'SLOAD') " +
  "this.sum += db.getState(log.contract.getAddress(), toWord(log.stack.peek(0).toString(16)))[31]; }, " +
  "fault: function() {}, result: function() { return this.sum; }}";

export async function rows() {
  const { node, ask, from, to } = await aNode();
  const loop = await deploy(ask, from, LOOP);
  const loads = await deploy(ask, from, LOADS);
  for (let slot = 0; slot < 1_000; slot++) {
    await ask("hardhat_setStorageAt", loads, `0x${slot.toString(16)}`, `0x${word(1)}`);
  }
  const trace = (target, tracer) =>
    ask("debug_traceCall", { from, to: target, gas: "0x1c9c380" }, "latest", { tracer });
  const check = async (target, tracer, isRight) => {
    const result = await trace(target, tracer);
    if (!isRight(result)) throw new Error(`unexpected result: ${JSON.stringify(result)}`);
  };
  await check(loop, COUNT, (count) => count === LOOP_STEPS);
  await check(loads, STATE, (sum) => sum === 1_000);
  const long = { runs: 7, warmUp: 1 };
  const result = {
    "no code": await measure(() => trace(to, COUNT), { runs: 60, warmUp: 10 }),
    "1,000 cold SLOAD, counted": await measure(() => trace(loads, COUNT), { runs: 20, warmUp: 3 }),
    "1,000 cold SLOAD, db.getState at each": await measure(() => trace(loads, STATE), { runs: 20, warmUp: 3 }),
    "200,000 steps, counted": await measure(() => trace(loop, COUNT), long),
    "200,000 steps, op.toString()": await measure(() => trace(loop, OPCODES), long),
    "200,000 steps, stack.peek()": await measure(() => trace(loop, STACK), long),
  };
  await node.close();
  return result;
}
