/** Errors of calls that had too little gas name the bound that their gas was at, if they did not choose it. */
import { describe, expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../../src/evm/engine.ts";
import type { FrameError, GasCause } from "../../../../src/evm/frames.ts";
import type { NodeOptions } from "../../../../src/node/options/options.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { failureOf } from "../../../../src/services/simulate/call/failure.ts";
import { capBound, lacksGas } from "../../../../src/services/simulate/call/gas-bound.ts";
import { ALICE, addressText, aServedNode, BOB, quantity } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { LOOP } from "../../../support/contracts.ts";
import { onEngine } from "../../../support/per-engine.ts";

const PLACE = addressText(0x11);
const AT_CAP = "The call was at the cap of calls, 100,000 gas. Raise it with --call-gas-limit or limits.callGasLimit.";
const SHARED =
  "All calls of a simulation share the cap of calls, 100,000 gas. " +
  "Simulate fewer calls at once, or raise it with --call-gas-limit or limits.callGasLimit.";
const code = (bytes: Uint8Array) => ({ [PLACE]: { code: encodeData(bytes) } });
const ENDLESS = code(LOOP);
/** Its calldata alone costs more than the cap: 16 gas a byte. */
const LONG = `0x${"ff".repeat(10_000)}`;

const capped = (options: NodeOptions = {}) => aServedNode({ ...options, limits: { callGasLimit: 100_000n } });

describe.each(ENGINE_NAMES)("a call that is out of gas (%s)", (engine) => {
  const it = onEngine(engine);
  it("names the cap if it states more gas, or as much", async () => {
    const { plain } = await capped({ engine });
    for (const gas of [100_000, 100_001, 2 ** 40]) {
      const failure = await plain.failure("eth_call", { to: PLACE, gas: quantity(gas) }, "latest", ENDLESS);
      expect(failure).toMatchObject({ code: -32000, message: `out of gas. ${AT_CAP}` });
    }
  });

  it("names the cap if it states none", async () => {
    const { plain } = await capped({ engine });
    const { message } = await plain.failure("eth_call", { to: PLACE }, "latest", ENDLESS);
    expect(message).toBe(`out of gas. ${AT_CAP}`);
  });

  it("names nothing if it chose less itself", async () => {
    const { plain } = await capped({ engine });
    const { message } = await plain.failure("eth_call", { to: PLACE, gas: quantity(99_999) }, "latest", ENDLESS);
    expect(message).toBe("out of gas");
  });

  it("names the gas of a block if it states none, and that is less than the cap", async () => {
    const { plain } = await aServedNode({ engine, gasLimit: 200_000n });
    const { message } = await plain.failure("eth_call", { to: PLACE }, "latest", ENDLESS);
    expect(message).toBe(
      "out of gas. The call states no gas and had the gas of a block, 200,000. " +
        "Let it state more, at most 50,000,000: --call-gas-limit or limits.callGasLimit raises that.",
    );
  });

  it("names nothing if the execution ended otherwise", async () => {
    const { plain } = await capped({ engine });
    const endings = ["INVALID", "0 0 REVERT", "3 JUMP"];
    for (const source of endings) {
      const { message } = await plain.failure("eth_call", { to: PLACE }, "latest", code(assemble(source)));
      expect(message).not.toContain("cap of calls");
    }
  });
});

describe("a call at the cap", () => {
  it("that creates a contract names it for the price of its code", async () => {
    const { plain } = await capped();
    // 24,000 bytes of code cost 200 gas each.
    const { message } = await plain.failure("eth_call", { data: encodeData(assemble("24000 0 RETURN")) });
    expect(message).toBe(`contract creation code storage out of gas. ${AT_CAP}`);
  });

  it.each([
    ["eth_call", [{ to: BOB, data: LONG }]],
    ["eth_createAccessList", [{ to: BOB, data: LONG }]],
    ["trace_call", [{ to: BOB, data: LONG }, ["trace"]]],
    ["trace_callMany", [[[{ to: BOB, data: LONG }, ["trace"]]]]],
    ["debug_traceCall", [{ to: BOB, data: LONG }, "latest", { tracer: "callTracer" }]],
  ])("that cannot begin names it: %s", async (method, params) => {
    const { plain } = await capped();
    const { message } = await plain.failure(method, ...params);
    expect(message).toContain("have 100000, want ");
    expect(message.endsWith(AT_CAP)).toBe(true);
  });

  it("names it in the answer of eth_createAccessList", async () => {
    const { plain } = await capped();
    const list = await plain.ask("eth_createAccessList", { to: PLACE }, "latest", ENDLESS);
    expect(list).toMatchObject({ error: `out of gas. ${AT_CAP}` });
  });

  it("names it on Amsterdam with the part of it that is for execution", async () => {
    const { plain } = await aServedNode({ hardfork: "amsterdam", gasLimit: 300_000_000n });
    const { message } = await plain.failure("eth_call", { to: PLACE }, "latest", ENDLESS);
    expect(message).toBe(
      "out of gas. The call was at the cap of calls, 200,000,000 gas, at most 16,777,216 of it for execution (EIP-7825). " +
        "If it lacks gas for state, raise the cap with --call-gas-limit or limits.callGasLimit.",
    );
  });

  it("names it in the results of eth_callMany", async () => {
    const { plain } = await capped();
    const bundles = [{ transactions: [{ to: BOB }, { to: PLACE }, { to: PLACE, gas: quantity(50_000) }] }];
    expect(await plain.ask("eth_callMany", bundles, {}, ENDLESS)).toEqual([
      [{ value: "0x" }, { error: `out of gas. ${AT_CAP}` }, { error: "out of gas" }],
    ]);
  });

  it("names it in an explanation", async () => {
    const { plain } = await capped();
    const explained = (call: object, overrides: object) =>
      plain.ask<{ notes: string[] }>("hindcast_explainCall", { to: PLACE, ...call }, "latest", overrides);
    expect((await explained({}, ENDLESS)).notes.join(" ")).toBe(AT_CAP);
    expect((await explained({ gas: quantity(50_000) }, ENDLESS)).notes).toEqual([]);
    expect((await explained({}, code(assemble("INVALID")))).notes).toEqual([]);
  });

  it("names it in a comparison of hardforks, in which it makes no difference", async () => {
    const { node, plain } = await capped();
    const compared = async (call: object, stateOverrides: object) => {
      const request = { calls: [call], stateOverrides, hardforks: ["prague", "amsterdam"] };
      type Compared = { runs: { isSame: boolean; runs: { status: string; reason: string | null }[] }[] };
      const { runs } = await plain.ask<Compared>("hindcast_compareHardforks", request);
      return runs[0];
    };
    const failed = { status: "failed", reason: `out of gas. ${AT_CAP}` };
    expect(await compared({ to: PLACE }, ENDLESS)).toMatchObject({ isSame: true, runs: [failed, failed] });
    expect(await compared({ to: PLACE, gas: quantity(2 ** 40) }, ENDLESS)).toMatchObject({ runs: [failed, failed] });
    const own = { status: "failed", reason: "out of gas" };
    expect(await compared({ to: PLACE, gas: quantity(90_000) }, ENDLESS)).toMatchObject({ runs: [own, own] });
    const refused = {
      status: "refused",
      reason: expect.stringMatching(/have 100000, want \d+\. The call was at the cap/),
    };
    expect(await compared({ to: BOB, data: LONG }, {})).toMatchObject({ runs: [refused, refused] });
    const request = { calls: [{ data: assemble("24000 0 RETURN") }], hardforks: ["prague", "osaka"] } as const;
    const { runs } = await node.compareHardforks(request);
    const cap = capBound(100_000n, { has: () => false })();
    expect(runs[0]?.runs[0]).toMatchObject({ reason: "contract creation code storage out of gas", bound: cap });
  });

  it("has the text alone in traces, which have the form of other clients", async () => {
    const { plain } = await capped();
    const overrides = { stateOverrides: ENDLESS, tracer: "callTracer" };
    expect(await plain.ask("debug_traceCall", { to: PLACE }, "latest", overrides)).toMatchObject({
      error: "out of gas",
    });
  });
});

describe("an estimate", () => {
  it("names the cap if that is what it lacks", async () => {
    const { plain } = await capped();
    const { message } = await plain.failure("eth_estimateGas", { from: ALICE, to: PLACE }, "latest", ENDLESS);
    expect(message).toBe(`gas required exceeds allowance (100000). ${AT_CAP}`);
  });

  it("does not name it if the call's own gas, or that of a block, is less", async () => {
    const { plain } = await aServedNode({ gasLimit: 200_000n });
    for (const gas of [{}, { gas: quantity(50_000) }]) {
      const { message } = await plain.failure("eth_estimateGas", { to: PLACE, ...gas }, "latest", ENDLESS);
      expect(message).toMatch(/^gas required exceeds allowance \((?:200000|50000)\)\. The number is/);
    }
  });

  it("names it for a creation whose code costs more than the cap", async () => {
    const { plain } = await capped();
    for (const method of ["eth_estimateGas", "eth_sendTransaction"]) {
      const { message } = await plain.failure(method, { from: ALICE, data: encodeData(assemble("24000 0 RETURN")) });
      expect(message).toBe(`contract creation code storage out of gas. ${AT_CAP}`);
    }
  });

  it("names it on Amsterdam beside the dimension of gas that does not fit", async () => {
    const { plain } = await capped({ hardfork: "amsterdam" });
    const stores = code(assemble("1 0 SSTORE 1 1 SSTORE STOP"));
    const { message } = await plain.failure("eth_estimateGas", { to: PLACE }, "latest", stores);
    expect(message).toMatch(/^gas required exceeds allowance \(100000\)\. State gas does not fit: /);
    expect(message.endsWith(AT_CAP)).toBe(true);
    const endless = await plain.failure("eth_estimateGas", { to: PLACE }, "latest", ENDLESS);
    expect(endless.message).not.toContain("cap of calls");
  });
});

describe("eth_simulateV1", () => {
  it("names the cap that all its calls share", async () => {
    const { plain } = await capped();
    const calls = [{ to: BOB }, { to: PLACE }];
    const [block] = await plain.ask<{ readonly calls: readonly object[] }[]>("eth_simulateV1", {
      blockStateCalls: [{ stateOverrides: ENDLESS, calls }],
    });
    expect(block?.calls[1]).toMatchObject({ error: { code: -32015, message: `out of gas. ${SHARED}` } });
    const { message } = await plain.failure("eth_simulateV1", {
      blockStateCalls: [{ calls: [{ to: BOB, input: LONG }] }],
    });
    expect(message.endsWith(SHARED)).toBe(true);
  });
});

describe("a failure at a bound", () => {
  const bound = capBound(5n, { has: () => false });

  it("keeps the stack trace's lines last", () => {
    const details = { stack: () => "    at C.f (C.sol:1:2)", hasStackInMessage: true };
    const { message } = failureOf("outOfGas", { detail: undefined, output: new Uint8Array(), bound }, details);
    expect(message).toBe(`out of gas. ${bound().where} ${bound().fix}\n    at C.f (C.sol:1:2)`);
  });

  const causes: readonly (readonly [FrameError, GasCause | undefined, boolean])[] = [
    ["outOfGas", undefined, true],
    ["outOfGas", "reentrancySentry", true],
    ["outOfGas", "memoryOverflow", false],
    ["outOfGas", "gasOverflow", false],
    ["outOfGas", "staticFrame", false],
    ["codeStoreOutOfGas", undefined, true],
    ["invalidOpcode", undefined, false],
    ["reverted", undefined, false],
  ];
  it.each(causes)("of %s with the cause %s lacks gas: %s", (error, cause, expected) => {
    const detail = { opcode: 0x55, stackHeight: 2, cause, initCodeSize: undefined };
    expect(lacksGas(error, { detail })).toBe(expected);
  });
});
