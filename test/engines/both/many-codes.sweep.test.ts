/**
 * Code takes bounded memory, however much of it a transaction reads or runs. Each program needs many times what the limit
 * has room for; EthereumJS, which has no such limit, shows the same results in fewer rounds.
 */
import { describe, expect, it } from "vitest";
import type { CodeRun, CoverageSink } from "../../../src/evm/coverage-sink.ts";
import { ENGINE_NAMES, type Engine, type EngineName } from "../../../src/evm/engine.ts";
import type { EventSink, FrameEnd, SinkWants } from "../../../src/evm/event-sink.ts";
import type { EngineState } from "../../../src/evm/state-port.ts";
import type { StepBuffer } from "../../../src/evm/step-buffer.ts";
import { openEngine } from "../../../src/node/engines.ts";
import { type Bytes, bytesToBigInt } from "../../../src/primitives/bytes/bytes.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { assemble } from "../../support/assembler.ts";
import {
  aBlock,
  addressOf,
  aMessage,
  aState,
  engineOf,
  runCode,
  spec,
  TARGET,
  type TestAccount,
  word,
} from "../../support/evm.ts";
import { onEngine } from "../../support/per-engine.ts";
import { hex } from "../../support/plain.ts";
import { isSlow } from "../../support/seed.ts";
import { waitingState } from "../waiting-state.ts";

const LIMIT = 4 * 2 ** 20;
const CODE_BYTES = 24_576;
/** Different codes: 2 MB of bytes, and nearly 80 MB of records if all of them are jump destinations. */
const COUNT: Readonly<Record<EngineName, number>> = { wasm: 80, ethereumjs: 3 };
const GAS = 10n ** 10n;
const FIRST = 0x1000_0000;
const OTHER = addressOf(0xcc);

/** Code of full size: jump destinations, and a push of its number. */
function numberedCode(number: number): Bytes {
  const code = new Uint8Array(CODE_BYTES).fill(0x5b);
  code.set([0x62, number >> 16, (number >> 8) & 0xff, number & 0xff], CODE_BYTES - 4);
  return code;
}

const CALLING = assemble(
  `[62000000] POP [${"5b".repeat(CODE_BYTES - 100)}] 32 0 0 0 1 ADDRESS SUB GAS STATICCALL
   @behind JUMP behind: 0 MLOAD ADD 0 MSTORE 32 0 RETURN`,
);

/** Code that calls the account before it, and returns the number of accounts that were called, and jumps meanwhile. */
function callingCode(number: number): Bytes {
  const code = new Uint8Array(CODE_BYTES);
  code.set(CALLING);
  code.set([number >> 16, (number >> 8) & 0xff, number & 0xff], 1);
  return code;
}

function addressAt(number: number): Bytes {
  return word(BigInt(FIRST + number)).slice(12);
}

/** Accounts with the numbers from 1 on. */
function accountsWith(count: number, codeOf: (number: number) => Bytes): readonly TestAccount[] {
  return Array.from({ length: count }, (_, index) => {
    return { address: addressAt(index + 1), nonce: 1n, code: codeOf(index + 1) };
  });
}

/** The sum of the words that a program makes of each account's address. It may use what `count` has on top. */
function summing(count: number, program: string): string {
  const round = `DUP1 ${FIRST} ADD ${program} DUP3 ADD SWAP2 POP`;
  return `0 ${count} again: ${round} 1 SWAP1 SUB DUP1 @again JUMPI POP 0 MSTORE 32 0 RETURN`;
}

/** Sums of all that a sink hears of codes and steps. */
class Heard implements EventSink {
  readonly wants: SinkWants;
  frames = 0;
  numbers = 0;
  steps = 0;

  constructor(wants: SinkWants) {
    this.wants = wants;
  }

  exitFrame({ code }: FrameEnd): void {
    if (code.length !== CODE_BYTES) return;
    this.frames++;
    this.numbers += Number(bytesToBigInt(code.slice(-3)));
  }

  takeSteps(steps: StepBuffer): void {
    this.steps += steps.length;
  }
}

/** Runs TARGET's code on a state, in a session of its own, and returns the word that it answers. */
async function answerOn(engine: Engine, state: EngineState, coverage?: CoverageSink): Promise<bigint> {
  const session = await engine.open({
    state,
    block: aBlock("cancun"),
    chainId: spec.chainId,
    maxCodeSize: CODE_BYTES,
    maxInitCodeSize: 2 * CODE_BYTES,
    pace: { check: () => undefined },
    ...(coverage && { coverage }),
  });
  try {
    const message = aMessage({ gasLimit: GAS });
    session.begin(message);
    const { output } = await session.run(message);
    await session.end();
    return bytesToBigInt(output);
  } finally {
    session.close();
  }
}

interface Given {
  readonly accounts: readonly TestAccount[];
  readonly program: string;
  readonly sink?: EventSink;
}

/** The word that a program returns. */
async function answerOf(engine: EngineName, { accounts, program, sink }: Given): Promise<bigint> {
  const { result } = await runCode({
    engine,
    code: assemble(program),
    accounts,
    message: { gasLimit: GAS },
    executionMemory: LIMIT,
    record: false,
    ...(sink && { sink }),
  });
  expect(result.error).toBeUndefined();
  return bytesToBigInt(result.output);
}

const sumTo = (count: number): number => (count * (count + 1)) / 2;

describe.each(ENGINE_NAMES)("many codes of full size (%s)", (engine) => {
  const it = onEngine(engine);
  const count = COUNT[engine];
  const accounts = accountsWith(count, numberedCode);
  const hashes = accounts.reduce((sum, { code }) => sum + bytesToBigInt(keccak256(code as Bytes)), 0n);

  it.each<readonly [string, string, bigint]>([
    ["their sizes", "EXTCODESIZE", BigInt(count * CODE_BYTES)],
    ["their hashes", "EXTCODEHASH", hashes % 2n ** 256n],
    ["their last bytes", `3 ${CODE_BYTES - 3} 29 DUP4 EXTCODECOPY POP 0 MLOAD`, BigInt(sumTo(count))],
    ["calls of them", "0 0 0 0 DUP5 GAS STATICCALL SWAP1 POP", BigInt(count)],
    ["their sizes after calls", "0 0 0 0 DUP5 GAS STATICCALL POP EXTCODESIZE", BigInt(count * CODE_BYTES)],
  ])("%s", async (_name, program, sum) => {
    expect(await answerOf(engine, { accounts, program: summing(count, program) })).toBe(sum);
  });

  it("calls whose frames are recorded", async () => {
    const sink = new Heard({ frames: "all" });
    const program = summing(count, "0 0 0 0 DUP5 GAS STATICCALL SWAP1 POP");
    expect(await answerOf(engine, { accounts, program, sink })).toBe(BigInt(count));
    expect(sink).toMatchObject({ frames: count, numbers: sumTo(count) });
  });

  it.runIf(isSlow)("calls whose steps are recorded", async () => {
    const few = Math.min(count, 40);
    const sink = new Heard({ frames: "all", steps: "recorded" });
    const program = summing(few, "0 0 0 0 DUP5 GAS STATICCALL SWAP1 POP");
    expect(await answerOf(engine, { accounts, program, sink })).toBe(BigInt(few));
    expect(sink).toMatchObject({ frames: few, numbers: sumTo(few) });
    // Each code runs its destinations, its PUSH3 and the STOP behind its end.
    expect(sink.steps).toBeGreaterThan(few * (CODE_BYTES - 2));
  });

  it("a state that has to be awaited", async () => {
    const few = Math.min(count, 80);
    const program = summing(few, "0 0 0 0 DUP5 GAS STATICCALL SWAP1 POP");
    const state = aState([...accounts.slice(0, few), { address: TARGET, code: assemble(program) }]);
    expect(await answerOn(await engineOf(engine, LIMIT), waitingState(state))).toBe(BigInt(few));
  });
});

it("many codes run in memory that an engine with a higher limit left", async () => {
  const empty = aState([{ address: TARGET, code: assemble("0 0 RETURN") }]);
  const large = await openEngine("wasm", {});
  await answerOn(large, empty);
  await large.close();
  const small = await openEngine("wasm", { executionMemory: LIMIT });
  const program = summing(COUNT.wasm, "0 0 0 0 DUP5 GAS STATICCALL SWAP1 POP");
  const state = aState([...accountsWith(COUNT.wasm, numberedCode), { address: TARGET, code: assemble(program) }]);
  expect(await answerOn(small, state)).toBe(BigInt(COUNT.wasm));
  await small.close();
});

describe.each(ENGINE_NAMES)("open frames of different codes of full size (%s)", (engine) => {
  const it = onEngine(engine);
  const depth = engine === "wasm" ? 40 : 3;
  const accounts = accountsWith(depth, callingCode);
  const call = `32 0 0 0 ${hex(addressAt(depth))} GAS STATICCALL POP 32 0 RETURN`;

  it.each<readonly [string, SinkWants | undefined]>([
    ["unheard", undefined],
    ["with their frames recorded", { frames: "all" }],
  ])("go on behind their calls: %s", async (_name, wants) => {
    const sink = wants && new Heard(wants);
    expect(await answerOf(engine, { accounts, program: call, ...(sink && { sink }) })).toBe(BigInt(depth));
    if (sink !== undefined) expect(sink.frames).toBe(depth);
  });
});

describe.each(ENGINE_NAMES)("code that fails again and again (%s)", (engine) => {
  const it = onEngine(engine);
  const times = engine === "wasm" ? 500 : 10;
  // Where it cannot be paid for, it is decoded instruction by instruction.
  const code = assemble("0 POP ".repeat(CODE_BYTES / 2));
  const failing = `0 0 0 0 0 @there 100 CALL`;
  const again = (there: string): string =>
    `0 ${times} again: ${failing.replace("@there", there)} DUP3 ADD SWAP2 POP 1 SWAP1 SUB DUP1 @again JUMPI`;

  it("of the state", async () => {
    const program = `${again(hex(OTHER))} POP 1 ADD 0 MSTORE 32 0 RETURN`;
    expect(await answerOf(engine, { accounts: [{ address: OTHER, nonce: 1n, code }], program })).toBe(1n);
  });

  it("of the transaction itself", async () => {
    const initCode = assemble(`${CODE_BYTES} MSIZE MSIZE ${FIRST + 1} EXTCODECOPY ${CODE_BYTES} RETURNDATASIZE RETURN`);
    const created = `${hex(initCode)} 0 MSTORE ${initCode.length} ${32 - initCode.length} 0 CREATE 0 MSTORE`;
    const program = `${created} ${again("0 MLOAD")} POP 0 MLOAD EXTCODESIZE ADD 0 MSTORE 32 0 RETURN`;
    const given = { accounts: [{ address: addressAt(1), nonce: 1n, code }], program };
    expect(await answerOf(engine, given)).toBe(BigInt(CODE_BYTES));
  });
});

describe.each(ENGINE_NAMES)("counts of codes that are dropped meanwhile (%s)", (engine) => {
  it("are complete", async () => {
    const count = engine === "wasm" ? 30 : 3;
    const rounds = summing(count, "0 0 0 0 DUP5 GAS STATICCALL SWAP1 POP");
    const state = aState([...accountsWith(count, numberedCode), { address: TARGET, code: assemble(rounds) }]);
    let places = 0;
    // The last three bytes are those of the PUSH3, which are no instructions.
    const inside = (pc: number): number => Math.min(pc, CODE_BYTES - 3);
    const coverage = {
      count: (code: Bytes, runs: readonly CodeRun[]): void => {
        if (code.length !== CODE_BYTES) return;
        for (const { start, end, times } of runs) places += (inside(end) - inside(start)) * times;
      },
    };
    expect(await answerOn(await engineOf(engine, LIMIT), state, coverage)).toBe(BigInt(count));
    expect(places).toBe(count * (CODE_BYTES - 3));
  });
});
