/** Counts how often each instruction of each code runs in one message, for coverage. */
import type { CoverageSink } from "../../evm/coverage-sink.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

/** Counts the instructions that run in one message. */
export class StepCounter {
  /** By EthereumJS' array, which may be a part of a memory that changes: with a copy of it, and by place. */
  readonly #codes = new Map<Bytes, { readonly copy: Bytes; readonly counts: Map<number, number> }>();

  count(code: Bytes | undefined, pc: number): void {
    if (code === undefined) return;
    let counted = this.#codes.get(code);
    if (counted === undefined) {
      counted = { copy: code.slice(), counts: new Map() };
      this.#codes.set(code, counted);
    }
    const { counts } = counted;
    counts.set(pc, (counts.get(pc) ?? 0) + 1);
  }

  tell(sink: CoverageSink): void {
    for (const { copy, counts } of this.#codes.values()) {
      const runs = Array.from(counts, ([start, times]) => ({ start, end: start + 1, times }));
      sink.count(copy, runs);
    }
  }
}
