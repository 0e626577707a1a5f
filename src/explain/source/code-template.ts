/** Compiled code with gaps for the bytes that deployment fills in: immutables and addresses of libraries. */
import { instructionOf } from "../../evm/instructions.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { compareLongBytes, fromHexDigits, indexOfBytes } from "../../primitives/platform/encodings.ts";
import { countOf, type JsonObject, listOf, objectOf, textOf } from "./read/json-values.ts";

type Gap = readonly [start: number, end: number];

const PUSH20 = 0x73;
const PUSH32 = 0x7f;
const ADDRESS_BYTES = 20;
/** Metadata is a CBOR map of one to seven members. */
const CBOR_MAPS = [0xa1, 0xa7] as const;

/** Least bytes of metadata with a hash. */
const HASHED_METADATA = 32;

/** Made once for each code of a build. */
export class CodeTemplate {
  readonly bytes: Bytes;
  /** Length without the metadata at the end. */
  readonly bodyLength: number;
  readonly #gaps: readonly Gap[];

  /** @internal */
  constructor(bytes: Bytes, gaps: readonly Gap[]) {
    this.bytes = bytes;
    this.bodyLength = bytes.length - metadataLength(bytes);
    this.#gaps = [...gaps].sort(([left], [right]) => left - right);
  }

  /**
   * Reads `evm.bytecode` or `evm.deployedBytecode` of a compiler's output; undefined if it holds no code.
   *
   * @param guessesGaps - true if it may lack the places of its gaps: zeros that a PUSH32 or PUSH20 pushes count as one
   */
  static parse(bytecode: JsonObject, guessesGaps = false): CodeTemplate | undefined {
    // The address of a library that is not linked yet is a placeholder of 40 characters.
    const digits = (textOf(bytecode.object) ?? "").replace(/^0x/, "").replace(/__.{38}/g, "0".repeat(40));
    if (digits === "" || !/^(?:[0-9a-fA-F]{2})+$/.test(digits)) return undefined;
    const bytes = fromHexDigits(digits);
    const guessed = guessesGaps ? pushedZeros(bytes) : ownAddress(bytes);
    return new CodeTemplate(bytes, [...gapsOf(bytecode), ...guessed]);
  }

  /** True if the code equals this one except in the gaps. */
  matches(code: Bytes): boolean {
    return code.length === this.bytes.length && this.#agrees(code, this.bytes.length);
  }

  /** True if the code equals this one except in the gaps and the metadata. */
  matchesBody(code: Bytes): boolean {
    return code.length - metadataLength(code) === this.bodyLength && this.#agrees(code, this.bodyLength);
  }

  /** True if the code begins with this one, as init code with arguments does. */
  begins(code: Bytes): boolean {
    return code.length >= this.bytes.length && this.#agrees(code, this.bytes.length);
  }

  /** As {@link begins}, but without comparing the metadata. */
  beginsBody(code: Bytes): boolean {
    return code.length >= this.bytes.length && this.#agrees(code, this.bodyLength);
  }

  /**
   * Share of the template's bytes, from 0 to 1, that differ in a code or are missing there. Gaps and metadata do not
   * count.
   *
   * @param most - from there on the result is only a lower bound
   */
  difference(code: Bytes, most: number): number {
    const bound = most * this.bodyLength;
    let count = Math.max(0, this.bodyLength - code.length);
    let position = 0;
    for (const [start, end] of [...this.#gaps, [this.bodyLength, this.bodyLength] as const]) {
      const stop = Math.min(start, this.bodyLength, code.length);
      for (; position < stop && count <= bound; position++) if (code[position] !== this.bytes[position]) count++;
      position = Math.max(position, end);
    }
    return count / this.bodyLength;
  }

  /**
   * Index after the metadata of this code in another; undefined if the other does not have it. Metadata has a hash of
   * the sources and settings, so the other was compiled from the same contract.
   */
  endOfMetadata(code: Bytes): number | undefined {
    const metadata = this.bytes.subarray(this.bodyLength);
    const at = metadata.length < HASHED_METADATA ? -1 : indexOfBytes(code, metadata);
    return at < 0 ? undefined : at + metadata.length;
  }

  #agrees(code: Bytes, length: number): boolean {
    let position = 0;
    for (const [start, end] of [...this.#gaps, [length, length] as const]) {
      const stop = Math.min(start, length);
      if (compareLongBytes(code.subarray(position, stop), this.bytes.subarray(position, stop)) !== 0) return false;
      position = Math.max(position, Math.min(end, length));
    }
    return true;
  }
}

/** Length of the metadata at the end in bytes, including its two bytes of length; 0 if there is none. */
export function metadataLength(code: Bytes): number {
  if (code.length < 4) return 0;
  const length = ((code.at(-2) as number) << 8) + (code.at(-1) as number) + 2;
  const first = code[code.length - length];
  return length < code.length && first !== undefined && first >= CBOR_MAPS[0] && first <= CBOR_MAPS[1] ? length : 0;
}

function gapsOf({ linkReferences, immutableReferences }: JsonObject): Gap[] {
  const links = Object.values(objectOf(linkReferences)).flatMap((libraries) => Object.values(objectOf(libraries)));
  return [...links, ...Object.values(objectOf(immutableReferences))].flatMap((places) =>
    listOf(places).flatMap((place): Gap[] => {
      const [start, length] = [countOf(objectOf(place).start), countOf(objectOf(place).length)];
      return start === undefined || length === undefined ? [] : [[start, start + length]];
    }),
  );
}

/** Values of PUSH32 and PUSH20 that are zero: an immutable, or the address of a library. */
function pushedZeros(code: Bytes): Gap[] {
  const gaps: Gap[] = [];
  for (let pc = 0; pc < code.length; ) {
    const opcode = code[pc] as number;
    const end = pc + 1 + instructionOf(opcode).immediate;
    const isGap = (opcode === PUSH20 || opcode === PUSH32) && end <= code.length;
    if (isGap && code.subarray(pc + 1, end).every((byte) => byte === 0)) gaps.push([pc + 1, end]);
    pc = end;
  }
  return gaps;
}

/** The PUSH20 of a deployed library's own address at its beginning, by which it detects direct calls. */
function ownAddress(code: Bytes): Gap[] {
  const isOwn = code[0] === PUSH20 && code.subarray(1, 1 + ADDRESS_BYTES).every((byte) => byte === 0);
  return isOwn ? [[1, 1 + ADDRESS_BYTES]] : [];
}
