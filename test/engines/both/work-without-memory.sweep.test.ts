/**
 * An execution's memory is that of the EVM: it does not grow with the data that calls pass, with the code that is
 * created, or with the events that are recorded. Each program does many times as much as the limit has room for.
 */
import { describe, expect } from "vitest";
import { ENGINE_NAMES, type EngineName } from "../../../src/evm/engine.ts";
import type { EventSink, FrameEnd, FrameStart, SinkWants } from "../../../src/evm/event-sink.ts";
import type { StepBuffer } from "../../../src/evm/step-buffer.ts";
import { type Bytes, EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import type { Log } from "../../../src/primitives/rlp/log-list.ts";
import { assemble } from "../../support/assembler.ts";
import { addressOf, runCode, type TestAccount } from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";

const LIMIT = 4 * 2 ** 20;
/** Bytes of each round. EthereumJS, which has no such limit, shows the same sums in fewer rounds. */
const LENGTH = 20_000;
const TIMES: Readonly<Record<EngineName, number>> = { wasm: 400, ethereumjs: 20 };
const OTHER = addressOf(0xcc);
const CALLS: SinkWants = { frames: "all", data: "all", logs: true };

/** Repeats a program that leaves the stack as it was: on top the number of the round, counted down to 1. */
function repeated(times: number, program: string): string {
  return `${times} again: ${program} 1 SWAP1 SUB DUP1 @again JUMPI`;
}

/** Adds up what it hears of. */
class Sums implements EventSink {
  readonly wants: SinkWants;
  frames = 0;
  refused = 0;
  input = 0;
  output = 0;
  logged = 0;
  accesses = 0;
  steps = 0;
  written = 0;

  constructor(wants: SinkWants) {
    this.wants = wants;
  }

  enterFrame({ input }: FrameStart): void {
    this.frames++;
    this.input += input.length;
  }

  refuseFrame({ input }: FrameStart): void {
    this.refused++;
    this.input += input.length;
  }

  exitFrame({ output }: FrameEnd): void {
    this.output += output.length;
  }

  log({ data }: Log): void {
    this.logged += data.length;
  }

  accessSlot(): void {
    this.accesses++;
  }

  takeSteps(steps: StepBuffer): void {
    this.steps += steps.length;
    for (let row = 0; row < steps.length; row++) this.written += steps.writeLength(row);
  }
}

interface Work {
  /** Code of the called account. */
  readonly program: string;
  /** Code of OTHER; default none. */
  readonly other?: string | undefined;
  readonly data?: Bytes;
}

async function sumsOf(engine: EngineName, work: Work, wants: SinkWants): Promise<Sums> {
  const { program, other, data = EMPTY_BYTES } = work;
  const sums = new Sums(wants);
  const accounts: TestAccount[] = other === undefined ? [] : [{ address: OTHER, nonce: 1n, code: assemble(other) }];
  const { result } = await runCode({
    engine,
    code: assemble(program),
    accounts,
    message: { gasLimit: 10n ** 10n, data },
    executionMemory: LIMIT,
    sink: sums,
  });
  expect(result.error).toBeUndefined();
  return sums;
}

const there = hex(OTHER);

/** Work of so many rounds, and its sums. */
function worksOf(times: number): readonly (readonly [string, Work, SinkWants, Partial<Sums>])[] {
  const data = times * LENGTH;
  const frames = times + 1;
  const eachTime = (program: string, other?: string): Work => ({ program: repeated(times, program), other });
  const calling = `0 0 0 0 0 ${there} GAS CALL POP`;
  return [
    ["input of calls", eachTime(`0 0 ${LENGTH} 0 ${there} GAS STATICCALL POP`), CALLS, { frames, input: data }],
    ["output of calls", eachTime(calling, `${LENGTH} 0 RETURN`), CALLS, { frames, output: data }],
    ["output of calls that revert", eachTime(calling, `${LENGTH} 0 REVERT`), CALLS, { frames, output: data }],
    [
      "input and output of a precompile of the core",
      eachTime(`0 0 ${LENGTH} 0 4 GAS STATICCALL POP`),
      CALLS,
      { frames, input: data, output: data },
    ],
    [
      "input of a precompile of the host",
      eachTime(`0 0 ${LENGTH} 0 2 GAS STATICCALL POP`),
      CALLS,
      { frames, input: data, output: times * 32 },
    ],
    [
      "input of calls that lack their value",
      eachTime(`0 0 ${LENGTH} 0 1 ${there} GAS CALL POP`),
      CALLS,
      { refused: times, input: data },
    ],
    ["init code that lacks its value", eachTime(`${LENGTH} 0 1 CREATE POP`), CALLS, { refused: times, input: data }],
    ["init code", eachTime(`${LENGTH} 0 0 CREATE POP`), CALLS, { frames, input: data }],
    ["init code with a salt", eachTime(`DUP1 ${LENGTH} 0 0 CREATE2 POP`), CALLS, { frames, input: data }],
    [
      "init code of growing length",
      eachTime(`DUP1 ${LENGTH} ADD 0 0 CREATE POP`),
      CALLS,
      { frames, input: data + (times * (times + 1)) / 2 },
    ],
    [
      "data of logs that are reverted",
      eachTime(calling, `${LENGTH} 0 LOG0 0 0 REVERT`),
      CALLS,
      { frames, logged: data },
    ],
    ["accesses", { program: repeated(times * 200, "1 SLOAD POP") }, { accesses: "done" }, { accesses: times * 200 }],
    ["steps", { program: repeated(times * 20, "1 POP") }, { steps: "recorded" }, { steps: times * 20 * 9 + 2 }],
    [
      "memory written by steps",
      eachTime(`${LENGTH} 0 0 CODECOPY`),
      { steps: "recorded", memory: true },
      { written: data },
    ],
  ];
}

describe.each(ENGINE_NAMES)("beside the EVM, memory does not grow with work (%s)", (engine) => {
  const it = onEngine(engine);
  it.each(worksOf(TIMES[engine]))("%s", async (_name, work, wants, sums) => {
    expect(await sumsOf(engine, work, wants)).toMatchObject(sums);
  });

  it("init code that is run, and nothing recorded", async () => {
    // Each instruction of it takes 16 bytes or more when it is decoded.
    const program = repeated(TIMES[engine] / 10, `${LENGTH} 0 0 CREATE POP`);
    const fill = `91 0 MSTORE8 ${LENGTH - 1} 0 1 MCOPY`;
    expect(await sumsOf(engine, { program: `${fill} ${program}` }, {})).toMatchObject({ frames: 0 });
  });

  it("reads of transient storage that was never written", async () => {
    const program = repeated(TIMES[engine] * 200, "DUP1 TLOAD POP");
    expect(await sumsOf(engine, { program }, {})).toMatchObject({ frames: 0 });
  });
});

describe.each(ENGINE_NAMES)("data of frames (%s)", (engine) => {
  const it = onEngine(engine);
  const work: Work = {
    program: `0xaabb 0 MSTORE 0 0 32 0 ${there} GAS STATICCALL POP 0 0 31 0 4 GAS STATICCALL POP 5 0 RETURN`,
    other: "7 0 RETURN",
    data: new Uint8Array(3),
  };
  const none = { input: 0, output: 0 };

  it.each<readonly [string, SinkWants["data"], Partial<Sums>]>([
    ["all", "all", { input: 3 + 32 + 31, output: 5 + 7 + 31 }],
    ["those of the outermost frame", "outermost", { input: 3, output: 5 }],
    ["those of one address", OTHER, { input: 32, output: 7 }],
    ["none", undefined, none],
  ])("is what is wanted: %s", async (_name, data, sums) => {
    expect(await sumsOf(engine, work, { frames: "all", data })).toMatchObject({ frames: 3, ...sums });
  });

  it("is that of the watched frames, if only those are wanted", async () => {
    const wants = { frames: OTHER, data: "all" } as const;
    expect(await sumsOf(engine, work, wants)).toMatchObject({ frames: 1, input: 32, output: 7 });
    expect(await sumsOf(engine, work, { frames: OTHER })).toMatchObject({ frames: 1, ...none });
  });
});
