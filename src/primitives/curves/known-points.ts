/**
 * Points of G2 from earlier pairings, with the lines of their Miller loops. A contract that verifies proofs computes pairings
 * with the same points each time: those of its key.
 */
import type { Mcl } from "./mcl.ts";

/** Points whose lines are stored, of some 20 kB each. */
const MOST_LINES = 16;
/** Points that came once and are waited for. */
const MOST_AWAITED = 64;

/** Of one curve, on its instance of mcl. Points are named by their bytes in the input. */
export class KnownPoints {
  readonly #mcl: Mcl;
  /** Addresses of lines. The point that was used last is the last one. */
  readonly #lines = new Map<string, number>();
  readonly #awaited = new Set<string>();

  constructor(mcl: Mcl) {
    this.#mcl = mcl;
  }

  /** Address of the lines of a point; undefined if it is not known. */
  linesOf(name: string): number | undefined {
    const lines = this.#lines.get(name);
    if (lines !== undefined) this.#use(name, lines);
    return lines;
  }

  /**
   * Must be called for a point of the group that is not known, other than that at infinity.
   *
   * @returns the address of its lines if it comes for the second time
   */
  learn(name: string, point: number): number | undefined {
    if (!this.#awaited.delete(name)) {
      this.#awaited.add(name);
      if (this.#awaited.size > MOST_AWAITED) this.#awaited.delete(firstOf(this.#awaited));
      return undefined;
    }
    const lines = this.#room();
    this.#mcl.functions.mclBn_precomputeG2(lines, point);
    this.#use(name, lines);
    return lines;
  }

  #use(name: string, lines: number): void {
    this.#lines.delete(name);
    this.#lines.set(name, lines);
  }

  /** Room for lines: new, or that of the point whose last use is the longest ago. */
  #room(): number {
    if (this.#lines.size < MOST_LINES)
      return this.#mcl.allocate(8 * this.#mcl.functions.mclBn_getUint64NumToPrecompute());
    const oldest = firstOf(this.#lines.keys());
    const lines = this.#lines.get(oldest) as number;
    this.#lines.delete(oldest);
    return lines;
  }
}

function firstOf(names: Iterable<string>): string {
  const [first] = names;
  return first as string;
}
