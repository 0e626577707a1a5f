/**
 * Every row of the table of instructions against what its instruction does, in the newest hardfork: a row that lacks an
 * operand, or an instruction that leaves a part of its protocol out, shows here, and not in a trace that is wrong.
 */
import { describe, expect, it } from "vitest";
import { HARDFORKS, type Hardfork } from "../../../src/chainspec/hardforks/hardforks.ts";
import type { EngineSession, MessageResult, TransactionEffects } from "../../../src/evm/engine.ts";
import type { EventSink, LiveStep, SinkWants } from "../../../src/evm/event-sink.ts";
import { INSTRUCTIONS, type Instruction, staticGas } from "../../../src/evm/instructions.ts";
import { Executor } from "../../../src/executor/executor.ts";
import { type Bytes, concatBytes } from "../../../src/primitives/bytes/bytes.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { vmTraceText } from "../../../src/rpc/encode/traces/vm-trace-text.ts";
import { type RecordedVmTrace, vmTrace } from "../../../src/tracer/formats/vm-trace.ts";
import { Recorder } from "../../../src/tracer/recorder.ts";
import type { CallFrame } from "../../../src/tracer/recording.ts";
import { FrameMachine } from "../../../src/tracer/replay.ts";
import { assemble } from "../../support/assembler.ts";
import {
  aBlock,
  addressOf,
  aMessage,
  aState,
  engineOf,
  spec,
  TARGET,
  type TestAccount,
  word,
} from "../../support/evm.ts";
import { shown } from "../../support/plain.ts";
import { childOf, stepAt } from "../../support/recorded-steps.ts";
import { sweep, testSeed } from "../../support/seed.ts";

const NEWEST = HARDFORKS.at(-1) as Hardfork;
const OUTER = addressOf(0xee);
const CALLEE = addressOf(0xdd);
/** Memory before the instruction, and data that another frame has returned. */
const BYTES = 8_192;
/** Operands: offsets, lengths, amounts of gas and of wei, keys, addresses, whatever the instruction takes them for. */
const operand = (index: number): number => 512 * (index + 1);
const MOST_OPERANDS = 8;
const addressAt = (value: number): Bytes => word(BigInt(value)).slice(12);

/** Below the operands. */
const DEEP_ITEMS = Array.from({ length: 20 }, (_, index) => 1_000 + index).join(" ");
/** The immediate of instructions that have one: of EIP-8024's it names items that are on the stack. */
const IMMEDIATE = 0x80;

/** Accounts that the operands name have code that returns bytes that are not in memory. */
const answering = (bytes: number): Bytes => assemble(`0xee 0 MSTORE8 0xee 31 MSTORE8 ${bytes} 0 RETURN`);

/** Fills memory. */
const FILLING = "CALLDATASIZE 0 0 CALLDATACOPY";

function programOf({ opcode, pops, immediate }: Instruction, ending: string, beginning = FILLING): Bytes {
  const operands = Array.from({ length: pops }, (_, index) => operand(pops - 1 - index));
  return concatBytes(
    assemble(`${beginning} 0 0 0 0 0x${hexOf(CALLEE)} GAS STATICCALL ${DEEP_ITEMS} ${operands.join(" ")}`),
    Uint8Array.of(opcode, ...new Uint8Array(immediate).fill(IMMEDIATE)),
    assemble(ending),
  );
}

const hexOf = (bytes: Bytes): string => encodeData(bytes).slice(2);
/** Tells the caller memory and the topmost items. Instructions of one block follow, which it has paid ahead. */
const TELLING = `1 2 3 ADD ADD ${BYTES} MSTORE ${BYTES + 32} MSTORE ${BYTES + 64} 0 RETURN`;

interface Ran {
  readonly result: MessageResult;
  readonly effects: TransactionEffects;
  /** Slots and accounts that the state was asked for during the message: address, and key. */
  readonly asked: ReadonlySet<string>;
  readonly changesState: boolean;
}

async function run(code: Bytes, sink: EventSink | undefined, outer?: string): Promise<Ran> {
  const named = Array.from({ length: MOST_OPERANDS }, (_, index) => addressAt(operand(index)));
  const accounts: TestAccount[] = [
    { address: CALLEE, nonce: 1n, code: answering(BYTES) },
    ...named.map((address) => ({ address, nonce: 1n, balance: 1n, code: answering(96) })),
    { address: TARGET, nonce: 1n, balance: 10n ** 18n, code, storage: slotsOf() },
    ...(outer === undefined ? [] : [{ address: OUTER, nonce: 1n, balance: 10n ** 18n, code: assemble(outer) }]),
  ];
  const state = aState(accounts);
  const asked = new Set<string>();
  const reading = {
    getAccount: (address: Bytes) => {
      asked.add(encodeData(address));
      return state.getAccount(address);
    },
    getStorage: (address: Bytes, slot: Bytes) => {
      asked.add(`${encodeData(address)} ${encodeData(slot)}`);
      return state.getStorage(address, slot);
    },
    getCode: (hash: Bytes) => state.getCode(hash),
    hasStorage: (address: Bytes) => state.hasStorage(address),
  };
  const executor = new Executor(spec, await engineOf("wasm"));
  const rules = spec.rules(NEWEST);
  const block = aBlock(NEWEST, { slotNumber: 7n });
  const session: EngineSession = await executor.open({ rules, state: reading, block });
  const data = Uint8Array.from({ length: BYTES }, (_, index) => (index * 7) % 251 || 1);
  const message = aMessage({
    to: outer === undefined ? TARGET : OUTER,
    data,
    gasLimit: 20_000_000n,
    stateGas: 10n ** 8n,
  });
  try {
    session.begin({ ...message, sink });
    session.warmAddress(TARGET);
    const result = await session.run(message);
    const effects = await session.end();
    const before = hexOf(state.computeStateRoot());
    state.apply(effects);
    return { result, effects, asked, changesState: hexOf(state.computeStateRoot()) !== before };
  } finally {
    session.close();
  }
}

const slotsOf = (): (readonly [bigint, bigint])[] =>
  Array.from({ length: MOST_OPERANDS }, (_, index) => [BigInt(operand(index)), 5n] as const);

/** Accounts and slots that the listener was given, in the form of {@link Ran.asked}. */
class Accesses implements EventSink {
  readonly wants: SinkWants = { accesses: "done", frames: "all" };
  readonly told = new Set<string>();

  accessAccount(address: Bytes): void {
    this.told.add(encodeData(address));
  }

  accessSlot(address: Bytes, slot: Bytes): void {
    this.told.add(`${encodeData(address)} ${encodeData(slot)}`);
  }

  exitFrame({ createdAddress }: { readonly createdAddress: Bytes | undefined }): void {
    if (createdAddress !== undefined) this.told.add(encodeData(createdAddress));
  }
}

/** Stack and memory before each step. */
class Copies implements EventSink {
  readonly wants: SinkWants = { steps: "live" };
  readonly seen: { readonly stack: readonly bigint[]; readonly memory: Bytes }[] = [];

  beginStep(live: LiveStep): void {
    const { stackHeight, memoryBytes } = live;
    const stack = Array.from({ length: stackHeight }, (_, index) => live.stackItem(stackHeight - 1 - index));
    this.seen.push({ stack, memory: live.readMemory(0, memoryBytes).slice() });
  }
}

function textOf(pieces: Iterable<unknown>): string {
  return [...pieces].map((piece) => Buffer.from(piece as Bytes).toString("latin1")).join("");
}

/** All that the newest hardfork has, but for INVALID, and of PUSH, DUP and SWAP for some in the middle. */
const INSTRUCTIONS_NOW = INSTRUCTIONS.filter(
  ({ name, opcode }) =>
    staticGas(opcode, NEWEST) !== undefined && !/^(?:PUSH|DUP|SWAP)(?:[2-9]|1[0-5]|2\d|3[01])$/.test(name),
);

describe.each(INSTRUCTIONS_NOW.map((instruction) => [instruction.name, instruction] as const))(
  "%s",
  (_, instruction) => {
    const code = programOf(instruction, TELLING);
    /** In default tests one of the cases, the next instruction the other one. */
    const inTurn = <Case>(cases: readonly Case[]): readonly Case[] =>
      sweep(cases, (_case, index) => (INSTRUCTIONS_NOW.indexOf(instruction) + index + (testSeed >>> 0)) % 2 === 0);

    it.each(
      inTurn([
        ["full", FILLING],
        ["empty", ""],
      ] as const),
    )("is recorded with the stack and the %s memory that it leaves, which vmTrace shows", async (_state, beginning) => {
      await expectToShowItself(programOf(instruction, TELLING, beginning));
    });

    it("hands on the gas that its step says", async () => {
      const recorder = new Recorder({ steps: true, memory: true });
      await run(code, recorder);
      for (const frame of recorder.frames.slice(1)) {
        const { buffer, row } = rowOf(recorder, frame.step);
        const stipend = frame.value > 0n && frame.kind <= 1 ? 2_300 : 0;
        expect(Number(frame.gas)).toBe(buffer.forwarded(row) + stipend);
        expect(stepAt(recorder, frame.step).frame).toBeLessThan(frame.index);
      }
    });

    it("does the same with nobody listening", async () => {
      const [unheard, heard] = [
        await run(code, undefined),
        await run(code, new Recorder({ steps: true, memory: true })),
      ];
      expect(unheard.result).toEqual(heard.result);
      expect(unheard.effects.writes).toEqual(heard.effects.writes);
    });

    it("tells of what it reads of the state, and leaves it warm and in the access list of the block", async () => {
      const sink = new Accesses();
      const { result, effects, asked } = await run(code, sink);
      const flat = (accesses: ReturnType<TransactionEffects["seen"]>): string[] =>
        accesses.flatMap(({ address, slots }) => [
          encodeData(address),
          ...slots.map((slot) => `${encodeData(address)} ${encodeData(slot)}`),
        ]);
      const others = [...asked].filter((name) => name !== encodeData(TARGET) && name !== encodeData(aMessage().from));
      expect(others.filter((name) => !sink.told.has(name))).toEqual([]);
      expect(others.filter((name) => !flat(effects.seen()).includes(name))).toEqual([]);
      const { account, slot } = instruction.names;
      if (account !== undefined) expect([...asked]).toContain(encodeData(addressAt(operand(account))));
      if (slot !== undefined) {
        expect([...asked]).toContain(`${encodeData(TARGET)} ${encodeData(word(BigInt(operand(slot))))}`);
      }
      // What a failed frame has read is cold again.
      if (result.error !== undefined) return;
      expect(others.filter((name) => !flat(effects.accesses()).includes(name))).toEqual([]);
    });

    it.each(
      inTurn([
        ["in a static frame", "STATICCALL", TELLING],
        ["in a frame that reverts", "CALL", "0 0 REVERT"],
      ] as const),
    )("changes nothing %s", async (_where, kind, ending) => {
      const calling = `${FILLING} 0 0 ${BYTES} 0 ${kind === "CALL" ? "0" : ""} 0x${hexOf(TARGET)} 15000000 ${kind} POP`;
      // An instruction that ends its frame never reaches the REVERT.
      if (kind === "CALL" && instruction.kind === "ends") return;
      const { changesState, result } = await run(programOf(instruction, ending), undefined, calling);
      expect(result).toMatchObject({ error: undefined, logs: [] });
      expect(changesState).toBe(false);
    });
  },
);

/** A recording, vmTrace made of it, and what somebody sees who looks at each step agree in stack and memory. */
async function expectToShowItself(code: Bytes): Promise<void> {
  const recorder = new Recorder({ steps: true, memory: true });
  const { result } = await run(code, recorder);
  const copies = new Copies();
  expect(shown((await run(code, copies)).result)).toEqual(shown(result));
  expect(recorder.steps?.length).toBe(copies.seen.length);
  const machines = new Map<number, FrameMachine>();
  /** End of the last write to memory, by frame. */
  const ends = new Map<number, number>();
  const trace = JSON.parse(textOf(vmTraceText(vmTrace(recorder, {}) as RecordedVmTrace))) as VmTraceJson;
  const shows: (typeof copies.seen)[number][] = [];
  let index = 0;
  for (const step of copies.seen.keys()) {
    const { buffer, row, frame, memoryBytes } = rowOf(recorder, step);
    const machine = machines.get(frame) ?? new FrameMachine(recorder.frames[frame] as CallFrame);
    machines.set(frame, machine);
    shows.push({ stack: [...machine.stack], memory: machine.readMemory(0, memoryBytes) });
    expect(memoryBytes).toBeGreaterThanOrEqual(ends.get(frame) ?? 0);
    ends.set(frame, buffer.writeLength(row) === 0 ? 0 : buffer.writeOffset(row) + buffer.writeLength(row));
    machine.apply(buffer, row, childOf(recorder, step));
    if (frame !== 0) continue;
    const ex = trace.ops[index++]?.ex ?? undefined;
    if (ex?.mem) expect(ex.mem.data).toBe(encodeData(machine.readMemory(ex.mem.off, ex.mem.data.length / 2 - 1)));
    const { stack } = machine;
    if (ex !== undefined) expect(ex.push.map(BigInt)).toEqual(stack.slice(stack.length - ex.push.length));
  }
  expect(shows).toEqual(copies.seen);
  expect(trace.ops.length).toBe(index);
}

interface VmTraceJson {
  readonly ops: readonly {
    readonly ex: {
      readonly mem: { readonly off: number; readonly data: string } | null;
      readonly push: string[];
    } | null;
  }[];
}

function rowOf(recorder: Recorder, step: number) {
  const buffer = recorder.steps?.bufferOf(step);
  if (buffer === undefined) throw new TypeError("no steps were recorded");
  const row = step - buffer.first;
  return { buffer, row, frame: buffer.frame(row), memoryBytes: buffer.memoryBytes(row) };
}
