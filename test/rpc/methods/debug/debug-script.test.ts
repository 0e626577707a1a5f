/** Tracers in JavaScript, to geth's contract. What they should see is worked out by hand. */
import { type GetContractAddressOptions, getContractAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hardfork } from "../../../../src/chainspec/hardforks/hardforks.ts";
import { encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import {
  ALICE,
  addressText,
  aServedNode,
  BOB,
  openNode,
  quantity,
  type ServedNode,
  serve,
} from "../../../support/a-node.ts";
import { assemble, calling, deploying, fromHex } from "../../../support/assembler.ts";
import { COUNTER, deploy, REVERTER, send } from "../../../support/contracts.ts";
import { saying } from "../../../support/saying.ts";
import { slowIt } from "../../../support/slow-suite.ts";

const TARGET = addressText(0xbb);
const OTHER = addressText(0xcc);
const NO_STEPS = "fault: function() {}, result: function() { return this.seen; }";
/** Gas for 100,000 within the frame. */
const GAS = quantity(121_000);

let served: ServedNode;
beforeAll(async () => {
  served = await serve(await openNode({ hardfork: "cancun" }));
});
afterAll(() => served.node.close());

interface Run {
  readonly code: string;
  readonly other?: string;
  readonly slots?: Record<string, Hex>;
  readonly call?: Record<string, unknown>;
  readonly tracerConfig?: unknown;
}

const code = (source: string) => ({ code: encodeData(assemble(source)) });
const created = (from: GetContractAddressOptions) => getContractAddress(from).toLowerCase();
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}` as const;

/** Runs code under a tracer. */
function trace<T>(tracer: string, { code: source, other, slots, call, tracerConfig }: Run): Promise<T> {
  const stateOverrides = {
    [TARGET]: { ...code(source), ...(slots === undefined ? {} : { state: slots }), balance: "0x64" },
    ...(other === undefined ? {} : { [OTHER]: code(other) }),
  };
  const config = { tracer, stateOverrides, ...(tracerConfig === undefined ? {} : { tracerConfig }) };
  return served.plain.ask("debug_traceCall", { from: ALICE, to: TARGET, gas: GAS, ...call }, "latest", config);
}

/** Values of an expression over `log` and `db` at every step. */
const atEachStep = <T>(expression: string, run: Run): Promise<T[]> =>
  trace(`{seen: [], step: function(log, db) { this.seen.push(${expression}); }, ${NO_STEPS}}`, run);

/** Value of an expression over `ctx` and `db` at the end. */
const atTheEnd = <T>(expression: string, run: Run = { code: "STOP" }): Promise<T> =>
  trace(`{fault: function() {}, result: function(ctx, db) { return ${expression}; }}`, run);

describe("log", () => {
  it("tells place, operation, gas, cost, depth and refund of every step", async () => {
    const place = "[log.getPC(), log.op.toString(), log.op.toNumber(), log.op.isPush(), log.getGas(), log.getCost()]";
    expect(await atEachStep(place, { code: "1 2 ADD 0 MSTORE 0 SLOAD POP" })).toEqual([
      [0, "PUSH1", 0x60, true, 100_000, 3],
      [2, "PUSH1", 0x60, true, 99_997, 3],
      [4, "ADD", 0x01, false, 99_994, 3],
      [5, "PUSH1", 0x60, true, 99_991, 3],
      [7, "MSTORE", 0x52, false, 99_988, 6],
      [8, "PUSH1", 0x60, true, 99_982, 3],
      [10, "SLOAD", 0x54, false, 99_979, 2100],
      [11, "POP", 0x50, false, 97_879, 2],
      [12, "STOP", 0x00, false, 97_877, 0],
    ]);
    expect(
      await atEachStep("[log.getDepth(), log.getRefund()]", { code: "0 0 SSTORE", slots: { [word(0)]: word(5) } }),
    ).toEqual([
      [1, 0],
      [1, 0],
      // geth adds refunds while it works out the price.
      [1, 4800],
      [1, 4800],
    ]);
  });

  it.each([
    ["berlin", [24_000, 24_000, 48_000]],
    ["london", [0, 0, 0]],
  ] as const)("shows at SELFDESTRUCT what it earns, once an account (%s)", async (hardfork, expected) => {
    const { plain } = await aServedNode({ hardfork });
    const call = (target: string) => `0 0 0 0 0 ${target} GAS CALL POP`;
    const stateOverrides = {
      // Destroyed twice, then itself.
      [TARGET]: code(`${call(OTHER)} ${call(OTHER)} CALLER SELFDESTRUCT`),
      [OTHER]: code("CALLER SELFDESTRUCT"),
    };
    const seen = 'if (log.op.toString() === "SELFDESTRUCT") this.seen.push(log.getRefund());';
    const tracer = `{seen: [], step: function(log) { ${seen} }, ${NO_STEPS}}`;
    const params = [{ from: ALICE, to: TARGET, gas: GAS }, "latest", { tracer, stateOverrides }] as const;
    expect(await plain.ask("debug_traceCall", ...params)).toEqual(expected);
  });

  it("shows it anew where the frame that destroyed the account failed (berlin)", async () => {
    const { plain } = await aServedNode({ hardfork: "berlin" });
    const call = (target: string) => `0 0 0 0 0 ${target} GAS CALL POP`;
    const stateOverrides = {
      [TARGET]: code(`${call(BOB)} ${call(OTHER)}`),
      [BOB]: code(`${call(OTHER)} 0 0 REVERT`),
      [OTHER]: code("CALLER SELFDESTRUCT"),
    };
    const seen = 'if (log.op.toString() === "SELFDESTRUCT") this.seen.push(log.getRefund());';
    const tracer = `{seen: [], step: function(log) { ${seen} }, ${NO_STEPS}}`;
    const params = [{ from: ALICE, to: TARGET, gas: GAS }, "latest", { tracer, stateOverrides }] as const;
    expect(await plain.ask("debug_traceCall", ...params)).toEqual([24_000, 24_000]);
  });

  it("counts the gas that a call hands on into its cost, and depth from one", async () => {
    const rows = await atEachStep<[string, number, number]>("[log.op.toString(), log.getCost(), log.getDepth()]", {
      code: `0 0 0 0 0 ${OTHER} 1000 CALL POP`,
      other: "CALLER",
    });
    expect(rows.slice(7)).toEqual([
      ["CALL", 2600 + 1000, 1],
      ["CALLER", 2, 2],
      ["STOP", 0, 2],
      ["POP", 2, 1],
      ["STOP", 0, 1],
    ]);
  });

  it("shows the stack from the top, as big integers", async () => {
    const source = `7 0x${"ff".repeat(32)} 9`;
    const peeks = "[log.stack.length(), log.stack.length() === 3 ? [0, 1, 2].map(i => log.stack.peek(i)) : null]";
    expect(await atEachStep(peeks, { code: source })).toEqual([
      [0, null],
      [1, null],
      [2, null],
      [3, ["9", String(2n ** 256n - 1n), "7"]],
    ]);
    // Deeper than what every step brings along.
    const deep = Array.from({ length: 20 }, (_, index) => index + 1).join(" ");
    const last = "log.stack.length() === 20 ? [0, 7, 8, 19].map(i => log.stack.peek(i).toString(16)) : null";
    expect((await atEachStep(last, { code: deep })).at(-1)).toEqual(["14", "d", "c", "1"]);
  });

  it("shows memory, with zeros where there is none yet", async () => {
    const source = `0xdeadbeef 0 MSTORE 0xff 64 MSTORE8`;
    const shown = await atEachStep(
      "[log.memory.length(), toHex(log.memory.slice(28, 34)), log.memory.length() >= 32 ? log.memory.getUint(0) : null]",
      { code: source },
    );
    expect(shown[0]).toEqual([0, "0x000000000000", null]);
    expect(shown.at(-1)).toEqual([96, "0xdeadbeef0000", String(0xdeadbeef)]);
  });

  it("refuses what is outside of stack and memory in geth's words", async () => {
    const refused = (call: string) =>
      served.plain
        .failure("debug_traceCall", { from: ALICE, to: TARGET }, "latest", {
          tracer: `{step: function(log) { ${call}; }, ${NO_STEPS}}`,
          stateOverrides: { [TARGET]: code("1 STOP") },
        })
        .then(({ message }) => message);
    const where = "    in server-side tracer function 'step'";
    expect(await refused("log.stack.peek(-1)")).toBe(`tracer accessed out of bound stack: size 0, index -1${where}`);
    expect(await refused("log.stack.peek(1)")).toBe(`tracer accessed out of bound stack: size 0, index 1${where}`);
    expect(await refused("log.memory.slice(-1, -2)")).toBe(
      `tracer accessed out of bound memory: offset -1, end -2${where}`,
    );
    expect(await refused("log.memory.slice(5, 1025 * 1024)")).toBe(
      `reached limit for padding memory slice: ${1025 * 1024}${where}`,
    );
    expect(await refused("log.memory.getUint(-64)")).toBe(
      `tracer accessed out of bound memory: available 0, offset -64, size 32${where}`,
    );
  });

  it("takes numbers as Go does: what is none is zero, fractions are cut", async () => {
    expect(
      (await atEachStep("log.stack.length() < 2 ? 0 : [log.stack.peek(), log.stack.peek(1.9)]", { code: "5 6" })).at(
        -1,
      ),
    ).toEqual(["6", "5"]);
  });

  it("tells caller, address, value and input of the running contract, the parent's in a delegate call", async () => {
    const contract =
      "[log.getDepth(), toHex(log.contract.getCaller()), toHex(log.contract.getAddress()), " +
      "log.contract.getValue(), toHex(log.contract.getInput())]";
    const rows = await atEachStep<unknown[]>(`log.op.toString() === "JUMPDEST" ? ${contract} : null`, {
      code: `[5b] 0xabcd 0 MSTORE 0 0 2 30 ${OTHER} GAS DELEGATECALL 0 0 1 31 7 ${OTHER} GAS CALL [5b]`,
      other: "[5b] STOP",
      call: { value: "0x5", data: "0x1234" },
    });
    expect(rows.filter((row) => row !== null)).toEqual([
      [1, ALICE, TARGET, "5", "0x1234"],
      [2, ALICE, TARGET, "5", "0xabcd"],
      [2, TARGET, OTHER, "7", "0xcd"],
      [1, ALICE, TARGET, "5", "0x1234"],
    ]);
  });
});

describe("the order of calls", () => {
  const EVENTS = `{
    seen: [],
    step: function(log) { this.seen.push(["step", log.op.toString(), log.getError()]); },
    fault: function(log) { this.seen.push(["fault", log.op.toString(), log.getPC(), log.getDepth(), log.getError()]); },
    enter: function(frame) {
      this.seen.push(["enter", frame.getType(), toHex(frame.getFrom()), toHex(frame.getTo()), toHex(frame.getInput()),
        frame.getGas(), frame.getValue()]);
    },
    exit: function(result) {
      this.seen.push(["exit", result.getGasUsed(), toHex(result.getOutput()), result.getError()]);
    },
    result: function() { return this.seen; }
  }`;
  /** The events but the steps that are of no interest. */
  const events = async (run: Run): Promise<unknown[]> =>
    (await trace<unknown[][]>(EVENTS, run)).filter(([kind, , error]) => kind !== "step" || error !== null);

  it("enters and exits nested frames, with what they were given and left", async () => {
    expect(
      await events({
        code: `0xab 0 MSTORE8 0 0 1 0 3 ${OTHER} 1000 CALL`,
        other: "0xdeadbeef 0 MSTORE 4 28 RETURN",
      }),
    ).toEqual([
      // 2300 of stipend
      ["enter", "CALL", TARGET, OTHER, "0xab", 3300, "3"],
      // five pushes, a word of memory
      ["exit", 3 * 4 + 6, "0xdeadbeef", null],
    ]);
  });

  it("gives static calls no value, and delegate calls the value they inherit", async () => {
    const frames = await events({
      code: `${calling("STATICCALL", fromHex(OTHER))} ${calling("DELEGATECALL", fromHex(OTHER))}`,
      other: "STOP",
      call: { value: "0x9" },
    });
    expect((frames as unknown[][]).filter(([kind]) => kind === "enter").map((row) => [row[1], row[6]])).toEqual([
      ["STATICCALL", null],
      ["DELEGATECALL", "9"],
    ]);
  });

  it("tells a revert as a fault of its REVERT, and as the error of the frame", async () => {
    expect(await events({ code: calling("CALL", fromHex(OTHER)), other: "0xdeadbeef 0 MSTORE 4 28 REVERT" })).toEqual([
      ["enter", "CALL", TARGET, OTHER, "0x", expect.any(Number), "0"],
      ["fault", "REVERT", 12, 2, "execution reverted"],
      ["exit", 18, "0xdeadbeef", "execution reverted"],
    ]);
  });

  it("tells a push on a full stack, which cannot begin, as a step with its error", async () => {
    const steps = await events({ code: calling("CALL", fromHex(OTHER)), other: "loop: 1 @loop JUMP" });
    expect((steps as unknown[][]).filter(([kind]) => kind === "step")).toEqual([
      ["step", expect.stringMatching(/^PUSH/), "stack limit reached 1024 (1023)"],
    ]);
  });

  it("tells an undefined opcode as a step and a fault", async () => {
    const run = { code: calling("CALL", fromHex(OTHER)), other: "1 INVALID" };
    expect((await trace<unknown[][]>(EVENTS, run)).filter(([, op]) => op === "INVALID")).toEqual([
      ["step", "INVALID", null],
      ["fault", "INVALID", 2, 2, "invalid opcode: INVALID"],
    ]);
  });

  it.each([
    ["ADD", "stack underflow (0 <=> 2)"],
    ["1 0 SSTORE", "out of gas", "0x4e20"],
    ["0xffffff 0 MSTORE [62ffffff] MLOAD", "out of gas", "0x4e20"],
  ])("tells of %s, which cannot begin, as a step with an error and no fault", async (other, error, gas = "GAS") => {
    const seen = await events({ code: `0 0 0 0 0 ${OTHER} ${gas} CALL`, other });
    expect(seen).toHaveLength(3);
    expect(seen[1]).toEqual(["step", expect.any(String), error]);
    expect(seen[2]).toMatchObject(["exit", expect.any(Number), "0x", error]);
  });

  it("tells a bad jump and a write in a static call as faults of operations that began", async () => {
    const jump = await events({ code: calling("CALL", fromHex(OTHER)), other: "3 JUMP" });
    expect(jump[1]).toEqual(["fault", "JUMP", 2, 2, "invalid jump destination"]);
    const write = await events({ code: calling("STATICCALL", fromHex(OTHER)), other: "1 0 SSTORE" });
    expect(write.at(-2)).toEqual(["fault", "SSTORE", 4, 2, "write protection"]);
    expect(write.at(-1)).toMatchObject(["exit", expect.any(Number), "0x", "write protection"]);
  });

  it("tells a self-destruct as a frame within its frame", async () => {
    expect(await events({ code: calling("CALL", fromHex(OTHER), 3n), other: `${BOB} SELFDESTRUCT` })).toEqual([
      ["enter", "CALL", TARGET, OTHER, "0x", expect.any(Number), "3"],
      ["enter", "SELFDESTRUCT", OTHER, BOB, "0x", 0, "3"],
      ["exit", 0, "0x", null],
      // BOB is cold
      ["exit", 3 + 5000 + 2600, "0x", null],
    ]);
  });

  it("tells creations with the address that they make, and calls that never start", async () => {
    const nested = await events({ code: "0 0 0 CREATE 7 0 0 0 CREATE2" });
    const salt = word(7);
    expect(nested).toEqual([
      ["enter", "CREATE", TARGET, created({ from: TARGET, nonce: 0n }), "0x", expect.any(Number), "0"],
      ["exit", 0, "0x", null],
      [
        "enter",
        "CREATE2",
        TARGET,
        created({ opcode: "CREATE2", from: TARGET, salt, bytecode: "0x" }),
        "0x",
        expect.any(Number),
        "0",
      ],
      ["exit", 0, "0x", null],
    ]);
    const refused = await events({ code: calling("CALL", fromHex(OTHER), 1000n) });
    expect(refused).toEqual([
      ["enter", "CALL", TARGET, OTHER, "0x", expect.any(Number), "1000"],
      ["exit", 0, "0x", "insufficient balance for transfer"],
    ]);
  });

  it("tells calls of precompiles as frames", async () => {
    const identity = fromHex(`0x${"00".repeat(19)}04`);
    const [entered, left] = await events({
      code: `0xab 0 MSTORE8 0 0 1 0 0x${Buffer.from(identity).toString("hex")} GAS STATICCALL`,
    });
    expect(entered).toEqual(["enter", "STATICCALL", TARGET, encodeData(identity), "0xab", expect.any(Number), null]);
    expect(left).toEqual(["exit", 18, "0xab", null]);
  });

  it("goes on without step, enter and exit, and without a call of them", async () => {
    expect(await trace(`{fault: function() {}, result: function() { return "done"; }}`, { code: COUNTER_SOURCE })).toBe(
      "done",
    );
  });

  const COUNTER_SOURCE = "0 SLOAD 1 ADD 0 SSTORE";
});

describe("db", () => {
  it("shows the state as it is at the step", async () => {
    const look =
      "[db.getBalance(log.contract.getAddress()), db.getNonce(toAddress('" +
      `${ALICE}')), toHex(db.getState(log.contract.getAddress(), toWord('0x1')))]`;
    const rows = await atEachStep<unknown[]>(look, { code: "9 1 SSTORE", call: { value: "0x5" } });
    expect(rows[0]).toEqual(["105", 1, word(0)]);
    expect(rows.at(-1)).toEqual(["105", 1, word(9)]);
  });

  it("tells code and existence, and nothing of nobody", async () => {
    const nobody = addressText(0x77);
    expect(
      await atTheEnd(
        `[toHex(db.getCode(toAddress("${TARGET}"))), db.exists(toAddress("${TARGET}")), ` +
          `toHex(db.getCode(toAddress("${nobody}"))), db.exists(toAddress("${nobody}")), ` +
          `db.getBalance(toAddress("${nobody}")), db.getNonce(toAddress("${nobody}"))]`,
        { code: "1 2 ADD" },
      ),
    ).toEqual(["0x6001600201", true, "0x", false, "0", 0]);
  });

  it("takes bytes only, as geth's", async () => {
    const failure = await served.plain.failure("debug_traceCall", { from: ALICE, to: BOB }, "latest", {
      tracer: `{fault: function() {}, result: function(ctx, db) { return db.getBalance("${BOB}"); }}`,
    });
    expect(failure.message).toBe("invalid buffer type    in server-side tracer function 'result'");
    expect(failure.code).toBe(-32000);
  });
});

describe("ctx", () => {
  it("of a call tells what was asked for and how it ended", async () => {
    const seen = await atTheEnd<Record<string, unknown>>(
      "Object.assign({}, ctx, {from: toHex(ctx.from), to: toHex(ctx.to), input: toHex(ctx.input), " +
        "output: toHex(ctx.output), coinbase: toHex(ctx.coinbase)})",
      {
        code: "0x2a 0 MSTORE 32 0 RETURN",
        call: { value: "0x5", data: "0x00ff", gasPrice: "0x3b9aca00" },
      },
    );
    const intrinsic = 21_000 + 4 + 16;
    expect(seen).toEqual({
      type: "CALL",
      from: ALICE,
      to: TARGET,
      input: "0x00ff",
      gas: 121_000,
      gasUsed: intrinsic + 3 * 4 + 6,
      gasPrice: "1000000000",
      intrinsicGas: intrinsic,
      value: "5",
      block: 0,
      coinbase: addressText(0),
      output: word(0x2a),
    });
  });

  it("names the error of a call that failed, and the data of a revert", async () => {
    const ended = "[ctx.error, toHex(ctx.output)]";
    expect(await atTheEnd(ended, { code: "0xdead 0 MSTORE 2 30 REVERT" })).toEqual(["execution reverted", "0xdead"]);
    expect(await atTheEnd(ended, { code: "INVALID" })).toEqual(["invalid opcode: INVALID", "0x"]);
    expect(await atTheEnd("ctx.error === undefined", { code: "STOP" })).toBe(true);
  });

  it("of a mined transaction knows its place, and the address of what it created", async () => {
    const { node, plain } = await aServedNode();
    const hash = await send(node, { data: encodeData(deploying(COUNTER)) });
    const receipt = await plain.ask<Record<string, string>>("eth_getTransactionReceipt", hash);
    const tracer =
      "{fault: function() {}, result: function(ctx) { return [ctx.type, toHex(ctx.to), toHex(ctx.output), " +
      "toHex(ctx.blockHash), toHex(ctx.txHash), ctx.txIndex, ctx.block, ctx.gasUsed]; }}";
    expect(await plain.ask("debug_traceTransaction", hash, { tracer })).toEqual([
      "CREATE",
      receipt.contractAddress,
      encodeData(COUNTER),
      receipt.blockHash,
      hash,
      0,
      1,
      Number(receipt.gasUsed),
    ]);
  });
});

describe("the functions at hand", () => {
  it("turn bytes, lists and hex into each other", async () => {
    expect(
      await atTheEnd(
        "[toHex([1, 255]), toHex(toWord('0xffaa')), toHex(toWord([1])), toHex(toAddress('ffaa')), " +
          "toHex(toAddress(toWord('0x0102'))), toHex(slice([1, 2, 3, 4], 1, 3)), toWord('0x').length]",
      ),
    ).toEqual([
      "0x01ff",
      `0x${"00".repeat(30)}ffaa`,
      `0x${"00".repeat(31)}01`,
      `0x${"00".repeat(18)}ffaa`,
      `0x${"00".repeat(18)}0102`,
      "0x0203",
      32,
    ]);
    expect(await atTheEnd("toWord('0xff')")).toEqual(
      Object.fromEntries([...Array(32)].map((_, i) => [i, i === 31 ? 255 : 0])),
    );
  });

  it("refuse what is out of bounds or no bytes", async () => {
    const refused = async (expression: string) =>
      (
        await served.plain.failure("debug_traceCall", { from: ALICE, to: BOB }, "latest", {
          tracer: `{fault: function() {}, result: function() { return ${expression}; }}`,
        })
      ).message;
    expect(await refused("slice([1, 2], 1, 3)")).toMatch(
      /^Tracer accessed out of bound memory: available 2, offset 1, size 2 {4}in/,
    );
    expect(await refused("toHex('0x01')")).toMatch(/^invalid buffer type/);
    expect(await refused("toHex({})")).toMatch(/^invalid buffer type/);
  });

  it("give the addresses of creations: known vectors, and those of EIP-1014", async () => {
    const creator = "0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0";
    expect(
      await atTheEnd(
        `[0, 1, 2, 3].map(nonce => toHex(toContract("${creator}", nonce))).concat([` +
          `toHex(toContract2("0x0000000000000000000000000000000000000000", "0x0", "0x00")), ` +
          `toHex(toContract2("0xdeadbeef00000000000000000000000000000000", "0x0", [0])), ` +
          `toHex(toContract2("0x00000000000000000000000000000000deadbeef", "0xcafebabe", "0xdeadbeef"))])`,
      ),
    ).toEqual([
      "0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d",
      "0x343c43a37d37dff08ae8c4a11544c718abb4fcf8",
      "0xf778b86fa74e846c4f0a1fbd1335fe81c00a0c91",
      "0xfffd933a0bc612844eaf0c6fe3e5b8e9b6c1d19c",
      "0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38",
      "0xb928f69bb1d91cd65274e3c79d8986362984fda3",
      "0x60f3f640a8508fc6a86d45df051962668e1e8ac7",
    ]);
  });

  const expectPrecompiles = async (hardfork: Hardfork, expected: readonly number[]): Promise<void> => {
    const { plain } = await aServedNode({ hardfork });
    const tracer =
      "{fault: function() {}, result: function() { " +
      "return [0, 1, 8, 9, 10, 11, 17, 18].filter(n => isPrecompiled(toAddress([n]))); }}";
    expect(await plain.ask("debug_traceCall", { from: ALICE, to: BOB }, "latest", { tracer })).toEqual(expected);
  };
  it("know the precompiles of the hardfork (istanbul)", () => expectPrecompiles("istanbul", [1, 8, 9]));

  slowIt.each([
    ["byzantium", [1, 8]],
    ["cancun", [1, 8, 9, 10]],
    ["prague", [1, 8, 9, 10, 11, 17]],
  ] as const)("know the precompiles of the hardfork (%s)", expectPrecompiles);
});

describe("bigInt", () => {
  const BIG = "bigInt('123456789012345678901234567890')";
  const GIVES: readonly (readonly [expression: string, value: unknown])[] = [
    [`${BIG}.add(1)`, "123456789012345678901234567891"],
    [`${BIG}.minus("123456789012345678901234567891")`, "-1"],
    [`${BIG}.times(${BIG})`, "15241578753238836750495351562536198787501905199875019052100"],
    [`${BIG}.over(1000)`, "123456789012345678901234567"],
    [`${BIG}.negate().divide(7)`, "-17636684144620811271604938270"],
    // The sign of the dividend, as in the library.
    [`bigInt(-7).mod(3)`, "-1"],
    [`bigInt(-7).divmod(2)`, { quotient: "-3", remainder: "-1" }],
    [`bigInt(2).pow(256).prev()`, String(2n ** 256n - 1n)],
    [`bigInt(2).pow(-1)`, "0"],
    [`bigInt(3).modPow(100, 7)`, "4"],
    [`bigInt(3).modInv(11)`, "4"],
    [`bigInt(-5).shiftRight(1)`, "-3"],
    [`bigInt(1).shiftLeft(64).or(1).toString(16)`, "10000000000000001"],
    [`bigInt(-1).and(255)`, "255"],
    [`bigInt(6).xor(3).not()`, "-6"],
    [
      `[bigInt(2).compare(10), bigInt("10").eq(10), bigInt(-10).compareAbs(9), bigInt(1).lt(2), bigInt(1).geq(1)]`,
      [-1, true, 1, true, true],
    ],
    [
      `[bigInt(4).isEven(), bigInt(4).isOdd(), bigInt(0).isZero(), bigInt(-1).isUnit(), bigInt(-1).isNegative(), bigInt(97).isPrime(), bigInt(91).isPrime()]`,
      [true, false, true, true, true, true, false],
    ],
    [
      `[bigInt.gcd(12, 18), bigInt.lcm(4, 6), bigInt.max(3, 9), bigInt.min(3, 9), bigInt.zero, bigInt.one, bigInt.minusOne, bigInt[5]]`,
      ["6", "12", "9", "3", "0", "1", "-1", "5"],
    ],
    [
      `[bigInt("ff", 16), bigInt("-101", 2), bigInt("0x10"), bigInt("1.5e3"), bigInt(), bigInt.fromArray([1, 2, 3])]`,
      ["255", "-5", "16", "1500", "0", "123"],
    ],
    [`bigInt(255).toString(16) + "." + bigInt(7).toJSNumber() + "." + (bigInt(2) + 1)`, "ff.7.3"],
    [
      `[bigInt.isInstance(bigInt(1)), bigInt.isInstance(1), bigInt(10).isDivisibleBy(5), bigInt(10).isDivisibleBy(0)]`,
      [true, false, true, false],
    ],
  ];
  const REFUSES: readonly (readonly [expression: string, message: string])[] = [
    ["bigInt(1).divide(0)", "Error: Cannot divide by zero"],
    ["bigInt(1).mod(0)", "Error: Cannot divide by zero"],
    ["bigInt(1.5)", "Error: 1.5 is not an integer."],
    ["bigInt('apple')", "Error: Invalid integer: apple"],
    ["bigInt('g', 16)", "Error: g is not a valid digit in base 16."],
    ["bigInt(2).modInv(4)", "Error: 2 and 4 are not co-prime"],
  ];
  let given: readonly unknown[];
  let refused: readonly string[];

  beforeAll(async () => {
    const messages = REFUSES.map(
      ([one]) => `(function() { try { return ${one}; } catch (e) { return String(e); } })()`,
    );
    [given, refused] = await atTheEnd(`[[${GIVES.map(([one]) => one).join()}], [${messages.join()}]]`);
  });

  it.each(GIVES.map(([expression, value], index) => ({ expression, value, index })))(
    "$expression",
    ({ value, index }) => {
      expect(given[index]).toEqual(value);
    },
  );

  it.each(REFUSES.map(([expression, message], index) => ({ expression, message, index })))(
    "refuses $expression",
    ({ message, index }) => {
      expect(refused[index]).toBe(message);
    },
  );
});

describe("a tracer", () => {
  it("is set up with its configuration, {} where there is none", async () => {
    const tracer =
      "{setup: function(text) { this.text = text; }, fault: function() {}, result: function() { return this.text; }}";
    expect(await trace(tracer, { code: "STOP" })).toBe("{}");
    expect(await trace(tracer, { code: "STOP", tracerConfig: { foo: "bar" } })).toBe('{"foo":"bar"}');
  });

  it.each([
    ["{fault: function() {}}", "trace object must expose a function result()"],
    ["{result: function() {}}", "trace object must expose a function fault()"],
    [
      "{result: function() {}, fault: function() {}, enter: function() {}}",
      "trace object must expose either both or none of enter() and exit()",
    ],
  ])("that lacks a function is refused: %s", async (tracer, message) => {
    const failure = await served.plain.failure("debug_traceCall", { from: ALICE, to: BOB }, "latest", { tracer });
    expect(failure.message).toEqual(saying(message));
    expect(failure.code).toBe(-32000);
  });

  it("traces every transaction of a block anew", async () => {
    const { node, plain } = await aServedNode({ mining: "manual" });
    node.setMiningMode("auto");
    const counter = await deploy(node, COUNTER);
    const reverter = await deploy(node, REVERTER);
    node.setMiningMode("manual");
    const hashes = [
      await send(node, { to: counter, gas: quantity(100_000) }),
      await send(node, { to: reverter, gas: quantity(100_000) }),
    ];
    await node.mine();
    const tracer =
      "{n: 0, step: function() { this.n++; }, fault: function() {}, result: function(ctx) { return [this.n, ctx.txIndex]; }}";
    expect(await plain.ask("debug_traceBlockByNumber", "latest", { tracer })).toEqual([
      { txHash: hashes[0], result: [12, 0] },
      { txHash: hashes[1], result: [7, 1] },
    ]);
  });
});
