/** The functions of targets: which are called, and how their calls are encoded. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { type AbiItem, parseAbi, signatureOf } from "../../explain/abi/abi-item.ts";
import { callEncoderOf, type Decode, decoderOf, type EncodeCall } from "../../explain/abi/coder.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData } from "../../primitives/bytes/hex.ts";
import type { FuzzCall, FuzzTarget } from "./options.ts";

/** A function of a target. */
export interface TargetFunction {
  readonly target: string;
  /** Name, or signature where the ABI has several of that name. */
  readonly name: string;
  readonly item: AbiItem;
  readonly address: Bytes;
  readonly encode: EncodeCall;
  readonly decode: Decode;
}

/** A target with all of its functions. */
export interface Target {
  readonly name: string;
  readonly address: Bytes;
  /** By name and by signature. */
  readonly functions: ReadonlyMap<string, TargetFunction>;
  /** Those that sequences call. */
  readonly called: readonly TargetFunction[];
}

/** All targets of a search. Sequences call the functions that change state, unless the options name others. */
export class Targets {
  readonly all: readonly Target[];

  /** @throws {InvalidParamsError} `INVALID_ABI`, `INVALID_OPTION` */
  constructor(targets: Readonly<Record<string, FuzzTarget>>) {
    this.all = Object.entries(targets).map(([name, target]) => readTarget(name, target));
  }

  get called(): readonly TargetFunction[] {
    return this.all.flatMap(({ called }) => called);
  }

  /** @throws {InvalidParamsError} `INVALID_OPTION` if there is no such target */
  require(name: string): Target {
    const target = this.all.find((each) => each.name === name);
    if (target !== undefined) return target;
    throw invalid(`There is no target ${name}.`, `Use one of ${this.all.map((each) => each.name).join(", ")}.`);
  }

  /** @throws {InvalidParamsError} `INVALID_OPTION` if there is no such function */
  requireFunction(target: string, name: string): TargetFunction {
    return functionOf(this.require(target), name);
  }

  /** Call data. @throws {Error} if a value does not fit its type */
  encode({ target, function: name, args = [] }: FuzzCall): Bytes {
    return this.requireFunction(target, name).encode(args);
  }
}

function readTarget(name: string, { abi, address, functions: names }: FuzzTarget): Target {
  const items = parseAbi(abi).filter(({ kind }) => kind === "function");
  const bytes = decodeData(address);
  const functions = new Map<string, TargetFunction>();
  for (const item of items) {
    const signature = signatureOf(item);
    const isOverloaded = items.some((other) => other !== item && other.name === item.name);
    const entry = { target: name, name: isOverloaded ? signature : item.name, item, address: bytes, ...codersOf(item) };
    functions.set(entry.name, entry);
    functions.set(signature, entry);
  }
  const target = { name, address: bytes, functions };
  const changing = [...new Set(functions.values())].filter(({ item }) => !isReading(item));
  return { ...target, called: names?.flatMap((wanted) => namedFunctions(target, wanted)) ?? changing };
}

function codersOf({ name, inputs, outputs }: AbiItem): Pick<TargetFunction, "encode" | "decode"> {
  return { encode: callEncoderOf(name, inputs), decode: decoderOf(outputs) };
}

function isReading({ mutability }: AbiItem): boolean {
  return mutability === "view" || mutability === "pure";
}

/** A name stands for all functions of that name. */
function namedFunctions(target: Pick<Target, "name" | "functions">, name: string): readonly TargetFunction[] {
  const named = [...new Set(target.functions.values())].filter(({ item }) => item.name === name);
  return named.length > 0 ? named : [functionOf(target, name)];
}

function functionOf({ name: target, functions }: Pick<Target, "name" | "functions">, name: string): TargetFunction {
  const found = functions.get(name);
  if (found !== undefined) return found;
  const names = [...new Set(functions.values())].map((each) => each.name);
  throw invalid(`The ABI of ${target} has no function ${name}.`, `It has ${names.join(", ") || "none"}.`);
}

function invalid(what: string, fix: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what, fix });
}
