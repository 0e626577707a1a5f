/** All methods that take overrides take the same names, refuse the same ones, and read the same block hashes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HindcastNode } from "../../../../src/node/hindcast-node.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { ALICE, addressText, type Client, openNode, quantity, serve, wordText } from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { isSlow } from "../../../support/seed.ts";

const PLACE = addressText(0x11);

interface Overrides {
  readonly state: object;
  readonly block: object;
}

/** Runs one call of {@link PLACE} and answers whether it succeeded. */
type Run = (plain: Client, overrides: Overrides) => Promise<boolean>;

const CALL = { from: ALICE, to: PLACE, gas: "0x186a0" };
const answers = async (request: Promise<unknown>): Promise<boolean> => {
  try {
    await request;
    return true;
  } catch (error) {
    if (/invalid opcode|gas required exceeds/.test(String(error))) return false;
    throw error;
  }
};
const asCall =
  (method: string): Run =>
  (plain, { state, block }) =>
    answers(plain.ask(method, CALL, "latest", state, block));
type Failed = { readonly error?: unknown; readonly failed?: boolean };

const METHODS: Readonly<Record<string, Run>> = {
  eth_call: asCall("eth_call"),
  eth_estimateGas: asCall("eth_estimateGas"),
  hindcast_estimateGas: asCall("hindcast_estimateGas"),
  eth_callMany: async (plain, { state, block }) => {
    const bundles = [{ transactions: [CALL], blockOverride: block }];
    const [[result]] = await plain.ask<[[Failed]]>("eth_callMany", bundles, {}, state);
    return result.error === undefined;
  },
  eth_simulateV1: async (plain, { state, block }) => {
    const payload = { blockStateCalls: [{ stateOverrides: state, blockOverrides: block, calls: [CALL] }] };
    const blocks = await plain.ask<{ calls: [Failed] }[]>("eth_simulateV1", payload, "latest");
    return blocks.at(-1)?.calls[0].error === undefined;
  },
  debug_traceCall: async (plain, { state, block }) => {
    const config = { tracer: "callTracer", stateOverrides: state, blockOverrides: block };
    return (await plain.ask<Failed>("debug_traceCall", CALL, "latest", config)).error === undefined;
  },
  debug_traceCallMany: async (plain, { state, block }) => {
    const bundles = [{ transactions: [CALL], blockOverride: block }];
    const config = { tracer: "callTracer", stateOverrides: state };
    const [[result]] = await plain.ask<[[Failed]]>("debug_traceCallMany", bundles, {}, config);
    return result.error === undefined;
  },
  trace_call: async (plain, { state, block }) => {
    const { trace } = await plain.ask<{ trace: [Failed] }>("trace_call", CALL, ["trace"], "latest", state, block);
    return trace[0].error === undefined;
  },
  trace_callMany: async (plain, { state, block }) => {
    const pairs = [[CALL, ["trace"]]];
    const [{ trace }] = await plain.ask<[{ trace: [Failed] }]>("trace_callMany", pairs, "latest", state, block);
    return trace[0].error === undefined;
  },
  hindcast_explainCall: async (plain, { state, block }) =>
    !(await plain.ask<{ failed: boolean }>("hindcast_explainCall", CALL, "latest", state, block)).failed,
  hindcast_gasProfileCall: async (plain, { state, block }) => {
    // A halt takes all gas.
    const profile = await plain.ask<{ gasUsed: string }>("hindcast_gasProfileCall", CALL, "latest", state, block);
    return BigInt(profile.gasUsed) < 100_000n;
  },
  hindcast_compareHardforks: async (plain, { state, block }) => {
    const request = { calls: [CALL], stateOverrides: state, blockOverrides: block, hardforks: ["prague", "osaka"] };
    const answer = await plain.ask<object>("hindcast_compareHardforks", request);
    return !JSON.stringify(answer).includes("failed");
  },
  tenderly_simulateTransaction: async (plain, { state, block }) => {
    const answer = await plain.ask<{ status: boolean }>("tenderly_simulateTransaction", CALL, "latest", state, block);
    return answer.status;
  },
  tenderly_simulateBundle: async (plain, { state, block }) => {
    const answer = await plain.ask<[{ status: boolean }]>("tenderly_simulateBundle", [CALL], "latest", state, block);
    return answer[0].status;
  },
};

/** Code that halts unless the program leaves a word that is not zero. */
const unlessZero = (program: string): string => {
  const length = assemble(program).length;
  return encodeData(Uint8Array.from([...assemble(program), 0x60, length + 4, 0x57, 0xfe, 0x5b]));
};

/** A chain of five blocks. None of the methods changes it. */
let node: HindcastNode;
let plain: Client;

beforeAll(async () => {
  node = await openNode();
  await node.mine({ blocks: 5 });
  ({ plain } = await serve(node));
});
afterAll(() => node.close());

describe.each(Object.entries(METHODS))("%s", (method, run) => {
  it("reads the hash of the head from a later block, and not from the head itself", async () => {
    const head = await plain.ask<{ hash: string; number: string }>("eth_getBlockByNumber", "latest", false);
    const code = unlessZero(`${head.hash} 5 BLOCKHASH EQ`);
    const old = await plain.ask<{ hash: string }>("eth_getBlockByNumber", "0x4", false);
    const oldCode = unlessZero(`${old.hash} 4 BLOCKHASH EQ`);
    for (const [number, ofHead, ofParent] of [
      [6, true, true],
      [260, true, true],
      [261, true, false],
      [262, false, false],
    ] as const) {
      // A simulation has at most 256 blocks, all of which it makes.
      if (method === "eth_simulateV1" && (number > 261 || (number === 260 && !isSlow))) continue;
      const block = { number: quantity(number) };
      expect([number, await run(plain, { state: { [PLACE]: { code } }, block })]).toEqual([number, ofHead]);
      expect([number, await run(plain, { state: { [PLACE]: { code: oldCode } }, block })]).toEqual([number, ofParent]);
    }
    if (method === "eth_simulateV1") return;
    expect(await run(plain, { state: { [PLACE]: { code } }, block: { number: "0x5" } })).toBe(false);
    expect(await run(plain, { state: { [PLACE]: { code } }, block: {} })).toBe(false);
  });

  it("reads the hashes that are given for earlier blocks, by no others", async () => {
    const given = wordText(0x77);
    for (const [number, asked, hash] of [
      [9, 7, given],
      [9, 5, given],
      [9, 9, wordText(0)],
      [6, 5, given],
    ] as const) {
      const code = unlessZero(`${hash} ${asked} BLOCKHASH EQ`);
      const block = { number: quantity(number), blockHash: { [asked]: given } };
      expect([asked, await run(plain, { state: { [PLACE]: { code } }, block })]).toEqual([asked, true]);
    }
  });

  it.each([
    ["geth's", { number: "0x64", time: "0x70000000" }],
    ["Erigon's", { blockNumber: "0x64", timestamp: "0x70000000" }],
    ["in another case", { blocknumber: "0x64", timeStamp: "0x70000000" }],
    ["both, where they agree", { number: "0x64", blockNumber: "0x64", time: null, timestamp: "0x70000000" }],
  ])("takes the names %s", async (_whose, block) => {
    const state = { [PLACE]: { code: unlessZero("100 NUMBER EQ 0x70000000 TIMESTAMP EQ AND") } };
    expect(await run(plain, { state, block })).toBe(true);
    if (method !== "eth_simulateV1") expect(await run(plain, { state, block: {} })).toBe(false);
  });

  it.each([
    ["a block override that is misspelled", { block: { timestmp: "0x1" } }, '"timestmp"', "Did you mean timestamp?"],
    ["one that no client has", { block: { weather: "0x1" } }, '"weather"', "Use some of: number, "],
    ["a state override", { state: { [PLACE]: { ballance: "0x1" } } }, '"ballance"', "Did you mean balance?"],
    ["one without any likeness", { state: { [PLACE]: { owner: "0x1" } } }, '"owner"', "Use some of: balance, "],
    ["two that contradict", { block: { number: "0x9", blockNumber: "0x8" } }, ".blockNumber: ", "as that of number"],
    ["a value of a renamed one", { block: { blockNumber: "nine" } }, ".blockNumber: ", '"nine"'],
  ])("refuses %s", async (_what, given, member, hint) => {
    const request = run(plain, { state: {}, block: {}, ...given });
    await expect(request).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(member) });
    await expect(request).rejects.toThrow(hint);
  });
});

it("eth_createAccessList takes and refuses the same state overrides", async () => {
  const code = encodeData(assemble("7 SLOAD POP"));
  expect(await plain.ask("eth_createAccessList", CALL, "latest", { [PLACE]: { Code: code } })).toMatchObject({
    accessList: [{ address: PLACE, storageKeys: [wordText(7)] }],
  });
  const refused = await plain.failure("eth_createAccessList", CALL, "latest", { [PLACE]: { codes: code } });
  expect(refused.message).toContain("Did you mean code?");
});

it("unknown members of call objects are ignored, as in geth", async () => {
  expect(await plain.ask("eth_call", { ...CALL, valeu: "0x1" }, "latest")).toBe("0x");
});
