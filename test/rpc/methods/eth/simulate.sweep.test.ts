/** eth_simulateV1: blocks, validation, errors. Numbers worked out by hand from execution-apis' notes and the EIPs. */
import { getCreateAddress } from "ethers";
import { describe, expect, it } from "vitest";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  CAROL,
  type Client,
  type Json,
  NOBODY,
  NOW,
  quantity,
  wordText,
} from "../../../support/a-node.ts";
import { assemble } from "../../../support/assembler.ts";
import { blockHashOf } from "../../../support/block-json.ts";
import { EMITTER, LOOP, logCall, REVERTER } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";
import { isSlow } from "../../../support/seed.ts";

const PLACE = addressText(0x11);
const GWEI = 1_000_000_000n;
const ETHER = 10n ** 18n;

interface Call extends Json {
  readonly returnData: string;
  readonly gasUsed: string;
  readonly status: string;
  readonly logs: Json[];
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}
type Block = Json & { readonly calls: Call[] };

const code = (program: string): { code: string } => ({ code: encodeData(assemble(program)) });
/** Code that returns one word: what the program leaves on the stack. */
const returning = (program: string): { code: string } => code(`${program} 0 MSTORE 32 0 RETURN`);

function simulating(plain: Client, options: Json = {}, at = "latest") {
  return (...blockStateCalls: Json[]): Promise<Block[]> =>
    plain.ask("eth_simulateV1", { blockStateCalls, ...options }, at);
}

function refusing(plain: Client, options: Json = {}) {
  return (...blockStateCalls: Json[]) => plain.failure("eth_simulateV1", { blockStateCalls, ...options }, "latest");
}

const transactionsOf = (block: Block | undefined): Json[] => (block?.transactions ?? []) as Json[];

const VALIDATION = { validation: true };

describe("a simulated block", () => {
  it("follows its parent: next number, twelve seconds later, same gas limit, free gas, everything else empty", async () => {
    const { plain } = await aServedNode({ hardfork: "osaka" });
    const genesis = await plain.ask<Json>("eth_getBlockByNumber", "0x0", false);
    const [block] = await simulating(plain)({});
    expect(block).toMatchObject({
      parentHash: genesis.hash,
      number: "0x1",
      timestamp: quantity(NOW + 12),
      gasLimit: genesis.gasLimit,
      gasUsed: "0x0",
      baseFeePerGas: "0x0",
      miner: genesis.miner,
      mixHash: wordText(0),
      nonce: "0x0000000000000000",
      extraData: "0x",
      parentBeaconBlockRoot: wordText(0),
      transactions: [],
      uncles: [],
      withdrawals: [],
      calls: [],
    });
    expect(blockHashOf(block as Json)).toBe((block as Json).hash);
    expect(block).not.toHaveProperty("totalDifficulty");
  });

  it("has what a block mined from the same transactions has: roots, bloom, gas, requests", async () => {
    const { node, plain } = await aServedNode({ hardfork: "osaka", mining: "manual" });
    const emitter = encodeData(EMITTER);
    await node.setCode(assemble(`[${PLACE.slice(2)}]`), EMITTER);
    const withdrawalRequests = "0x00000961ef480eb55e80d19ad83579a64c007002";
    const fees = { maxFeePerGas: quantity(3n * GWEI), maxPriorityFeePerGas: quantity(GWEI), gas: "0x30d40" };
    const calls = [
      { from: ALICE, to: BOB, value: quantity(ETHER), ...fees },
      { from: ALICE, to: PLACE, input: logCall([1, 2], "0xc0ffee"), ...fees },
      { from: ALICE, input: `0x${"60".padEnd(4, "0")}600055`, ...fees },
      { from: BOB, to: withdrawalRequests, value: "0x1", input: `0x${"ab".repeat(56)}`, ...fees },
    ];
    for (const call of calls) await plain.ask("eth_sendTransaction", call);
    const [mined] = await node.mine();
    const real = await plain.ask<Json>("eth_getBlockByNumber", "0x1", false);
    expect(mined?.transactions).toHaveLength(calls.length);
    const overrides = { time: real.timestamp, prevRandao: real.mixHash };
    // The code was set between the blocks, so that the simulation finds it by the block's own state.
    const [simulated] = await simulating(plain, VALIDATION, "0x0")({ blockOverrides: overrides, calls });
    for (const member of ["stateRoot", "receiptsRoot", "logsBloom", "gasUsed", "baseFeePerGas", "requestsHash"]) {
      expect({ [member]: (simulated as Json)[member] }).toEqual({ [member]: real[member] });
    }
    expect(await plain.ask("eth_getCode", PLACE)).toBe(emitter);
  });

  it("leaves nothing behind", async () => {
    const { plain } = await aServedNode();
    await simulating(plain)({
      stateOverrides: { [NOBODY]: { balance: "0x7" } },
      calls: [{ from: ALICE, to: BOB, value: "0x1" }],
    });
    expect(await plain.ask("eth_blockNumber")).toBe("0x0");
    expect(await plain.ask("eth_getBalance", NOBODY)).toBe("0x0");
    expect(await plain.ask("eth_getTransactionCount", ALICE)).toBe("0x0");
  });

  if (isSlow) {
    it("lets other work go on while it runs", async () => {
      const gasLimit = 300_000_000n;
      const { plain } = await aServedNode({ gasLimit, limits: { callGasLimit: gasLimit } });
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const stateOverrides = { [PLACE]: { code: encodeData(LOOP) } };
      await simulating(plain)({ stateOverrides, calls: [{ to: PLACE }] });
      clearInterval(timer);
      expect(turns).toBeGreaterThan(5);
    });
  }

  it("is linked to the one before, and BLOCKHASH knows them all", async () => {
    const { node, plain } = await aServedNode();
    await node.mine({ blocks: 2 });
    const older = await plain.ask<Json>("eth_getBlockByNumber", "0x1", false);
    const base = await plain.ask<Json>("eth_getBlockByNumber", "0x2", false);
    const hashOf = (number: number): Json => ({ to: PLACE, input: wordText(number) });
    const calls = [1, 2, 3, 4, 5, 99].map(hashOf);
    const stateOverrides = { [PLACE]: returning("0 CALLDATALOAD BLOCKHASH") };
    const [first, second, third] = await simulating(plain)({}, {}, { stateOverrides, calls });
    expect(second?.parentHash).toBe(first?.hash);
    expect(third?.parentHash).toBe(second?.hash);
    const hashes = third?.calls.map(({ returnData }) => returnData);
    expect(hashes).toEqual([older.hash, base.hash, first?.hash, second?.hash, wordText(0), wordText(0)]);
  });

  it("tells its parent's hash and beacon root to the contracts of EIP-2935 and EIP-4788", async () => {
    const { plain } = await aServedNode({ hardfork: "prague" });
    const history = "0x0000f90827f1c53a10cb7a02335b175320002935";
    const beaconRoots = "0x000f3df6d732807ef1319fb7b8bb8522d0beac02";
    const [first, second] = await simulating(plain)(
      {},
      {
        blockOverrides: { beaconRoot: wordText(0xbeac), time: quantity(NOW + 50) },
        calls: [
          { to: history, input: wordText(1) },
          { to: beaconRoots, input: wordText(NOW + 50) },
        ],
      },
    );
    expect(second?.calls[0]?.returnData).toBe(first?.hash);
    expect(second?.calls[1]?.returnData).toBe(wordText(0xbeac));
    expect(second?.parentBeaconBlockRoot).toBe(wordText(0xbeac));
  });

  it("fills gaps with empty blocks, which are answered too", async () => {
    const { plain } = await aServedNode();
    const blocks = await simulating(plain)({ blockOverrides: { number: "0x4" }, calls: [{ to: BOB }] });
    expect(blocks.map(({ number, calls }) => [number, calls.length])).toEqual([
      ["0x1", 0],
      ["0x2", 0],
      ["0x3", 0],
      ["0x4", 1],
    ]);
  });

  it("builds on the block that is named", async () => {
    const { node, plain } = await aServedNode();
    await node.mine({ blocks: 3 });
    expect((await simulating(plain, {}, "0x1")({}))[0]?.number).toBe("0x2");
    expect((await simulating(plain, {}, "pending")({}))[0]?.number).toBe("0x5");
    const hash = (await plain.ask<Json>("eth_getBlockByNumber", "0x2", false)).hash;
    const byHash = await plain.ask<Block[]>("eth_simulateV1", { blockStateCalls: [{}] }, { blockHash: hash });
    expect(byHash[0]).toMatchObject({ number: "0x3", parentHash: hash });
  });

  it("keeps an overridden coinbase and gas limit for the blocks after it, and nothing else", async () => {
    const { plain } = await aServedNode();
    const blockOverrides = {
      feeRecipient: BOB,
      gasLimit: "0x100000",
      prevRandao: wordText(5),
      baseFeePerGas: "0x7",
      time: quantity(NOW + 100),
    };
    const [first, second] = await simulating(plain)({ blockOverrides }, {});
    expect(first).toMatchObject({ miner: BOB, gasLimit: "0x100000", mixHash: wordText(5), baseFeePerGas: "0x7" });
    expect(second).toMatchObject({
      miner: BOB,
      gasLimit: "0x100000",
      mixHash: wordText(0),
      baseFeePerGas: "0x0",
      timestamp: quantity(NOW + 112),
    });
  });

  it("shows overrides to its calls", async () => {
    const { plain } = await aServedNode({ hardfork: "cancun" });
    const stateOverrides = {
      [PLACE]: code(
        "NUMBER 0 MSTORE TIMESTAMP 32 MSTORE GASLIMIT 64 MSTORE COINBASE 96 MSTORE DIFFICULTY 128 MSTORE " +
          "BASEFEE 160 MSTORE BLOBBASEFEE 192 MSTORE 224 0 RETURN",
      ),
    };
    const blockOverrides = {
      number: "0x1",
      time: "0x70000000",
      gasLimit: "0x123456",
      feeRecipient: NOBODY,
      prevRandao: wordText(5),
      baseFeePerGas: "0x9",
      blobBaseFee: "0xa",
    };
    const [block] = await simulating(plain)({ stateOverrides, blockOverrides, calls: [{ to: PLACE }] });
    const words = [1, 0x70000000, 0x123456, 0xff, 5, 9, 10].map((word) => wordText(word).slice(2));
    expect(block?.calls[0]?.returnData).toBe(`0x${words.join("")}`);
  });

  it("pays the withdrawals it is given, in gwei", async () => {
    const { plain } = await aServedNode({ hardfork: "shanghai" });
    const withdrawals = [{ index: "0x0", validatorIndex: "0x1", address: NOBODY, amount: "0x3" }];
    const balance = { stateOverrides: { [PLACE]: returning(`${NOBODY} BALANCE`) }, calls: [{ to: PLACE }] };
    const [first, second] = await simulating(plain)({ blockOverrides: { withdrawals }, ...balance }, balance);
    expect(first?.calls[0]?.returnData).toBe(wordText(0));
    expect(second?.calls[0]?.returnData).toBe(wordText(3n * GWEI));
    expect(first?.withdrawals).toEqual(withdrawals);
    expect(first?.withdrawalsRoot).not.toBe(second?.withdrawalsRoot);
  });

  it("follows the hardfork of its time", async () => {
    const blocks = Object.fromEntries(
      "homestead eip150 eip155 eip158 byzantium constantinople petersburg istanbul berlin london"
        .split(" ")
        .map((name) => [`${name}Block`, 0]),
    );
    const genesis = {
      config: { chainId: 1, terminalTotalDifficulty: 0, ...blocks, shanghaiTime: 1_020, cancunTime: 1_030 },
      timestamp: "0x3e8",
      difficulty: "0x0",
      gasLimit: "0x1c9c380",
      alloc: {},
    };
    const { plain } = await aServedNode({ genesis });
    const [paris, shanghai, cancun] = await simulating(plain)({}, {}, {});
    expect(paris).not.toHaveProperty("withdrawals");
    expect(shanghai).toMatchObject({ withdrawals: [] });
    expect(shanghai).not.toHaveProperty("blobGasUsed");
    expect(cancun).toMatchObject({ blobGasUsed: "0x0", excessBlobGas: "0x0", parentBeaconBlockRoot: wordText(0) });
    for (const block of [paris, shanghai, cancun]) expect(blockHashOf(block as Json)).toBe(block?.hash);
  });

  it("has the parent's difficulty and pays the block reward before the Merge", async () => {
    const { plain } = await aServedNode({ hardfork: "byzantium", coinbase: CAROL });
    const genesis = await plain.ask<Json>("eth_getBlockByNumber", "0x0", false);
    const balance = { stateOverrides: { [PLACE]: returning(`${NOBODY} BALANCE`) }, calls: [{ to: PLACE }] };
    const [first, second] = await simulating(plain)({ blockOverrides: { feeRecipient: NOBODY } }, balance);
    expect(first).toMatchObject({ difficulty: genesis.difficulty });
    expect(first).not.toHaveProperty("baseFeePerGas");
    // Byzantium: 3 ETH a block (EIP-649).
    expect(second?.calls[0]?.returnData).toBe(wordText(3n * ETHER));
  });
});

describe("a simulated call", () => {
  it("takes the sender's next nonce, and creates where that nonce says", async () => {
    const { plain } = await aServedNode();
    const input = encodeData(assemble("ADDRESS 0 MSTORE 32 0 RETURN"));
    const [block] = await simulating(plain, { returnFullTransactions: true })({
      stateOverrides: { [NOBODY]: { nonce: "0x5" } },
      calls: [
        { from: NOBODY, input },
        { from: NOBODY, input },
      ],
    });
    expect(transactionsOf(block).map(({ nonce }) => nonce)).toEqual(["0x5", "0x6"]);
    const created = [5, 6].map((nonce) => getCreateAddress({ from: NOBODY, nonce }).toLowerCase());
    // The deployed code is what the init code returned: its own address as a word.
    expect(block?.calls.map(({ returnData }) => `0x${returnData.slice(26)}`)).toEqual(created);
  });

  it("lets nonces start over after the last one where nobody checks them", async () => {
    const { plain } = await aServedNode();
    const [block] = await simulating(plain, { returnFullTransactions: true })({
      stateOverrides: { [NOBODY]: { nonce: "0xffffffffffffffff" } },
      calls: [
        { from: NOBODY, to: BOB },
        { from: NOBODY, to: BOB },
      ],
    });
    expect(transactionsOf(block).map(({ nonce }) => nonce)).toEqual(["0xffffffffffffffff", "0x0"]);
  });

  it("cannot create with the last nonce, and says so in the result", async () => {
    const { plain } = await aServedNode();
    const stateOverrides = { [NOBODY]: { nonce: "0xffffffffffffffff" } };
    const [block] = await simulating(plain)({ stateOverrides, calls: [{ from: NOBODY, input: "0x" }] });
    const error = { code: -32015, message: "nonce uint64 overflow" };
    // 21000 + 32000; nothing was executed.
    expect(block?.calls[0]).toMatchObject({ status: "0x0", gasUsed: quantity(53_000), error });
  });

  it("may use what its block has left, and all calls together what one call may use", async () => {
    const { plain } = await aServedNode({ limits: { callGasLimit: 100_000n } });
    const gasOf = (block: Block | undefined): unknown[] => transactionsOf(block).map(({ gas }) => gas);
    const calls = [{ to: BOB }, { to: BOB }];
    const run = simulating(plain, { returnFullTransactions: true });
    const [first, second] = await run({ blockOverrides: { gasLimit: quantity(60_000) }, calls }, { calls });
    expect(gasOf(first)).toEqual([60_000, 39_000].map(quantity));
    expect(gasOf(second)).toEqual([58_000, 37_000].map(quantity));
    // 16000 are left: not enough to start with.
    const failure = await refusing(plain)({ calls: [...calls, ...calls, ...calls] });
    expect(failure).toMatchObject({ code: -38013 });
    expect(failure.message).toEqual(saying("err: intrinsic gas too low: have 16000, want 21000 (supplied gas 16000)"));
  });

  it("is free without validation even if the base fee is overridden, and the coinbase gets nothing", async () => {
    const { plain } = await aServedNode();
    const balances = code(`${NOBODY} BALANCE 0 MSTORE BASEFEE 32 MSTORE 64 0 RETURN`);
    const [block] = await simulating(plain)({
      blockOverrides: { baseFeePerGas: "0x7", feeRecipient: NOBODY },
      stateOverrides: { [PLACE]: balances },
      calls: [{ to: PLACE }, { to: PLACE }],
    });
    expect(block?.calls[1]?.returnData).toBe(`0x${wordText(0).slice(2)}${wordText(7).slice(2)}`);
  });

  it("pays its price when it names one: base fee burnt, tip to the coinbase", async () => {
    const { plain } = await aServedNode();
    const balances = code(`${NOBODY} BALANCE 0 MSTORE ${CAROL} BALANCE 32 MSTORE 64 0 RETURN`);
    const [block] = await simulating(
      plain,
      VALIDATION,
    )({
      blockOverrides: { baseFeePerGas: "0x7", feeRecipient: NOBODY },
      stateOverrides: { [PLACE]: balances, [CAROL]: { balance: quantity(1_000_000) } },
      calls: [
        { from: CAROL, to: BOB, gas: "0x5208", maxFeePerGas: "0xa", maxPriorityFeePerGas: "0x2", value: "0x64" },
        { from: ALICE, to: PLACE, maxFeePerGas: "0x7" },
      ],
    });
    // 21000 gas at 9 wei and 100 wei of value; of the 9, 2 are the tip.
    const words = [21_000 * 2, 1_000_000 - 21_000 * 9 - 100].map((word) => wordText(word).slice(2));
    expect(block?.calls[1]?.returnData).toBe(`0x${words.join("")}`);
  });

  it("tells the most gas it used at any time, before refunds", async () => {
    const { plain } = await aServedNode();
    // Clearing slot 0: 21000 + 3 + 3 + 5000; refund 4800, within a fifth (26006 / 5 = 5201).
    const stateOverrides = { [PLACE]: { ...code("0 0 SSTORE STOP"), stateDiff: { [wordText(0)]: wordText(1) } } };
    const [block] = await simulating(plain)({ stateOverrides, calls: [{ to: PLACE }] });
    const [call] = block?.calls ?? [];
    expect(call).toMatchObject({ gasUsed: quantity(21_000 + pushes("0 0 SSTORE") + 5_000 - 4_800) });
    expect(call).toMatchObject({ maxUsedGas: quantity(21_000 + pushes("0 0 SSTORE") + 5_000) });
  });

  it("answers a revert with code 3 and its data, and empty return data", async () => {
    const { plain } = await aServedNode();
    const reason = `0x08c379a0${wordText(32).slice(2)}${wordText(4).slice(2)}${"6e6f7065".padEnd(64, "0")}`;
    const stateOverrides = { [PLACE]: { code: encodeData(REVERTER) } };
    const [block] = await simulating(plain)({ stateOverrides, calls: [{ to: PLACE, input: reason }, { to: PLACE }] });
    expect(block?.calls[0]).toMatchObject({
      status: "0x0",
      returnData: "0x",
      logs: [],
      error: { code: 3, message: "execution reverted: nope", data: reason },
    });
    expect(block?.calls[1]?.error).toEqual({ code: 3, message: "execution reverted", data: "0x" });
  });

  it("answers any other failure with -32015 in geth's words, and goes on with the next call", async () => {
    const { plain } = await aServedNode();
    const stateOverrides = { [PLACE]: { code: encodeData(LOOP) }, [NOBODY]: code("INVALID") };
    const [block] = await simulating(plain)({
      stateOverrides,
      calls: [{ to: PLACE, gas: "0x10000" }, { to: NOBODY, gas: "0x10000" }, { to: BOB }],
    });
    expect(block?.calls.map(({ error }) => error)).toEqual([
      { code: -32015, message: "out of gas" },
      { code: -32015, message: "invalid opcode: INVALID" },
      undefined,
    ]);
    expect(block?.calls[0]?.gasUsed).toBe("0x10000");
  });

  it("is answered whole on request, with the type that its members mean", async () => {
    const { plain } = await aServedNode({ hardfork: "osaka" });
    const accessList = [{ address: BOB, storageKeys: [wordText(1)] }];
    const blobVersionedHashes = [`0x01${"00".repeat(31)}`];
    const authorizationList = [{ chainId: "0x0", address: BOB, nonce: "0x0", yParity: "0x0", r: "0x1", s: "0x1" }];
    const to = PLACE;
    const [block] = await simulating(plain, { returnFullTransactions: true })({
      blockOverrides: { baseFeePerGas: "0x5" },
      calls: [
        { to, from: ALICE, maxFeePerGas: "0x9", maxPriorityFeePerGas: "0x1", accessList },
        { to, from: ALICE, gasPrice: "0x9" },
        { to, blobVersionedHashes },
        { to, authorizationList },
      ],
    });
    const [feeMarket, legacy, blob, setCode] = transactionsOf(block);
    const place = { blockHash: block?.hash, blockNumber: "0x1", blockTimestamp: block?.timestamp };
    const unsigned = { v: "0x0", r: "0x0", s: "0x0" };
    expect(feeMarket).toMatchObject({
      ...{ ...place, ...unsigned, type: "0x2", from: ALICE, transactionIndex: "0x0", yParity: "0x0" },
      ...{ gasPrice: "0x6", maxFeePerGas: "0x9", maxPriorityFeePerGas: "0x1", chainId: quantity(31_337), accessList },
    });
    expect(legacy).toMatchObject({ ...unsigned, type: "0x0", gasPrice: "0x9", transactionIndex: "0x1" });
    expect(legacy).not.toHaveProperty("accessList");
    expect(blob).toMatchObject({ type: "0x3", blobVersionedHashes, maxFeePerBlobGas: "0x0", gasPrice: "0x0" });
    expect(setCode).toMatchObject({ type: "0x4", authorizationList });
    expect(block?.blobGasUsed).toBe(quantity(131_072));
    const hashes = (await simulating(plain)({ calls: [{ to, from: ALICE }] }))[0]?.transactions as string[];
    expect(hashes[0]).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe("overrides of accounts", () => {
  it("hold from their block on", async () => {
    const { plain } = await aServedNode();
    const read = { to: PLACE };
    const [first, second, third] = await simulating(plain)(
      {
        stateOverrides: { [PLACE]: { ...returning("0 SLOAD"), stateDiff: { [wordText(0)]: wordText(1) } } },
        calls: [read],
      },
      { calls: [read] },
      { stateOverrides: { [PLACE]: { state: {} } }, calls: [read] },
    );
    const values = [first, second, third].map((block) => block?.calls[0]?.returnData);
    expect(values).toEqual([wordText(1), wordText(1), wordText(0)]);
  });

  it("move precompiles for their own block only", async () => {
    const { plain } = await aServedNode();
    const identity = `0x${"00".repeat(19)}04`;
    const calls = [
      { to: PLACE, input: "0x12" },
      { to: identity, input: "0x12" },
    ];
    const blocks = await simulating(plain)(
      { stateOverrides: { [identity]: { movePrecompileToAddress: PLACE } }, calls },
      { calls },
    );
    expect(blocks.map((block) => block.calls.map(({ returnData }) => returnData))).toEqual([
      ["0x12", "0x"],
      ["0x", "0x12"],
    ]);
  });

  it("are refused with geth's number when they contradict each other", async () => {
    const { plain } = await aServedNode();
    const stateOverrides = { [PLACE]: { movePrecompileToAddress: BOB } };
    expect(await refusing(plain)({ stateOverrides })).toMatchObject({
      code: -32000,
      message: saying(`account ${PLACE} is not a precompile`),
    });
  });
});

describe("validation", () => {
  it("has the base fee that the protocol demands: 7/8 of an empty parent's", async () => {
    const { plain } = await aServedNode();
    const [first, second] = await simulating(plain, VALIDATION)({}, {});
    expect(first?.baseFeePerGas).toBe(quantity(875_000_000));
    expect(second?.baseFeePerGas).toBe(quantity(765_625_000));
  });

  it.each([
    ["a nonce that is too low (-38010)", { nonce: "0x4" }, -38010, "nonce too low"],
    ["a nonce that is too high (-38011)", { nonce: "0x6" }, -38011, "nonce too high"],
    [
      "a fee cap below the base fee (-38012)",
      { maxFeePerGas: "0x6" },
      -38012,
      "max fee per gas less than block base fee",
    ],
    ["no fee at all (-38012)", { maxFeePerGas: "0x0" }, -38012, "maxFeePerGas: 0, baseFee: 7"],
  ])("refuses %s", async (_, members, code, text) => {
    const { plain } = await aServedNode();
    const failure = await refusing(
      plain,
      VALIDATION,
    )({
      blockOverrides: { baseFeePerGas: "0x7" },
      stateOverrides: { [ALICE]: { nonce: "0x5" } },
      calls: [{ from: ALICE, to: BOB, maxFeePerGas: "0x7", ...members }],
    });
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(text);
    expect(failure.message).toMatch(/^err: .* \(supplied gas [0-9]+\)(?:\.|$)/);
  });

  it("refuses the last nonce (-32603)", async () => {
    const { plain } = await aServedNode();
    const stateOverrides = { [ALICE]: { nonce: "0xffffffffffffffff" } };
    const calls = [{ from: ALICE, to: BOB, maxFeePerGas: quantity(GWEI) }];
    expect(await refusing(plain, VALIDATION)({ stateOverrides, calls })).toMatchObject({ code: -32603 });
  });

  it("names the first fault where there are several, in geth's order: nonce, fee, funds, intrinsic gas", async () => {
    const { plain } = await aServedNode();
    const refuse = refusing(plain, VALIDATION);
    const faulty = { from: NOBODY, to: BOB, gas: "0x1", value: "0x1", nonce: "0x9", maxFeePerGas: "0x1" };
    expect((await refuse({ calls: [faulty] })).code).toBe(-38011);
    expect((await refuse({ calls: [{ ...faulty, nonce: "0x0" }] })).code).toBe(-38012);
    expect((await refuse({ calls: [{ ...faulty, nonce: "0x0", maxFeePerGas: quantity(GWEI) }] })).code).toBe(-38014);
    const funded = { [NOBODY]: { balance: quantity(ETHER) } };
    const last = { ...faulty, nonce: "0x0", maxFeePerGas: quantity(GWEI) };
    expect((await refuse({ stateOverrides: funded, calls: [last] })).code).toBe(-38013);
  });

  it("asks for no signature: contracts can send (EIP-3607), with any gas (EIP-7825)", async () => {
    const { plain } = await aServedNode({ hardfork: "osaka" });
    const stateOverrides = { [PLACE]: { ...code("STOP"), balance: quantity(ETHER) } };
    const calls = [{ from: PLACE, to: BOB, maxFeePerGas: quantity(GWEI), gas: quantity(20_000_000) }];
    const [block] = await simulating(plain, VALIDATION)({ stateOverrides, calls });
    expect(block?.calls[0]?.status).toBe("0x1");
  });
});

describe("a simulation is refused", () => {
  const sending = (members: Json): Json => ({ calls: [{ from: NOBODY, to: BOB, ...members }] });

  it.each([
    ["without funds (-38014)", sending({ value: "0x1" }), -38014, /insufficient funds for gas \* price \+ value/],
    [
      "without intrinsic gas (-38013)",
      sending({ gas: "0x5207" }),
      -38013,
      /intrinsic gas too low: have 20999, want 21000/,
    ],
    [
      "without the calldata floor (-38013)",
      sending({ gas: "0x5300", input: `0x${"ff".repeat(10)}` }),
      -38013,
      /floor data gas/,
    ],
    [
      "with too long init code (-38025)",
      { calls: [{ input: `0x${"00".repeat(49_153)}` }] },
      -38025,
      /^err: max initcode size exceeded: code size 49153 limit 49152 \(supplied gas 30000000\)\. Make the contract /,
    ],
    [
      "with a tip above the fee cap (-32602)",
      sending({ maxPriorityFeePerGas: "0x1" }),
      -32602,
      /max priority fee per gas higher/,
    ],
    [
      "for another chain (-32000)",
      sending({ chainId: "0x1" }),
      -32000,
      /chainId does not match node's \(have=1, want=31337\)/,
    ],
    [
      "with a blob creation (-32603)",
      { calls: [{ blobVersionedHashes: [`0x01${"00".repeat(31)}`] }] },
      -32603,
      /of type create/,
    ],
    ["out of order (-38020)", { blockOverrides: { number: "0x0" } }, -38020, /block numbers must be in order: 0 <= 0/],
    ["out of time (-38021)", { blockOverrides: { time: quantity(NOW) } }, -38021, /block timestamps must be in order/],
    [
      "over too many blocks (-38026)",
      { blockOverrides: { number: quantity(257) } },
      -38026,
      /^too many blocks\. A simulation has at most 256 blocks/,
    ],
  ])("%s", async (_, block, code, message) => {
    const { plain } = await aServedNode();
    const failure = await refusing(plain)(block);
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
  });

  it("when a call asks for more gas than its block has left (-38015)", async () => {
    const { plain } = await aServedNode();
    const failure = await refusing(plain)({
      blockOverrides: { gasLimit: quantity(50_000) },
      calls: [{ to: BOB }, { to: BOB, gas: quantity(29_001) }],
    });
    expect(failure).toMatchObject({
      code: -38015,
      message: saying("block gas limit reached: remaining: 29000, required: 29001"),
    });
  });

  it("over too many blocks without data, as execution-apis records the answer", async () => {
    const { plain } = await aServedNode();
    const failure = await refusing(plain)({ blockOverrides: { number: quantity(257) } });
    expect(failure.code).toBe(-38026);
    expect(failure.data).toBeUndefined();
  });

  it("with nothing to simulate (-32602), or on an unknown block (-32000)", async () => {
    const { plain } = await aServedNode();
    expect(await refusing(plain)()).toMatchObject({ code: -32602, message: saying("empty input") });
    const failure = await plain.failure("eth_simulateV1", { blockStateCalls: [{}] }, "0x99");
    expect(failure).toMatchObject({ code: -32000, message: "header not found" });
  });

  it.each([
    ["no blocks", {}, "params[0].blockStateCalls: expected an array of blocks"],
    ["a call that is none", { blockStateCalls: [{ calls: [1] }] }, "params[0].blockStateCalls[0].calls[0]"],
    [
      "a validation that is no boolean",
      { blockStateCalls: [{}], validation: "yes" },
      "params[0].validation: expected true or false",
    ],
  ])("with %s, by path and shape (-32602)", async (_, payload, message) => {
    const { plain } = await aServedNode();
    const failure = await plain.failure("eth_simulateV1", payload, "latest");
    expect(failure.code).toBe(-32602);
    expect(failure.message).toContain(message);
  });

  it("when it takes too long (-32016), all calls together", async () => {
    const limits = { callGasLimit: 10n ** 12n, callTimeoutMs: 50 };
    const { plain } = await aServedNode({ limits, gasLimit: 10n ** 12n });
    const stateOverrides = { [PLACE]: { code: encodeData(LOOP) } };
    // The gas would last for hours.
    const failure = await refusing(plain)({ stateOverrides, calls: [{ to: PLACE }] });
    expect(failure.code).toBe(-32016);
  });
});

/** Gas of the pushes before an opcode: PUSH0 2, any other 3. The assembler writes 0 as PUSH1. */
function pushes(program: string): number {
  return 3 * program.split(" ").filter((word) => /^[0-9]/.test(word)).length;
}
