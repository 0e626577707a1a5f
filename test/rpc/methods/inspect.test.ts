/** hindcast_get…: parts of transactions, held against geth's and Parity's formats of the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { buildDemo } from "../../explorer/demo-chain.mjs";
import { ALICE, aNode, BOB, type Client, NOBODY, openNode, serve, wordText } from "../../support/a-node.ts";
import { assemble } from "../../support/assembler.ts";
import { deploy, send } from "../../support/contracts.ts";

interface Call {
  readonly index: number;
  readonly parent: number;
  readonly kind: string;
  readonly to: string;
  readonly gasUsed: string;
  readonly contract: string;
  readonly function: string | null;
  readonly failure: string | null;
  readonly printed: string | null;
  readonly steps: readonly [number, number];
  readonly logs: readonly { readonly text: string | null; readonly topics: readonly string[] }[];
}

interface CallPart {
  readonly callCount: number;
  readonly stepCount: number;
  readonly calls: readonly Call[];
  readonly storage: readonly {
    call: number;
    account: string;
    slot: string;
    before: string;
    after: string;
    isUndone: boolean;
    variables: readonly { name: string; before: string; after: string }[];
  }[];
}

interface Step {
  readonly step: number;
  readonly stepCount: number;
  readonly call: number;
  readonly depth: number;
  readonly pc: number;
  readonly op: string;
  readonly gas: string;
  readonly stack: readonly string[];
  readonly memory: string;
  readonly line: number | null;
  readonly source: readonly { readonly line: number; readonly text: string }[];
  readonly storage: readonly { readonly slot: string; readonly value: string }[];
}

interface StructLogs {
  readonly structLogs: readonly {
    readonly pc: number;
    readonly op: string;
    readonly gas: number;
    readonly depth: number;
    readonly stack: readonly string[];
    readonly memory?: readonly string[];
  }[];
}

/** One chain for all tests: none changes it. */
async function openDemo() {
  const node = await openNode({ hardfork: "cancun" });
  const demo = await buildDemo(node);
  const { plain } = await serve(node);
  return { node, demo, plain };
}

let shared: Awaited<ReturnType<typeof openDemo>>;
beforeAll(async () => {
  shared = await openDemo();
});
afterAll(() => shared.node.close());

const partOf = (plain: Client, hash: string, part?: object): Promise<CallPart> =>
  plain.ask("hindcast_getCalls", hash, ...(part === undefined ? [] : [part]));

describe("hindcast_getCalls", () => {
  it("names what each write changed, as hindcast_stateChanges does", async () => {
    const { plain, demo } = shared;
    const { storage } = await partOf(plain, demo.routed);
    const { storage: named } = await plain.ask<{ storage: { name: string; slot: string; before: string }[] }>(
      "hindcast_stateChanges",
      demo.routed,
    );
    const first = new Map<string, string>();
    for (const { account, variables } of storage)
      for (const { name, before } of variables) if (!first.has(account + name)) first.set(account + name, before);
    expect(storage.every(({ variables }) => variables.length > 0)).toBe(true);
    expect([...first.values()].sort()).toEqual(named.map(({ before }) => before).sort());
  });

  it("names calls, events, failures and printed lines, and has the calls of trace_transaction", async () => {
    const { plain, demo } = shared;
    const { calls, callCount } = await partOf(plain, demo.routed);
    const traces = await plain.ask<{ action: { to: string }; result?: { gasUsed: string } }[]>(
      "trace_transaction",
      demo.routed,
    );
    expect(callCount).toBe(traces.length);
    expect(calls.map(({ to }) => to)).toEqual(traces.map(({ action }) => action.to));
    expect(calls[0]).toMatchObject({ contract: "Router", function: "route", parent: -1, kind: "call", failure: null });
    expect(calls[3]).toMatchObject({ contract: "Proxy", failure: expect.stringMatching(/^SlippageExceeded\(/) });
    expect(calls.map(({ printed }) => printed).filter((text) => text !== null)).toHaveLength(3);
    const names = calls.flatMap(({ logs }) => logs.map(({ text }) => text?.replace(/\(.*/s, "")));
    expect(names.filter((name) => name === "Skipped")).toHaveLength(3);
  });

  it("tells of storage what prestateTracer tells, once what was undone is left out", async () => {
    const { plain, demo } = shared;
    const { storage } = await partOf(plain, demo.routed);
    const { pre, post } = await plain.ask<Record<"pre" | "post", Record<string, { storage?: Record<string, string> }>>>(
      "debug_traceTransaction",
      demo.routed,
      { tracer: "prestateTracer", tracerConfig: { diffMode: true } },
    );
    const net = new Map<string, { before: string; after: string }>();
    for (const { account, slot, before, after, isUndone } of storage) {
      if (isUndone) continue;
      net.set(`${account} ${slot}`, { before: net.get(`${account} ${slot}`)?.before ?? before, after });
    }
    const zero = wordText(0);
    const expected = new Map<string, { before: string; after: string }>();
    for (const [account, { storage: slots = {} }] of [...Object.entries(pre), ...Object.entries(post)]) {
      for (const slot of Object.keys(slots)) {
        const before = pre[account]?.storage?.[slot] ?? zero;
        expected.set(`${account} ${slot}`, { before, after: post[account]?.storage?.[slot] ?? zero });
      }
    }
    const changed = new Map([...net].filter(([, { before, after }]) => before !== after));
    expect(changed).toEqual(expected);
    expect(storage.some(({ isUndone }) => isUndone)).toBe(true);
  });

  it("a slot that a failed call gave back is found by later calls as it was before", async () => {
    const node = await aNode();
    // Writes the call's first word to slot 0, and reverts where the second one is set.
    const inner = await deploy(node, assemble("0 CALLDATALOAD 0 SSTORE 32 CALLDATALOAD @no JUMPI STOP no: 0 0 REVERT"));
    const outer = await deploy(
      node,
      assemble(`
        7 0 MSTORE 1 32 MSTORE 0 0 64 0 0 ${inner} GAS CALL POP
        8 0 MSTORE 0 32 MSTORE 0 0 64 0 0 ${inner} GAS CALL POP
      `),
    );
    const hash = await send(node, { from: ALICE, to: outer, gas: "0x186a0" });
    const { plain } = await serve(node);
    const { storage } = await partOf(plain, hash);
    expect(storage.map(({ before, after, isUndone }) => [Number(before), Number(after), isUndone])).toEqual([
      [0, 7, true],
      [0, 8, false],
    ]);
  });

  it("answers in parts that make up the whole", async () => {
    const { plain, demo } = shared;
    const whole = await partOf(plain, demo.routed);
    const parts: CallPart[] = [];
    for (let from = 0; from < whole.callCount; from += 10)
      parts.push(await partOf(plain, demo.routed, { from, count: 10 }));
    expect(parts.flatMap(({ calls }) => calls)).toEqual(whole.calls);
    expect(parts.flatMap(({ storage }) => storage)).toHaveLength(whole.storage.length);
  });

  it.each([
    ["an unknown hash", [wordText(1)], -32000],
    ["a count of none", [wordText(1), { count: 0 }], -32602],
    ["a member that there is not", [wordText(1), { form: 1 }], -32602],
  ])("refuses %s", async (_what, params, code) => {
    const { plain } = await serve(await aNode());
    expect((await plain.failure("hindcast_getCalls", ...params)).code).toBe(code);
  });
});

describe("hindcast_getSteps and hindcast_getStep", () => {
  it("have the steps of the struct logger, with stack and memory", async () => {
    const { plain, demo } = shared;
    const { structLogs } = await plain.ask<StructLogs>("debug_traceTransaction", demo.failed, { enableMemory: true });
    const { stepCount, steps } = await plain.ask<{ stepCount: number; steps: Step[] }>(
      "hindcast_getSteps",
      demo.failed,
      {
        count: 10_000,
      },
    );
    expect(stepCount).toBe(structLogs.length);
    expect(steps.map(({ pc, op, gas, depth }) => ({ pc, op, gas: Number(gas), depth: depth + 1 }))).toEqual(
      structLogs.map(({ pc, op, gas, depth }) => ({ pc, op, gas, depth })),
    );
    for (let number = 0; number < stepCount; number += 97) {
      const step = await plain.ask<Step>("hindcast_getStep", demo.failed, number);
      const log = structLogs[number];
      expect(step.stack).toEqual(log?.stack);
      expect(step.memory.slice(2)).toBe((log?.memory ?? []).map((word) => word.replace(/^0x/, "")).join(""));
    }
  });

  it("stand at lines of the source", async () => {
    const { plain, demo } = shared;
    const { stepCount } = await partOf(plain, demo.failed);
    const { steps } = await plain.ask<{ steps: Step[] }>("hindcast_getSteps", demo.failed, { opcode: 0xfd });
    const [revert] = steps;
    expect(revert?.op).toBe("REVERT");
    const step = await plain.ask<Step>("hindcast_getStep", demo.failed, revert?.step);
    expect(step.source.find(({ line }) => line === step.line)?.text).toMatch(/revert SlippageExceeded/);
    expect(step.stepCount).toBe(stepCount);
  });

  it("know what the transaction had written to the account until then", async () => {
    const node = await aNode();
    const counter = await deploy(node, assemble("5 1 SSTORE 6 1 SSTORE 1 SLOAD POP STOP"));
    const hash = await send(node, { from: ALICE, to: counter, gas: "0x186a0" });
    const { plain } = await serve(node);
    const { steps } = await plain.ask<{ steps: Step[] }>("hindcast_getSteps", hash, { opcode: 0x55 });
    const at = async (step: number) => (await plain.ask<Step>("hindcast_getStep", hash, step)).storage;
    const [first, second] = steps as [Step, Step];
    expect(await at(first.step)).toEqual([]);
    expect(await at(second.step)).toEqual([{ slot: wordText(1), value: wordText(5) }]);
    expect(await at(second.step + 1)).toEqual([{ slot: wordText(1), value: wordText(6) }]);
  });

  it("refuse a step that there is not, and go through none of a transfer", async () => {
    const node = await aNode();
    const hash = await send(node, { from: ALICE, to: BOB, value: "0x1" });
    const { plain } = await serve(node);
    expect(await plain.ask("hindcast_getSteps", hash)).toEqual({ stepCount: 0, steps: [] });
    expect((await plain.failure("hindcast_getStep", hash, 0)).code).toBe(-32602);
  });
});

it("hindcast_getContract answers name and functions of what the node was told of, and null of others", async () => {
  const { plain, demo } = shared;
  const contract = await plain.ask<{ name: string; functions: { signature: string; selector: string }[] }>(
    "hindcast_getContract",
    demo.gold,
  );
  expect(contract.name).toBe("Token");
  expect(contract.functions).toContainEqual(
    expect.objectContaining({ signature: "transfer(address,uint256)", selector: "0xa9059cbb" }),
  );
  expect(await plain.ask("hindcast_getContract", NOBODY)).toBeNull();
  expect(await plain.ask("hindcast_getContract", demo.gold, "earliest")).toBeNull();
});

describe("hindcast_getBlocks", () => {
  interface Listed {
    readonly number: string;
    readonly hash: string;
    readonly isCanonical: boolean;
    readonly transactionCount: number;
  }

  it("lists blocks from the head down, and those that a reorg put beside the chain", async () => {
    const node = await aNode();
    await send(node, { from: ALICE, to: BOB, value: "0x1" });
    const lost = encodeData(node.head.hash);
    await node.reorg({ depth: 1, blocks: [[], []] });
    const { plain } = await serve(node);
    const blocks = await plain.ask<Listed[]>("hindcast_getBlocks");
    expect(blocks.map(({ number, isCanonical }) => [Number(number), isCanonical])).toEqual([
      [2, true],
      [1, true],
      [1, false],
      [0, true],
    ]);
    expect(blocks[2]).toMatchObject({ hash: lost, transactionCount: 1 });
    expect(await plain.ask("hindcast_getBlocks", { from: "0x1", count: 1 })).toEqual([blocks[1], blocks[2]]);
    expect(await plain.ask("hindcast_getBlocks", { from: "0x63" })).toEqual(blocks);
  });

  it("refuses more than 200 at a time", async () => {
    const { plain } = await serve(await aNode());
    expect((await plain.failure("hindcast_getBlocks", { count: 201 })).code).toBe(-32602);
  });
});
