import { beforeAll, describe, expect, it } from "vitest";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { assemble } from "../../support/assembler.ts";
import { word } from "../../support/evm.ts";
import { openCaseRunner } from "./case-runner.mjs";
import { casesOf } from "./entries.mjs";
import { ALICE, anEntry, BOB, COINBASE, EMPTY, ETHER, fromSource, type HandMade, transferred } from "./hand-made.ts";

type Runner = Awaited<ReturnType<typeof openCaseRunner>>;
type Entry = Awaited<ReturnType<typeof anEntry>>;

let runner: Runner;
beforeAll(async () => {
  runner = await openCaseRunner(fromSource, "wasm");
});

/** The failures of the cases of an entry. */
async function problemsOf(entry: Entry): Promise<(string | undefined)[]> {
  const results = await runner.runEntry(entry, casesOf(entry, "file"));
  return results.map(([, problem]) => problem);
}

const problemOf = async (made: HandMade): Promise<string | undefined> => (await problemsOf(await anEntry(made)))[0];

const BURNING = ["London", "Paris", "Shanghai", "Cancun"];
const NETWORKS = [
  "Frontier",
  "Homestead",
  "EIP150",
  "EIP158",
  "Byzantium",
  "Constantinople",
  "ConstantinopleFix",
].concat(["Istanbul", "Berlin"], BURNING);

describe.each(NETWORKS)("a transfer (%s)", (network) => {
  const after = transferred(BURNING.includes(network));

  it("passes with the root of what it does", async () => {
    expect(await problemOf({ network, after })).toBeUndefined();
  });

  it("does not pass with any other", async () => {
    const withOneWeiMore: HandMade["after"] = (state) => {
      after(state);
      state.put(BOB, { balance: 6n });
    };
    expect(await problemOf({ network, after: withOneWeiMore })).toMatch(
      /^state root: got 0x\w{64}, expected 0x\w{64}$/,
    );
    expect(await problemOf({ network })).toMatch(/^state root: /);
  });

  it("does not pass if it is to be refused", async () => {
    expect(await problemOf({ network, after, expectException: "TR_NoFunds" })).toBe("accepted, expected TR_NoFunds");
  });
});

describe("logs", () => {
  const code = assemble("0xcafe 0 MSTORE 0x11 32 0 LOG1");
  const made: HandMade = {
    network: "Berlin",
    transaction: { gasPrice: "0x00", gasLimit: ["0x0186a0"], value: ["0x00"] },
    pre: (state) => state.put(BOB, { code }),
    after: (state) => state.put(ALICE, { nonce: 1n, balance: ETHER }),
    logs: [[BOB, [word(0x11n)], word(0xcafen)]],
  };

  it("are compared by their hash", async () => {
    expect(await problemOf(made)).toBeUndefined();
    expect(await problemOf({ ...made, logs: [[BOB, [word(0x12n)], word(0xcafen)]] })).toMatch(/^logs hash: got 0x/);
    expect(await problemOf({ ...made, logs: [] })).toMatch(/^logs hash: got 0x/);
  });
});

describe("a refused transaction", () => {
  const refused = { transaction: { nonce: "0x07" }, expectException: "TR_NonceTooHigh" };
  const createsCoinbase: HandMade["after"] = (state) => state.put(COINBASE, EMPTY);

  it("leaves the state as it was, but for the coinbase, which is created before EIP-158", async () => {
    expect(await problemOf({ network: "EIP150", ...refused, after: createsCoinbase })).toBeUndefined();
    expect(await problemOf({ network: "EIP150", ...refused })).toMatch(/^state root: /);
    expect(await problemOf({ network: "EIP158", ...refused })).toBeUndefined();
    expect(await problemOf({ network: "EIP158", ...refused, after: createsCoinbase })).toMatch(/^state root: /);
  });

  it.each(["EIP158", "Cancun", "Osaka"])("does not touch a coinbase that is empty (%s)", async (network) => {
    const made: HandMade = { network, ...refused, pre: (state) => state.put(COINBASE, EMPTY) };
    expect(await problemOf(made)).toBeUndefined();
    expect(await problemOf({ ...made, after: (state) => state.delete(COINBASE) })).toMatch(/^state root: /);
  });

  it("does not pass if it is refused for another reason than the expected one", async () => {
    const made: HandMade = { network: "Osaka", transaction: refused.transaction };
    const right = "TransactionException.NONCE_MISMATCH_TOO_HIGH";
    expect(await problemOf({ ...made, expectException: right })).toBeUndefined();
    const other = "TransactionException.NONCE_MISMATCH_TOO_LOW";
    expect(await problemOf({ ...made, expectException: other })).toMatch(
      /^expected .*TOO_LOW, refused: nonce too high/,
    );
  });

  it("does not pass unless it is expected", async () => {
    const { transaction } = refused;
    expect(await problemOf({ network: "Cancun", transaction })).toMatch(/^refused: nonce too high/);
  });

  const blobs = (count: number) => ({
    gasPrice: undefined,
    maxFeePerGas: "0x0a",
    maxPriorityFeePerGas: "0x00",
    maxFeePerBlobGas: "0x01",
    blobVersionedHashes: new Array(count).fill(`0x01${"00".repeat(31)}`),
  });

  it.each([
    ["a value of more than 256 bits", "Cancun", { value: [`0x:bigint 0x1${"0".repeat(64)}`] }],
    ["a gas limit of more than 64 bits", "Cancun", { gasLimit: ["0x010000000000000000"] }],
    ["the last nonce", "Cancun", { nonce: "0xffffffffffffffff" }],
    ["a nonce of more than 64 bits", "Cancun", { nonce: "0x010000000000000000" }],
    ["a gas price of more than 256 bits", "Cancun", { gasPrice: `0x01${"0".repeat(64)}` }],
    ["a gas limit above the block's", "Cancun", { gasLimit: ["0x05f5e101"] }],
    ["more blobs than a block may have", "Cancun", blobs(7)],
    ["a type that is not known yet", "Shanghai", blobs(1)],
    ["a type that is not known yet", "Istanbul", { accessLists: [[]] }],
  ])("may have %s (%s)", async (_, network, transaction) => {
    expect(await problemOf({ network, transaction })).toMatch(/^refused: /);
    expect(await problemOf({ network, transaction, expectException: "any" })).toBeUndefined();
  });

  it("does not have as many blobs as a block may have", async () => {
    const after: HandMade["after"] = (state) => {
      transferred(true)(state);
      state.put(ALICE, { nonce: 1n, balance: ETHER - 5n - 210_000n - 6n * 131_072n });
    };
    expect(await problemOf({ network: "Cancun", transaction: blobs(6), after })).toBeUndefined();
  });
});

it("gives code the chain id of the entry and the block of its environment", async () => {
  const store = (opcode: string, slot: number) => `${opcode} ${slot} SSTORE `;
  const opcodes = [
    "CHAINID",
    "NUMBER",
    "TIMESTAMP",
    "GASLIMIT",
    "DIFFICULTY",
    "4 BLOCKHASH",
    "5 BLOCKHASH",
    "SELFBALANCE",
  ];
  const code = assemble(opcodes.map((opcode, index) => store(opcode, index + 1)).join(""));
  const values = [0x1337n, 5n, 1000n, 100_000_000n, 0x020000n];
  const problem = await problemOf({
    network: "Berlin",
    config: { chainid: "0x1337" },
    transaction: { gasPrice: "0x00", gasLimit: ["0x0f4240"] },
    pre: (state) => state.put(BOB, { code }),
    after: (state) => {
      state.put(ALICE, { nonce: 1n, balance: ETHER - 5n });
      state.put(BOB, { balance: 5n });
      for (const [index, value] of values.entries()) state.putSlot(BOB, word(BigInt(index + 1)), trimmed(value));
      state.putSlot(BOB, word(6n), keccak256(new TextEncoder().encode("4")));
      state.putSlot(BOB, word(8n), trimmed(5n));
    },
  });
  expect(problem).toBeUndefined();
});

const trimmed = (value: bigint) => word(value).subarray(word(value).findIndex((byte) => byte !== 0));

it("starts every case of an entry from the same state", async () => {
  const { post, ...entry } = await anEntry({ network: "Berlin", after: transferred(false) });
  const twice = { ...entry, post: { ...post, Berlin: [...(post.Berlin ?? []), ...(post.Berlin ?? [])] } };
  expect(await problemsOf(twice)).toEqual([undefined, undefined]);
});

it("picks data, gas limit and value by their indexes", async () => {
  const { post, ...entry } = await anEntry({
    network: "Berlin",
    transaction: { data: ["0x00", "0x"], gasLimit: ["0x00", "0x00", "0x5208"], value: ["0x09", "0x05"] },
    after: transferred(false),
  });
  const [right] = post.Berlin ?? [];
  if (right === undefined) throw new Error("the entry has no case");
  const at = (data: number, gas: number, value: number) => ({ ...right, indexes: { data, gas, value } });
  const problems = await problemsOf({
    ...entry,
    post: { Berlin: [at(1, 2, 1), at(0, 2, 1), at(1, 1, 1), at(1, 2, 0)] },
  });
  expect(problems).toEqual([
    undefined,
    expect.stringMatching(/^refused: intrinsic gas too low/),
    expect.stringMatching(/^refused: intrinsic gas too low/),
    expect.stringMatching(/^state root: /),
  ]);
});

it("reports a case that breaks, and runs the next one", async () => {
  const { post, ...entry } = await anEntry({ network: "Berlin", after: transferred(false) });
  const [right] = post.Berlin ?? [];
  if (right === undefined) throw new Error("the entry has no case");
  const broken = { ...right, indexes: { data: 0, gas: 0, value: 3 } };
  const problems = await problemsOf({ ...entry, post: { Berlin: [broken, right], Atlantis: [right] } });
  expect(problems).toEqual([
    expect.stringMatching(/^threw TypeError: /),
    undefined,
    expect.stringContaining("unknown network Atlantis"),
  ]);
});

it("reads a pre-state with code, storage and accounts that are empty", async () => {
  const fill: HandMade["pre"] = (state) => {
    state.put(COINBASE, EMPTY);
    state.put(BOB, { code: assemble("1 SLOAD 2 SSTORE"), nonce: 3n });
    state.putSlot(BOB, word(1n), trimmed(0xabcdn));
  };
  const problem = await problemOf({
    network: "EIP150",
    transaction: { gasPrice: "0x00", gasLimit: ["0x0f4240"], value: ["0x00"] },
    pre: fill,
    after: (state) => {
      state.put(ALICE, { nonce: 1n });
      state.putSlot(BOB, word(2n), trimmed(0xabcdn));
    },
  });
  expect(problem).toBeUndefined();
});

it("names the cases", async () => {
  const entry = await anEntry({ network: "Berlin", after: transferred(false) });
  const [result] = await runner.runEntry(entry, casesOf(entry, "some/file"));
  expect(result).toEqual(["some/file/made/by_hand/Berlin/d0g0v0", undefined]);
});
