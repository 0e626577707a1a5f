/** Every method with inputs that it cannot read: the answer names the param, and nothing has changed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { type Backend, openBackend } from "../../src/node/backend.ts";
import { createNode } from "../../src/node/create-node.ts";
import { HindcastNode } from "../../src/node/hindcast-node.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";
import { methods } from "../../src/rpc/registry.ts";
import type { Param } from "../../src/rpc/schema/check-params.ts";
import { ALICE, BOB, NOW, type RpcFailure, wordText } from "../support/a-node.ts";
import { someOfEach } from "../support/seed.ts";
import { tellStory } from "./a-story.ts";

/** Values of every type of JSON. */
const TYPES: readonly unknown[] = [true, 7, 1.5, "text", [], {}, [[]], [{}], [true]];
/** Of the right type for some, and malformed for most. */
const MALFORMED: readonly unknown[] = [
  ...["", "0x", "0xzz", "0x0", "0x00", "0x01", `0x${"1".repeat(67)}`, "ab", "latest ", "LATEST", "-1", "0x-1"],
  ...[-1, 2 ** 60, 1e300, ["0xzz"], [null], [["0x"]]],
  ...[{ unknownMember: 1 }, { blockHash: "0x12" }, { from: 5 }, { data: "0xabc" }, { fromBlock: "0x01" }],
  ...[{ timestamp: -1 }, { blocks: "x" }, { topics: "0x" }, { tracer: 7 }, { [ALICE]: 7 }],
];
/** Something that every param accepts is among these. */
const GOOD: readonly unknown[] = [
  ...[
    "0x1",
    ALICE,
    wordText(1),
    "latest",
    "newHeads",
    "traceChain",
    true,
    1,
    {},
    [],
    ["trace"],
    "0x01",
    "text",
    [{}],
    `0x${"11".repeat(65)}`,
  ],
  ...[
    { to: BOB },
    { [ALICE]: [] },
    { blockNumber: "latest" },
    { transactions: [] },
    { blocks: ["0x1", "0x1"] },
    { calls: [{}] },
    { blockStateCalls: [{}] },
  ],
  ...[{ chainId: "0x1" }, { type: "ERC20", options: { address: ALICE, symbol: "T", decimals: 18 } }],
  {
    timestamp: "0x1",
    prevRandao: wordText(1),
    suggestedFeeRecipient: ALICE,
    withdrawals: [],
    parentBeaconBlockRoot: wordText(1),
  },
  { txs: [], blockNumber: "0x1", stateBlockNumber: "latest" },
  ...[{ token: "text" }, { token: "text", chunk: 0 }],
  {
    token: "text",
    position: { incarnation: "0x", sequence: "0x0", hash: wordText(1) },
    method: "eth_chainId",
    params: [],
  },
  { types: { EIP712Domain: [] }, primaryType: "EIP712Domain", domain: {}, message: {} },
];

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** A value for each param that its schema takes. */
const goodValues = (params: readonly Param[]): unknown[] =>
  params.map(({ name, schema }) => {
    const good = GOOD.find((value) => accepts(schema, value));
    if (good === undefined) throw new Error(`nothing good for ${name}`);
    return good;
  });

interface WrongInput {
  readonly params: readonly unknown[];
  /** Beginning of the message. */
  readonly names: RegExp;
  /** Why it is wrong; default tests try a few of each kind. */
  readonly kind: string;
}

/** Params that must be refused: each of a wrong type or malformed, required ones missing, too many. */
function wrongInputs(params: readonly Param[]): WrongInput[] {
  const good = goodValues(params);
  const inputs = params.flatMap(({ schema, fallback }, position): WrongInput[] => {
    const before = good.slice(0, position);
    const names = new RegExp(`^params\\[${position}\\][^ ]*: (expected |unknown member )`);
    const candidates = [...TYPES, ...MALFORMED, ...(fallback === undefined ? [null] : [])];
    const wrong = candidates.filter((value) => !accepts(schema, value));
    const missing = {
      params: before,
      names: new RegExp(`^params\\[${position}\\]: missing value`),
      kind: `${position} is missing`,
    };
    const kindOf = (value: unknown): string => `${position} is ${TYPES.includes(value) ? "of a type" : "malformed"}`;
    return [
      ...wrong.map((value) => ({ params: [...before, value], names, kind: kindOf(value) })),
      ...(fallback === undefined ? [missing] : []),
    ];
  });
  const tooMany = new RegExp(`^params: expected at most ${params.length} values, got ${params.length + 1}\\.`);
  return [...inputs, { params: [...good, "0x1"], names: tooMany, kind: "too many" }];
}

/** Everything a request may have changed. */
const tellAll = ({ chain, pool, clock, keyring, miner, schedule }: Backend): unknown => ({
  head: encodeData(chain.head.hash),
  stateRoot: encodeData(chain.headStateId),
  pool: pool.version,
  clock: clock.state,
  accounts: keyring.accounts.length,
  settings: miner.settings,
  mode: schedule.mode,
});

describe("inputs that a method cannot read", () => {
  let backend: Backend;
  let node: HindcastNode;
  beforeAll(async () => {
    backend = await openBackend({ clock: () => NOW });
    node = new HindcastNode(backend, {});
    await tellStory(node);
  });
  afterAll(() => node.close());

  it.each(methods)("$name answers -32602, names the param and changes nothing", async (method) => {
    const { name, params, aliasOf } = method;
    const before = tellAll(backend);
    const inputs = wrongInputs(params);
    expect(inputs.length).toBeGreaterThanOrEqual(params.length === 0 ? 1 : 3);
    // Another name leads to the same: some of them show that it does.
    const own = aliasOf === undefined ? inputs : inputs.filter((_, index) => index % 7 === 0);
    const chosen = someOfEach(own, ({ kind }) => kind, aliasOf === undefined ? 4 : 1);
    // The only method whose params may be an object (EIP-747).
    const names = name === "wallet_watchAsset" ? /^params\[0\]\.type: expected/ : /^params: expected an array/;
    for (const input of [...chosen, { params: { named: 1 }, names }]) {
      const shown = JSON.stringify(input.params);
      const error = await node.provider.send(name, input.params).then(
        (result) => ({ code: 0, message: `answered ${JSON.stringify(result)}` }),
        (reason: RpcFailure) => reason,
      );
      expect({ shown, code: error.code, message: error.message }).toEqual({
        shown,
        code: -32602,
        message: expect.stringMatching(input.names),
      });
    }
    expect(tellAll(backend)).toEqual(before);
  });
});

it("in process, values that JSON has no form for are refused like others", async () => {
  await using node = await createNode();
  const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
  await expect(ask("eth_getBalance", 10n, "latest")).rejects.toMatchObject({
    code: -32602,
    message:
      'params[0]: expected an address ("0x" and 40 hex digits) such as "0x70997970c51812dc3a010c7d01b50e0d17dc79c8", got 10n.',
  });
  await expect(ask("eth_call", { to: BOB, value: 10n })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/^params\[0\]\.value: expected .*, got 10n\.$/),
  });
  await expect(ask("web3_sha3", () => 1)).rejects.toMatchObject({ code: -32602 });
});
