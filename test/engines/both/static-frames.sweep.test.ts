/** Operations that a static frame forbids: the gas that they would have handed on is part of their charge. */
import { describe, expect, it } from "vitest";
import { isAtLeast } from "../../../src/chainspec/hardforks/hardforks.ts";
import { ENGINE_NAMES } from "../../../src/evm/engine.ts";
import { vmTrace } from "../../../src/tracer/formats/vm-trace.ts";
import { assemble } from "../../support/assembler.ts";
import { addressOf, HARDFORKS_OF_ONE_GAS, runCode } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";

const CALLEE = addressOf(0xcc);
const CALLING = "0 0 0 0 1 [61beef] 0xffffff CALL POP";
const CASES = [
  ["CALL", CALLING],
  ["CREATE", "0 0 0 CREATE POP"],
  ["CREATE2", "0 0 0 0 CREATE2 POP"],
] as const;
/** EthereumJS tells the static price alone of a CALL that fails (docs/engines.md). */
const shownBy = (engine: string) => CASES.filter(([name]) => name !== "CALL" || engine === "wasm");
const STATIC_HARDFORKS = HARDFORKS_OF_ONE_GAS.filter((name) => isAtLeast(name, "byzantium"));

describe.each(ENGINE_NAMES)("an operation that a static frame forbids (%s)", (engine) => {
  const it = onEngine(engine);
  const costOf = async (hardfork: (typeof STATIC_HARDFORKS)[number], program: string) => {
    const { recorder } = await runCode({
      engine,
      hardfork,
      code: assemble(`0 0 0 0 ${hex(CALLEE)} 60000 STATICCALL STOP`.replaceAll(/\b0 /g, "[6000] ")),
      accounts: [{ address: CALLEE, nonce: 1n, code: assemble(program.replaceAll(/\b0 /g, "[6000] ")) }],
    });
    const inner = [...(vmTrace(recorder, { client: "hindcast" })?.ops ?? [])].find(({ sub }) => sub !== null)?.sub;
    return [...(inner?.ops ?? [])].at(-1);
  };

  // 34,700 or 32,000, and 63/64 of the rest of 60,000 gas less three for each PUSH.
  it("costs what it hands on, too", async () => {
    if (engine === "wasm") expect(await costOf("istanbul", CASES[0][1])).toMatchObject({ cost: 59_585, ex: null });
    expect(await costOf("istanbul", CASES[1][1])).toMatchObject({ cost: 59_554, ex: null });
  });

  it.each(
    STATIC_HARDFORKS.flatMap((hardfork) =>
      shownBy(engine).map(([name, program]) => [hardfork, name, program] as const),
    ),
  )("costs all but a 64th of what its own price leaves: %s, %s", async (hardfork, name, program) => {
    if (name === "CREATE2" && !isAtLeast(hardfork, "constantinople")) return;
    const pushes = name === "CALL" ? 7 : name === "CREATE" ? 3 : 4;
    const gas = 60_000 - pushes * 3;
    const { cost } = (await costOf(hardfork, program)) ?? { cost: 0 };
    // The price p satisfies cost = p + (gas - p) - floor((gas - p) / 64).
    const price = name !== "CALL" ? 32_000 : isAtLeast(hardfork, "berlin") ? 36_600 : 34_700;
    const left = gas - price;
    expect(cost).toBe(price + left - Math.floor(left / 64));
  });
});

describe.each(ENGINE_NAMES)("an operation that a static frame allows (%s)", (engine) => {
  it("runs out of gas for its own price", async () => {
    const { recorder } = await runCode({
      engine,
      hardfork: "cancun",
      code: assemble(`0 0 0 0 ${hex(CALLEE)} 60000 STATICCALL STOP`),
      accounts: [{ address: CALLEE, nonce: 1n, code: assemble("0xffffff 0 KECCAK256 STOP") }],
    });
    expect(recorder.frames[1]).toMatchObject({ error: "outOfGas" });
    expect(recorder.frames[1]?.detail).not.toMatchObject({ cause: "staticFrame" });
  });
});
