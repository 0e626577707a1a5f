/** A sink gets exactly the events that it wants. */
import { describe, expect, it } from "vitest";
import type { EventSink, FrameEnd, FrameStart } from "../../../src/evm/event-sink.ts";
import { FrameKind, StepOutcome } from "../../../src/evm/frames.ts";
import { Op } from "../../../src/evm/opcodes.ts";
import type { StepBuffer } from "../../../src/evm/step-buffer.ts";
import { createAddress } from "../../../src/primitives/address.ts";
import { type Bytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { assemble, calling, deploying } from "../../support/assembler.ts";
import { addressOf, SENDER, TARGET, word } from "../../support/evm.ts";
import { precompile } from "../../support/precompile-calls.ts";
import { slowIt } from "../../support/slow-suite.ts";
import { ALL_WANTS, CollectingSink } from "../collecting-sink.ts";
import { aMessage, aSession, QUIET, runTarget, transact } from "./a-session.ts";

const A = addressOf(0xa1);
const B = addressOf(0xb1);
const hex = (bytes: Bytes): string => encodeData(bytes);
const a = { address: A, nonce: 1n, balance: 10n, code: assemble("1 SLOAD 0 MSTORE 32 0 RETURN") };

describe("frames", () => {
  it("are told of with the numbers of the steps that start them", async () => {
    const sink = new CollectingSink(ALL_WANTS);
    await runTarget("prague", assemble(`${calling("CALL", A, 1n)} ${calling("STATICCALL", precompile(4))}`), {
      accounts: [a],
      sink,
    });
    const frames = sink.events.flatMap((event) => (event.event === "enter" ? [event.frame] : []));
    const ends = sink.events.flatMap((event) => (event.event === "exit" ? [event.end] : []));
    expect(frames.map(({ kind, depth, isPrecompile }) => [kind, depth, isPrecompile])).toEqual([
      [FrameKind.call, 0, false],
      [FrameKind.call, 1, false],
      [FrameKind.staticCall, 1, true],
    ]);
    expect(frames.map(({ step }) => (step < 0 ? step : sink.steps[step]?.opcode))).toEqual([
      -1,
      Op.CALL,
      Op.STATICCALL,
    ]);
    // 8 steps, 7 in the first child; 7 more, none in the second; and STOP.
    expect(ends.map(({ stepEnd }) => stepEnd)).toEqual([15, 22, 23]);
    expect(sink.steps.map(({ frame }) => frame)).toEqual([
      ...Array(8).fill(0),
      ...Array(7).fill(1),
      ...Array(8).fill(0),
    ]);
  });

  it("of one address are told of alone, whatever stands there", async () => {
    const sink = new CollectingSink({ frames: A, data: A });
    const code = assemble(
      `${calling("CALL", A, 0n)} ${calling("CALL", B, 0n)} ${calling("DELEGATECALL", A)} 0 0 0 CREATE`,
    );
    await runTarget("prague", code, { accounts: [a], sink });
    const told = sink.events.map((event) => (event.event === "enter" ? event.frame.kind : event.event));
    expect(told).toEqual([FrameKind.call, "exit", FrameKind.delegateCall, "exit"]);
    expect(sink.events[3]).toMatchObject({ end: { output: hex(word(0n)), code: hex(a.code), stepEnd: 0 } });
  });

  it("that never start are told of with the reason", async () => {
    const sink = new CollectingSink({ frames: "all", data: "all" });
    const code = assemble(`1 2 3 4 1001 ${hex(A)} 5000 CALL 32 64 1001 CREATE`);
    await runTarget("prague", code, { accounts: [a], sink });
    expect(sink.events.slice(1, 3)).toMatchObject([
      {
        event: "refuse",
        error: "insufficientBalance",
        frame: { kind: FrameKind.call, depth: 1, to: hex(A), value: 1001n, gas: 7300n, input: "0x000000", step: -1 },
      },
      { event: "refuse", error: "insufficientBalance", frame: { kind: FrameKind.create, to: undefined } },
    ]);
  });

  slowIt("that call themselves without end stop at depth 1,024", async () => {
    const sink = new CollectingSink({ frames: "all", data: "all" });
    await runTarget("prague", assemble(calling("CALL", TARGET, 0n)), { sink, message: { gasLimit: 1n << 62n } });
    const refused = sink.events.filter(({ event }) => event === "refuse");
    expect(refused).toMatchObject([{ error: "callTooDeep", frame: { depth: 1025 } }]);
    expect(sink.events.filter(({ event }) => event === "enter")).toHaveLength(1025);
  });

  it("give the same array for the same code, and arrays of the sink's own", async () => {
    const ends: FrameEnd[] = [];
    const starts: FrameStart[] = [];
    const sink: EventSink = {
      wants: { frames: "all" },
      enterFrame: (start) => void starts.push(start),
      exitFrame: (end) => void ends.push(end),
    };
    const { state } = await runTarget("prague", assemble(`${calling("CALL", A, 0n)} ${calling("CALL", A, 0n)}`), {
      accounts: [a],
      sink,
    });
    expect(ends[0]?.code).toBe(ends[1]?.code);
    for (const { from, to, input } of starts) for (const bytes of [from, to ?? EMPTY_BYTES, input]) bytes.fill(0);
    for (const { code, output } of ends) for (const bytes of [code, output]) bytes.fill(0);
    expect(await state.getCode((await state.getAccount(A))?.codeHash ?? EMPTY_BYTES)).toEqual(a.code);
  });

  it("and steps are counted through the messages of a transaction", async () => {
    const { session } = await aSession("prague", [{ address: TARGET, nonce: 1n, code: assemble("1 STOP") }]);
    const sink = new CollectingSink(ALL_WANTS);
    session.begin({ ...QUIET, sink });
    await session.run(aMessage());
    await session.run(aMessage());
    expect(sink.buffers).toEqual([0, 2]);
    expect(sink.steps.map(({ frame }) => frame)).toEqual([0, 0, 1, 1]);
  });

  it("tell of code that Frontier did not deposit", async () => {
    const createdAddress = createAddress(SENDER, 0n);
    const sink = new CollectingSink({ frames: "all", data: "all" });
    const message = { to: undefined, createdAddress, data: deploying(assemble("1 2 ADD")), gasLimit: 300n };
    const run = await transact(await aSession("chainstart", []), message, sink);
    expect(run.result).toMatchObject({ error: undefined, output: EMPTY_BYTES });
    expect(sink.events.at(-1)).toMatchObject({ end: { undeposited: hex(assemble("1 2 ADD")), error: undefined } });
    expect((await transact(await aSession("homestead", []), message)).result.error).toBe("codeStoreOutOfGas");
  });
});

describe("self-destructs and logs", () => {
  const destroying = { address: A, nonce: 1n, balance: 10n, code: assemble(`${hex(B)} SELFDESTRUCT`) };

  it("are told of where they happen, with the balance before", async () => {
    const sink = new CollectingSink({ frames: "all", data: "all" });
    await runTarget("prague", assemble(calling("CALL", A, 1n)), { accounts: [destroying], sink });
    expect(sink.events.map(({ event }) => event)).toEqual(["enter", "enter", "selfDestruct", "exit", "exit"]);
    expect(sink.events[2]).toMatchObject({ address: hex(A), beneficiary: hex(B), balance: 11n });
  });

  it("are not told of where the opcode was refused", async () => {
    const sink = new CollectingSink({ frames: "all", data: "all" });
    await runTarget("prague", assemble(calling("STATICCALL", A)), { accounts: [destroying], sink });
    expect(sink.events[2]).toMatchObject({ event: "exit", end: { error: "staticStateChange" } });
  });

  it("tell of logs that a failed frame takes back", async () => {
    const sink = new CollectingSink({ logs: true });
    const { result } = await runTarget("prague", assemble("7 0 MSTORE 3 2 40 0 LOG2 INVALID"), { sink });
    expect(result.logs).toEqual([]);
    const data = `${hex(word(7n))}${"00".repeat(8)}`;
    expect(sink.events).toEqual([{ event: "log", log: [hex(TARGET), hex(word(2n)), hex(word(3n)), data].join() }]);
  });
});

describe("accesses", () => {
  const code = assemble(`${hex(A)} BALANCE POP 5 SLOAD POP ${hex(B)} 0 0 0 0 DUP5 GAS DELEGATECALL 6 5 SSTORE`);

  it("are told of as opcodes run", async () => {
    const sink = new CollectingSink({ accesses: "done" });
    await runTarget("prague", code, { sink, message: { gasLimit: 8_000n } });
    expect([...sink.accesses]).toEqual([hex(A), hex(TARGET), `${hex(TARGET)}:${hex(word(5n))}`, hex(B)]);
  });

  it("are told of as opcodes are attempted, where that is wanted", async () => {
    const sink = new CollectingSink({ accesses: "attempted" });
    await runTarget("prague", assemble("9 SLOAD"), { sink, message: { gasLimit: 2_000n } });
    expect([...sink.accesses]).toEqual([hex(TARGET), `${hex(TARGET)}:${hex(word(9n))}`]);
  });
});

describe("recorded steps", () => {
  const looping = assemble("3000 again: 1 SWAP1 SUB DUP1 @again JUMPI");

  slowIt("come in buffers one after the other", async () => {
    const sink = new CollectingSink({ steps: "recorded" });
    await runTarget("prague", looping, { sink });
    expect(sink.steps).toHaveLength(1 + 3000 * 7 + 1);
    expect(sink.buffers).toEqual([0, 4096, 8192, 12288, 16384, 20480]);
    expect(sink.events).toEqual([]);
  });

  it("wait for the promises that a sink returns", async () => {
    let waiting = 0;
    let most = 0;
    let taken = 0;
    const sink: EventSink = {
      wants: { steps: "recorded" },
      takeSteps: async ({ length }: StepBuffer) => {
        taken += length;
        most = Math.max(most, ++waiting);
        await new Promise((resolve) => setTimeout(resolve, 1));
        waiting--;
      },
    };
    await runTarget("prague", looping, { sink });
    expect([taken, most, waiting]).toEqual([21_002, 1, 0]);
  });

  it("end the run where a sink's promise is rejected", async () => {
    const failure = new Error("enough");
    const sink: EventSink = { wants: { steps: "recorded" }, takeSteps: () => Promise.reject(failure) };
    await expect(runTarget("prague", looping, { sink })).rejects.toMatchObject({ cause: failure });
  });

  it("hold what was written to memory where that is wanted", async () => {
    const code = assemble("0x0102 30 MSTORE8 7 0 MSTORE 40 8 CALLDATASIZE CALLDATACOPY");
    const sink = new CollectingSink({ steps: "recorded", memory: true });
    await runTarget("prague", code, { sink, message: { data: Uint8Array.of(1, 2, 3) } });
    const writes = sink.steps.flatMap(({ write }) => write ?? []);
    expect(writes).toEqual(["30:0x02", `0:${hex(word(7n))}`, `3:0x${"00".repeat(40)}`]);
    const quiet = new CollectingSink({ steps: "recorded" });
    await runTarget("prague", code, { sink: quiet });
    expect(quiet.steps.every(({ write }) => write === undefined)).toBe(true);
  });

  it("have an outcome where they were refused or failed", async () => {
    const outcomeOf = async (words: string, gasLimit = 100_000n): Promise<StepOutcome | undefined> => {
      const sink = new CollectingSink({ steps: "recorded" });
      await runTarget("prague", assemble(words), { sink, message: { gasLimit } });
      return sink.steps.at(-1)?.outcome;
    };
    expect(await outcomeOf("STOP")).toBe(StepOutcome.done);
    expect(await outcomeOf("1 1 SSTORE", 20_000n)).toBe(StepOutcome.outOfGas);
    expect(await outcomeOf("1 0 0 RETURNDATACOPY")).toBe(StepOutcome.failed);
    expect(await outcomeOf("50000 0 0 CREATE")).toBe(StepOutcome.failed);
    expect(await outcomeOf("3 JUMP")).toBe(StepOutcome.badJump);
    expect(await outcomeOf("[0c]")).toBe(StepOutcome.undefinedOpcode);
    expect(await outcomeOf("1 ADD")).toBe(StepOutcome.stackError);
    expect(await outcomeOf("1 1 SSTORE", 2_000n)).toBe(StepOutcome.uncomputable);
    expect(await outcomeOf("again: 1 @again JUMP", 1_000_000n)).toBe(StepOutcome.stackError);
  });

  it("end with a STOP where the code does", async () => {
    const sink = new CollectingSink({ steps: "recorded" });
    await runTarget("prague", assemble("1 2 ADD"), { sink });
    expect(sink.steps.at(-1)).toMatchObject({ pc: 5, opcode: Op.STOP, cost: 0, outcome: StepOutcome.done });
    expect(sink.steps.at(-2)).toMatchObject({ opcode: Op.ADD, word: 3n });
  });
});

describe("live steps", () => {
  it("show the frame before each operation, and the state as it is then", async () => {
    const seen: unknown[] = [];
    let balance = 0n;
    const sink = new CollectingSink({ steps: "live" });
    sink.beginStep = (step) => {
      const account = sink.state?.getAccount(A);
      if (account !== undefined && !(account instanceof Promise)) balance = account.balance;
      seen.push([step.opcode, step.stackHeight > 0 ? step.stackItem(0) : undefined, balance]);
    };
    await runTarget("prague", assemble(`${calling("CALL", A, 5n)} STOP`), { accounts: [a], sink });
    expect(seen.at(8)).toEqual([Op.PUSH1, undefined, 15n]);
    expect(seen.at(-1)).toEqual([Op.STOP, 1n, 15n]);
    expect(seen).toHaveLength(8 + 7 + 1);
  });

  it("tell of a REVERT that it ended its frame", async () => {
    const failed: unknown[] = [];
    const sink = new CollectingSink({ steps: "live" });
    sink.failStep = ({ opcode }, outcome) => void failed.push([opcode, outcome]);
    await runTarget("prague", assemble("0 0 REVERT"), { sink });
    await runTarget("prague", assemble("3 JUMP"), { sink });
    expect(failed).toEqual([
      [Op.REVERT, StepOutcome.done],
      [Op.JUMP, StepOutcome.badJump],
    ]);
  });
});

describe("a sink's error", () => {
  it("ends the run, after which the session goes on", async () => {
    const opened = await aSession("prague", [{ address: TARGET, nonce: 1n, code: assemble("7 1 SSTORE") }]);
    const sink = new CollectingSink({ frames: "all" });
    sink.exitFrame = () => {
      throw new TypeError("too much");
    };
    await expect(transact(opened, {}, sink)).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    expect((await transact(opened)).writes.at(-1)).toMatchObject({ slots: [{ value: Uint8Array.of(7) }] });
  });
});
