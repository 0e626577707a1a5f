/** Errors of flatCallTracer with `convertParityErrors`, as geth's `parityErrorMapping` has them (eth/tracers/native/call_flat.go). */
import { expect, it } from "vitest";
import { flatCallTrace } from "../../../src/tracer/formats/flat-call.ts";
import { assemble } from "../../support/assembler.ts";
import { runCode } from "../../support/evm.ts";

it.each([
  ["out of gas", "0xffffff 0 KECCAK256", "Out of gas"],
  ["a bad jump", "7 JUMP", "Bad jump destination"],
  ["a revert", "0 0 REVERT", "Reverted"],
  ["an undefined operation", "INVALID", "Bad instruction"],
])("names %s", async (_, program, text) => {
  const { recorder } = await runCode({ hardfork: "cancun", code: assemble(program), message: { gasLimit: 50_000n } });
  const totals = { gasUsed: 0n, gasLimit: 50_000n };
  expect([...flatCallTrace(recorder, totals, { convertParityErrors: true })][0]?.error).toBe(text);
});
