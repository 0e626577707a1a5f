import { describe, expect, it } from "vitest";
import { STEP_BYTES, STEP_WORDS, StepBuffer, StepWord } from "../../../src/evm/step-buffer.ts";
import type { CallFrame, Recording } from "../../../src/tracer/recording.ts";
import { isSameRecording } from "./same-recording.ts";

const WRITES = Uint8Array.of(7, 8, 9);

/** Three steps with numbers of their own in every word; the last one wrote the last two bytes of {@link WRITES}. */
function steps(first = 0, end = 3): StepBuffer {
  const words = Uint32Array.from({ length: 3 * STEP_WORDS }, (_, index) => index);
  for (let row = 0; row < 3; row++) words[row * STEP_WORDS + StepWord.writeLength] = row === 2 ? 2 : 0;
  words[2 * STEP_WORDS + StepWord.writeStart] = 1;
  const bytes = new Uint8Array(words.buffer).slice(first * STEP_BYTES, end * STEP_BYTES);
  return new StepBuffer(first, bytes, WRITES.slice());
}

const FRAME = { index: 0, gasUsed: 5n, output: Uint8Array.of(1) } as unknown as CallFrame;
const ACCESS = { address: Uint8Array.of(1), slots: [Uint8Array.of(2)] };

function aRecording(changes: Partial<Recording> = {}): Recording {
  return { frames: [FRAME], steps: [steps()], accesses: [ACCESS], ...changes };
}

describe("recordings are the same", () => {
  it("wherever their buffers end", () => {
    expect(isSameRecording(aRecording(), aRecording({ steps: [steps(0, 1), steps(1)] }))).toBe(true);
  });

  it("only if no word of a step differs but the place of its write", () => {
    for (let place = 0; place < STEP_WORDS; place++) {
      const changed = steps();
      const at = STEP_WORDS + place;
      changed.words[at] = (changed.words[at] as number) + 1;
      const isSame = isSameRecording(aRecording(), aRecording({ steps: [changed] }));
      expect([place, isSame]).toEqual([place, place === StepWord.writeStart]);
    }
  });

  it("only if they wrote the same to memory", () => {
    const changed = steps();
    changed.writes[2] = 1;
    expect(isSameRecording(aRecording(), aRecording({ steps: [changed] }))).toBe(false);
    // No step wrote the first byte.
    const unread = steps();
    unread.writes[0] = 1;
    expect(isSameRecording(aRecording(), aRecording({ steps: [unread] }))).toBe(true);
  });

  it("only if neither has more steps, frames or accesses", () => {
    for (const less of [{ steps: [steps(0, 2)] }, { frames: [] }, { accesses: [] }]) {
      expect(isSameRecording(aRecording(), aRecording(less))).toBe(false);
      expect(isSameRecording(aRecording(less), aRecording())).toBe(false);
    }
    const frames = [{ ...FRAME, output: Uint8Array.of(2) }];
    expect(isSameRecording(aRecording(), aRecording({ frames }))).toBe(false);
  });
});
