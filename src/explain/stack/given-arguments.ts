/** The arguments with which a function was called from outside, or a contract was created. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { once } from "../../primitives/once.ts";
import { type AbiParameter, parseAbi, signatureOf } from "../abi/abi-item.ts";
import { type Decode, decoderOf } from "../abi/coder.ts";
import { functionAround } from "../source/source-file.ts";
import type { KnownFrame } from "./known-frame.ts";
import type { SolidityFrame } from "./stack-frame.ts";

/** The parameters of a function or constructor. */
interface Inputs {
  readonly parameters: readonly AbiParameter[];
  readonly decode: Decode;
}

/** By the ABI as the compiler wrote it, then by signature. Making them takes longer than the rest of a stack trace. */
const inputsOfAbis = new WeakMap<object, ReadonlyMap<string, Inputs>>();

/**
 * True if bytes encode the arguments of a function or constructor, and if the ABI has no such item.
 *
 * @param abi - as the compiler wrote it
 * @param signature - such as `transfer(address,uint256)`, or `constructor`
 */
export function argumentsFit(abi: unknown, signature: string | undefined, bytes: Bytes): boolean {
  const inputs = inputsOf(abi, signature);
  return inputs === undefined || inputs.decode(bytes) !== undefined;
}

/** True if a parameter holds an enum, whose highest number an ABI does not say. */
export function takesEnum(abi: unknown, signature: string | undefined): boolean {
  return inputsOf(abi, signature)?.parameters.some(holdsEnum) ?? false;
}

function holdsEnum({ internalType, components }: AbiParameter): boolean {
  return internalType?.startsWith("enum ") === true || components.some(holdsEnum);
}

/** Adds the arguments of a call frame to its outermost line that is in the called function or in the constructor. */
export function withArguments(known: KnownFrame, frames: readonly SolidityFrame[]): readonly SolidityFrame[] {
  const { contract, isCreation, argumentBytes } = known;
  // A library's parameters may be storage references, which an ABI does not describe.
  if (contract.definition?.kind === "library") return frames;
  const called = isCreation ? known.constructorFunction : known.calledFunction;
  const index = frames.findIndex(
    ({ callFrame, range }) =>
      callFrame === known.frame.index && called !== undefined && functionAround(range) === called,
  );
  const line = frames[index];
  const inputs = line && inputsOf(contract.abi, isCreation ? "constructor" : known.signature);
  const values = inputs?.decode(argumentBytes);
  if (line === undefined || inputs === undefined || values === undefined) return frames;
  const given = inputs.parameters.map((parameter, place) => ({ parameter, value: values[place] }));
  return frames.with(index, { ...line, arguments: given });
}

function inputsOf(abi: unknown, signature: string | undefined): Inputs | undefined {
  if (typeof abi !== "object" || abi === null || signature === undefined) return undefined;
  let known = inputsOfAbis.get(abi);
  if (known === undefined) {
    known = readInputs(abi);
    inputsOfAbis.set(abi, known);
  }
  return known.get(signature);
}

function readInputs(abi: object): ReadonlyMap<string, Inputs> {
  const inputs = new Map<string, Inputs>();
  for (const item of parseAbi(abi)) {
    if (item.kind !== "constructor" && item.kind !== "function") continue;
    const { inputs: parameters } = item;
    const decode = once(() => decoderOf(parameters));
    inputs.set(item.kind === "constructor" ? "constructor" : signatureOf(item), {
      parameters,
      decode: (bytes) => decode()(bytes),
    });
  }
  return inputs;
}
