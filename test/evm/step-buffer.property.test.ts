/** Steps that are written are read, whatever their numbers, in however many buffers. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StepOutcome } from "../../src/evm/frames.ts";
import type { StepBuffer } from "../../src/evm/step-buffer.ts";
import { StepWriter } from "../../src/evm/step-writer.ts";

const uint32 = fc.nat(2 ** 32 - 1);
/** Gas: small numbers, such as pass 32 bits, and the largest that are exact. */
const gas = fc.oneof(fc.nat(), fc.integer({ min: 2 ** 31, max: 2 ** 33 }), fc.maxSafeNat());
const word = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));

const step = fc.record({
  pc: uint32,
  opcode: fc.nat(255),
  frame: uint32,
  memoryBytes: uint32,
  gas,
  cost: gas,
  forwarded: gas,
  refund: gas,
  outcome: fc.constantFrom(...Object.values(StepOutcome)),
  word: fc.option(word, { nil: undefined }),
  write: fc.option(fc.record({ offset: fc.nat(500), length: fc.nat(100) }), { nil: undefined }),
});
type WrittenStep = typeof step extends fc.Arbitrary<infer T> ? T : never;

const memory = Uint8Array.from({ length: 400 }, (_, index) => (index * 7) & 255);

/** Writes steps, taking a buffer whenever one is full. */
function written(steps: readonly WrittenStep[], capacity: number): StepBuffer[] {
  const writer = new StepWriter(capacity);
  const buffers: (StepBuffer | undefined)[] = [];
  steps.forEach(({ outcome, word: item, write, ...begin }, index) => {
    if (writer.isFull) buffers.push(writer.take());
    expect(writer.count).toBe(index);
    writer.begin(begin);
    if (outcome !== StepOutcome.done) writer.setOutcome(outcome);
    if (item !== undefined) writer.setWord(item);
    if (write !== undefined) writer.setWrite(memory, write.offset, write.length);
  });
  buffers.push(writer.take());
  expect(writer.take()).toBeUndefined();
  return buffers.filter((buffer) => buffer !== undefined);
}

function read(buffer: StepBuffer, row: number): WrittenStep {
  const length = buffer.writeLength(row);
  return {
    pc: buffer.pc(row),
    opcode: buffer.opcode(row),
    frame: buffer.frame(row),
    memoryBytes: buffer.memoryBytes(row),
    gas: buffer.gas(row),
    cost: buffer.cost(row),
    forwarded: buffer.forwarded(row),
    refund: buffer.refund(row),
    outcome: buffer.outcome(row),
    word: buffer.hasWord(row) ? buffer.word(row) : undefined,
    write: length === 0 ? undefined : { offset: buffer.writeOffset(row), length },
  };
}

describe("a step buffer", () => {
  it("gives what a writer wrote", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (steps, capacity) => {
        const buffers = written(steps, capacity);
        const rows = buffers.flatMap((buffer) => Array.from({ length: buffer.length }, (_, row) => read(buffer, row)));
        const expected = steps.map((each) => (each.write?.length === 0 ? { ...each, write: undefined } : each));
        expect(rows).toEqual(expected);
        expect(buffers.map(({ first }) => first)).toEqual(buffers.map((_, index) => index * capacity));
      }),
    );
  });

  it("holds the bytes that steps wrote to memory, zeros beyond its end", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const [buffer] = written(steps, 100);
        steps.forEach(({ write }, row) => {
          if (write === undefined) return;
          const whole = new Uint8Array(1000);
          whole.set(memory);
          expect(buffer?.written(row)).toEqual(whole.subarray(write.offset, write.offset + write.length));
        });
      }),
    );
  });

  it("takes what 64 bits cannot hold for the most that they can", () => {
    const writer = new StepWriter(1);
    const nothing = { pc: 0, opcode: 0, frame: 0, memoryBytes: 0, cost: 0, forwarded: 0, refund: 0 };
    writer.begin({ ...nothing, gas: 2 ** 64 });
    const buffer = writer.take();
    expect([...(buffer?.words.subarray(4, 6) ?? [])]).toEqual([0xffff_ffff, 0xffff_ffff]);
    expect(buffer?.gas(0)).toBe(2 ** 64);
  });

  it("ends before its steps have written more than a megabyte", () => {
    const writer = new StepWriter();
    const large = new Uint8Array(600_000);
    const nothing = { pc: 0, opcode: 0, frame: 0, memoryBytes: 0, gas: 0, cost: 0, forwarded: 0, refund: 0 };
    for (const isFull of [false, true]) {
      writer.begin(nothing);
      writer.setWrite(large, 0, large.length);
      expect(writer.isFull).toBe(isFull);
    }
    expect(writer.take()?.writes.length).toBe(1_200_000);
    expect(writer.isFull).toBe(false);
  });
});
