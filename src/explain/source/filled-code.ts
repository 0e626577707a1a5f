/**
 * Fills the gaps of a compiled contract, which are immutables and addresses of libraries, from the deployed code of a
 * similar contract, such as the same one without a line of `console.log`.
 *
 * The instructions of both codes are aligned. A value is taken over only if every place of the gap that has a counterpart
 * agrees on it, from whichever end the codes are compared.
 */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { instructionOf } from "../../evm/instructions.ts";
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";
import { type Alignment, alignInstructions } from "./aligned-instructions.ts";
import { metadataLength } from "./code-template.ts";
import { countOf, isObject, type JsonObject, listOf, objectOf, textOf } from "./read/json-values.ts";

const PUSH1 = 0x60;
const PUSH3 = 0x62;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;
const ADDRESS_BYTES = 20;
/** Least share of the deployed instructions that the new code must have too. */
const LEAST_IN_COMMON = 0.5;
/** Least length of the equal part of both codes in which a value is pushed, in instructions. */
const LEAST_CONTEXT = 6;

/** A value that deployment fills in, at one or several places. */
interface Gap {
  /** For errors. */
  readonly name: string;
  /** Offsets of the value, after the opcode of its PUSH. */
  readonly starts: readonly number[];
}

/** A code, and the gaps in it. */
interface UnfilledCode {
  readonly bytes: Bytes;
  readonly gaps: readonly Gap[];
}

/**
 * The code of an artifact as it would be at an address.
 *
 * @param artifact - of Hardhat or Foundry, or a contract of solc's output
 * @param deployed - the code that it replaces
 * @throws {InvalidParamsError} `INVALID_PARAMS` if it has no deployed code, or a gap that cannot be filled
 */
export function filledCode(artifact: JsonObject, deployed: Bytes, address: Bytes): Bytes {
  const { bytes, gaps } = unfilledCode(artifact, address);
  if (gaps.length === 0) return bytes;
  const aligned = new AlignedCodes({ bytes, gaps }, deployed, address);
  for (const gap of gaps) {
    const value = aligned.valueOf(gap);
    for (const start of gap.starts) bytes.set(value, start);
  }
  return bytes;
}

function unfilledCode(artifact: JsonObject, address: Bytes): UnfilledCode {
  const { deployedBytecode: code = objectOf(artifact.evm).deployedBytecode } = artifact;
  const { deployedLinkReferences: linkReferences, immutableReferences } = artifact;
  const bytecode = isObject(code) ? code : { object: code, linkReferences, immutableReferences };
  const text = (textOf(bytecode.object) ?? "").replace(/^0x/, "");
  const digits = text.replace(/__.{38}/g, "0".repeat(2 * ADDRESS_BYTES));
  if (digits === "" || !/^(?:[0-9a-fA-F]{2})+$/.test(digits)) {
    const what = "The artifact has no deployed code.";
    const fix =
      "Give an artifact of Hardhat or Foundry with deployedBytecode, a contract of solc's output, or bytecode.";
    throw new InvalidParamsError({ code: "INVALID_PARAMS", what, fix });
  }
  const bytes = fromHexDigits(digits);
  // A deployed library begins with its own address, which solc leaves empty.
  if (bytes[0] === PUSH20 && isZero(bytes, 1, ADDRESS_BYTES)) bytes.set(address, 1);
  const links = namedGaps(
    Object.values(objectOf(bytecode.linkReferences)).flatMap((libraries) => Object.entries(objectOf(libraries))),
    (name) => `the address of library ${name}`,
  );
  const immutables = namedGaps(Object.entries(objectOf(bytecode.immutableReferences)), (id) => `immutable ${id}`);
  const known = [...links, ...immutables].map((gap) => ({
    ...gap,
    starts: gap.starts.filter((start) => isZero(bytes, start, widthAt(bytes, start))),
  }));
  const named = known.filter(({ starts }) => starts.length > 0);
  const hasReferences = bytecode.immutableReferences !== undefined;
  return { bytes, gaps: hasReferences ? named : [...named, ...zeroPushes(bytes, named)] };
}

function namedGaps(members: readonly (readonly [string, unknown])[], nameOf: (name: string) => string): readonly Gap[] {
  return members.map(([name, places]) => ({
    name: nameOf(name),
    starts: listOf(places).flatMap((place) => countOf(objectOf(place).start) ?? []),
  }));
}

/** Hardhat 2 does not say where immutables are: zeros that a PUSH32 or PUSH20 pushes, since solc pushes zero otherwise. */
function zeroPushes(bytes: Bytes, known: readonly Gap[]): readonly Gap[] {
  const starts = new Set(known.flatMap((gap) => gap.starts));
  return instructionsOf(bytes).flatMap(({ pc, opcode }) => {
    const isGap = (opcode === PUSH20 || opcode === PUSH32) && isZero(bytes, pc + 1, instructionOf(opcode).immediate);
    if (!isGap || starts.has(pc + 1)) return [];
    return [{ name: `the value at offset ${pc + 1}`, starts: [pc + 1] }];
  });
}

function widthAt(bytes: Bytes, start: number): number {
  return instructionOf(bytes[start - 1] ?? 0).immediate;
}

function isZero(bytes: Bytes, start: number, length: number): boolean {
  return start + length <= bytes.length && bytes.subarray(start, start + length).every((byte) => byte === 0);
}

interface Instruction {
  readonly pc: number;
  readonly opcode: number;
}

/** Without the metadata at the end. */
function instructionsOf(code: Bytes): readonly Instruction[] {
  const instructions: Instruction[] = [];
  const end = code.length - metadataLength(code);
  for (let pc = 0; pc < end; ) {
    const opcode = code[pc] as number;
    instructions.push({ pc, opcode });
    pc += 1 + instructionOf(opcode).immediate;
  }
  return instructions;
}

class AlignedCodes {
  readonly #code: Bytes;
  readonly #deployed: Bytes;
  readonly #address: Bytes;
  readonly #left: readonly Instruction[];
  readonly #right: readonly Instruction[];
  readonly #gapStarts: ReadonlySet<number>;
  readonly #indexes: ReadonlyMap<number, number>;
  /** From the beginning of the codes, and from their end. */
  readonly #alignments: readonly Alignment[];

  constructor({ bytes, gaps }: UnfilledCode, deployed: Bytes, address: Bytes) {
    this.#code = bytes;
    this.#deployed = deployed;
    this.#address = address;
    this.#left = instructionsOf(bytes);
    this.#right = instructionsOf(deployed);
    this.#gapStarts = new Set(gaps.flatMap(({ starts }) => starts));
    this.#indexes = new Map(this.#left.map(({ pc }, index) => [pc + 1, index]));
    this.#alignments = this.#align();
  }

  #align(): readonly Alignment[] {
    const [left, right] = [this.#left.length, this.#right.length];
    const forward = alignInstructions([left, right], (one, other) => this.#isEqual(one, other));
    const common = Array.from(forward ?? []).filter((index) => index >= 0).length;
    if (forward === undefined || common < LEAST_IN_COMMON * right || right === 0) {
      const share = right === 0 ? "has no code" : "has the code of another contract";
      throw this.#cannotFill(`the account ${share}`);
    }
    const backward = alignInstructions([left, right], (one, other) => this.#isEqual(left - 1 - one, right - 1 - other));
    const turned = forward.map((_, index) => {
      const found = backward?.[left - 1 - index] ?? -1;
      return found < 0 ? -1 : right - 1 - found;
    });
    return [forward, turned];
  }

  /** Values that depend on the length of the code, such as targets of jumps, are not compared. */
  #isEqual(left: number, right: number): boolean {
    const [one, other] = [this.#left[left] as Instruction, this.#right[right] as Instruction];
    if (isShortPush(one.opcode) && isShortPush(other.opcode)) return true;
    if (one.opcode !== other.opcode) return false;
    const { immediate } = instructionOf(one.opcode);
    if (immediate === 0 || this.#gapStarts.has(one.pc + 1)) return true;
    return equalBytes(operandOf(this.#code, one.pc, immediate), operandOf(this.#deployed, other.pc, immediate));
  }

  /** @throws {InvalidParamsError} `INVALID_PARAMS` if the deployed code does not show the value */
  valueOf({ name, starts }: Gap): Bytes {
    let value: Bytes | undefined;
    for (const start of starts) {
      const index = this.#indexes.get(start);
      const opcode = this.#code[start - 1];
      if (index === undefined || (opcode !== PUSH20 && opcode !== PUSH32)) {
        throw this.#cannotFill(`${name} is not pushed at offset ${start}`);
      }
      for (const alignment of this.#alignments) {
        const found = this.#deployedValue(alignment, index);
        if (found === undefined) continue;
        value ??= found;
        if (!equalBytes(value, found)) throw this.#cannotFill(`${name} may have several values there`);
      }
    }
    if (value === undefined) throw this.#cannotFill(`the deployed code does not read ${name}`);
    return value;
  }

  /** Undefined if too few instructions around the value are the same. */
  #deployedValue(alignment: Alignment, index: number): Bytes | undefined {
    const found = alignment[index] ?? -1;
    if (found < 0) return undefined;
    let [first, last] = [index, index];
    while (last - first < LEAST_CONTEXT && alignment[first - 1] === found - (index - first) - 1) first--;
    while (last - first < LEAST_CONTEXT && alignment[last + 1] === found + (last - index) + 1) last++;
    if (last - first + 1 < LEAST_CONTEXT) return undefined;
    const { pc, opcode } = this.#right[found] as Instruction;
    return operandOf(this.#deployed, pc, instructionOf(opcode).immediate);
  }

  #cannotFill(problem: string): InvalidParamsError {
    return new InvalidParamsError({
      code: "INVALID_PARAMS",
      what: `The immutables and libraries of the artifact cannot be taken over from ${encodeData(this.#address)}: ${problem}.`,
      fix: "Compile the source of the deployed contract with the same settings, or give bytecode with all values in it.",
    });
  }
}

function isShortPush(opcode: number): boolean {
  return opcode >= PUSH1 && opcode <= PUSH3;
}

function operandOf(code: Bytes, pc: number, length: number): Bytes {
  return code.subarray(pc + 1, pc + 1 + length);
}
