/** A call frame of a contract whose source is known, and its lines in a stack trace. */
import { isCreation } from "../../evm/frames.ts";
import { type Bytes, EMPTY_BYTES } from "../../primitives/bytes/bytes.ts";
import { toHexDigits } from "../../primitives/platform/encodings.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { BuiltContract } from "../source/build.ts";
import type { FoundContract } from "../source/contract-finder.ts";
import { functionTitle, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import { Execution, type RecordedSteps } from "./execution.ts";
import { followCalls, type InternalCalls } from "./internal-calls.ts";
import type { SolidityFrame } from "./stack-frame.ts";

const SELECTOR_BYTES = 4;

/** A call frame with the source of its contract. It lives for one stack trace. */
export class KnownFrame {
  readonly frame: CallFrame;
  readonly found: FoundContract;
  readonly execution: Execution;
  readonly internal: InternalCalls;

  constructor(frame: CallFrame, found: FoundContract, recording: RecordedSteps) {
    this.frame = frame;
    this.found = found;
    this.execution = new Execution(frame, recording, found.code.instructions);
    this.internal = followCalls(this.execution, {
      found,
      selected: this.isCreation ? undefined : this.calledFunction,
    });
  }

  get contract(): BuiltContract {
    return this.found.contract;
  }

  get isCreation(): boolean {
    return isCreation(this.frame.kind);
  }

  /** Index of its last operation; -1 if none was executed. */
  get last(): number {
    return this.execution.length - 1;
  }

  /** Arguments in the call data, or after the init code. */
  get argumentBytes(): Bytes {
    const { input } = this.frame;
    return input.subarray(this.isCreation ? this.found.code.template.bytes.length : SELECTOR_BYTES);
  }

  get selector(): Bytes {
    const { input } = this.frame;
    return input.length < SELECTOR_BYTES ? EMPTY_BYTES : input.subarray(0, SELECTOR_BYTES);
  }

  /** The signature of the function selected by the call data; undefined if the contract has none. */
  get signature(): string | undefined {
    return this.contract.signatures.get(toHexDigits(this.selector));
  }

  /** The function, or public state variable, selected by the call data. */
  get calledFunction(): SourceFunction | undefined {
    const { signature } = this;
    return signature === undefined ? undefined : functionBySignature(this.contract, signature, this.selector);
  }

  get constructorFunction(): SourceFunction | undefined {
    return this.contract.definition?.functions.find(({ kind }) => kind === "constructor");
  }

  /** The contract's own function of a kind, or that of its nearest base. */
  special(kind: "fallback" | "receive"): SourceFunction | undefined {
    for (const { functions } of this.contract.lineage) {
      const found = functions.find((candidate) => candidate.kind === kind);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A line at a range of the source. */
  at(range: SourceRange | undefined, isApproximate = false): SolidityFrame {
    return this.#line(range, range?.file.functionAt(range.start, range.end), isApproximate);
  }

  /** A line at the beginning of a function. */
  atStartOf(definition: SourceFunction, isApproximate = false): SolidityFrame {
    return this.#line(definition.range, definition, isApproximate);
  }

  /** A line at the beginning of the contract, outside of its functions; for a creation without a constructor. */
  atContract(isApproximate = false): SolidityFrame {
    const line = this.#line(this.contract.definition?.range, undefined, isApproximate);
    return this.isCreation ? { ...line, function: "constructor" } : line;
  }

  /** The beginning of the constructor, of the selected function, or else of the fallback or receive function. */
  start(isApproximate = false): SolidityFrame {
    const definition = this.isCreation ? this.constructorFunction : (this.calledFunction ?? this.specialFunction);
    return definition === undefined ? this.atContract(isApproximate) : this.atStartOf(definition, isApproximate);
  }

  /** The function that runs if the call data selects none. */
  get specialFunction(): SourceFunction | undefined {
    const receive = this.frame.input.length === 0 ? this.special("receive") : undefined;
    return receive ?? this.special("fallback");
  }

  #line(range: SourceRange | undefined, definition: SourceFunction | undefined, isApproximate: boolean): SolidityFrame {
    const { recognition, namesakes } = this.found;
    return {
      contract: definition !== undefined && definition.contract === undefined ? undefined : this.contract.name,
      function: definition && functionTitle(definition),
      arguments: undefined,
      range,
      isApproximate: isApproximate || recognition === "similar",
      address: this.isCreation ? undefined : this.frame.to,
      isCreation: this.isCreation,
      recognition,
      namesakes,
      callFrame: this.frame.index,
    };
  }
}

/** Finds a function by its selector; in builds before solc 0.6 by name and number of parameters. */
function functionBySignature(
  { lineage }: BuiltContract,
  signature: string,
  selector: Bytes,
): SourceFunction | undefined {
  const digits = toHexDigits(selector);
  const [name = "", list = ""] = signature.split(/[()]/);
  const count = list === "" ? 0 : list.split(",").length;
  const named = lineage
    .flatMap(({ functions }) => functions)
    .filter((candidate) => candidate.name === name && (candidate.kind === "function" || candidate.kind === "getter"));
  return (
    named.find((candidate) => candidate.selector === digits) ??
    named.find(({ parameterTypes }) => parameterTypes.join(",") === list) ??
    named.find(({ kind, parameterTypes }) => kind === "getter" || parameterTypes.length === count) ??
    named[0]
  );
}
