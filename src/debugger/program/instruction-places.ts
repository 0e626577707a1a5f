/** The lines, functions and jumps of a code's instructions, each found once. */
import { type Activation, rangeOf } from "../../explain/active/activation.ts";
import type { DebuggedCode } from "./debugged-code.ts";
import type { Place } from "./place.ts";
import { lineOf } from "./statement-lines.ts";

const UNKNOWN = -1;

/** One for each code. The array of places is shared by all codes of a session. */
export class InstructionPlaces {
  readonly #code: DebuggedCode;
  /** The places of all codes. */
  readonly #places: Place[];
  readonly #byPc: Int32Array;
  readonly #byLine = new Map<string, number>();

  constructor(code: DebuggedCode, places: Place[]) {
    this.#code = code;
    this.#places = places;
    this.#byPc = new Int32Array(code.bytes.length + 1).fill(UNKNOWN);
  }

  /**
   * Index in the list of places plus one; 0 for an instruction without a line.
   *
   * @param active - the function that runs, whose line it is, if the source map names another one with the same body
   */
  placeAt(pc: number, active?: Activation): number {
    if (active?.mappedAs !== undefined) return this.#find(pc, active);
    const known = this.#byPc[pc] ?? 0;
    if (known !== UNKNOWN) return known;
    const found = this.#find(pc);
    this.#byPc[pc] = found;
    return found;
  }

  #find(pc: number, active?: Activation): number {
    const { found } = this.#code;
    if (found === undefined) return this.#indexOf({ source: this.#code, line: this.#code.lineOf(pc) });
    const instruction = found.code.instructions.get(pc);
    const range = active === undefined ? instruction?.range : rangeOf(active, instruction?.range);
    const line = instruction && lineOf({ ...instruction, range }, found.contract);
    if (line === undefined || range === undefined) return 0;
    return this.#indexOf({ source: range.file, line });
  }

  #indexOf(place: Place): number {
    const key = `${"path" in place.source ? place.source.path : ""}:${place.line}`;
    const known = this.#byLine.get(key);
    if (known !== undefined) return known;
    this.#places.push(place);
    this.#byLine.set(key, this.#places.length);
    return this.#places.length;
  }
}
