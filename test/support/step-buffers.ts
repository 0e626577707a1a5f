/** Step buffers of another size than an engine makes them. */
import { STEP_BYTES, StepBuffer } from "../../src/evm/step-buffer.ts";

/** The same steps in buffers of `length` steps. */
export function splitSteps({ first, length: total, bytes, writes }: StepBuffer, length: number): StepBuffer[] {
  const parts: StepBuffer[] = [];
  for (let row = 0; row < total; row += length) {
    const part = bytes.slice(row * STEP_BYTES, Math.min(total, row + length) * STEP_BYTES);
    parts.push(new StepBuffer(first + row, part, writes));
  }
  return parts;
}
