/** A call frame of a contract whose source is known, and its lines in a stack trace. */
import { isCreation } from "../../evm/frames.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { atOnce } from "../../primitives/platform/turns.ts";
import type { CallFrame } from "../../tracer/recording.ts";
import type { WalkedCode } from "../active/walked-code.ts";
import type { BuiltContract } from "../source/build.ts";
import type { FoundContract } from "../source/contract-finder.ts";
import { functionAround, functionTitle, type SourceFunction, type SourceRange } from "../source/source-file.ts";
import {
  constructorOf,
  ofKind,
  SELECTOR_BYTES,
  selectedFunction,
  selectorOf,
  signatureOfCall,
  specialFunction,
  walkedCode,
} from "./called-function.ts";
import { Execution, type RecordedSteps } from "./execution.ts";
import { activeCalls, type InternalCalls } from "./internal-calls.ts";
import type { SolidityFrame } from "./stack-frame.ts";

/** A call frame with the source of its contract. It lives for one stack trace. */
export class KnownFrame {
  readonly frame: CallFrame;
  readonly found: FoundContract;
  readonly execution: Execution;
  readonly internal: InternalCalls;
  readonly #walked: WalkedCode;

  constructor(frame: CallFrame, found: FoundContract, recording: RecordedSteps) {
    this.frame = frame;
    this.found = found;
    this.#walked = walkedCode(frame, found);
    this.execution = atOnce(Execution.read(frame, recording, found.code.instructions, this.#walked));
    this.internal = activeCalls(this.execution);
  }

  /** The function that begins the frame: the constructor, the selected one, or the one that runs if none is selected. */
  get outermost(): SourceFunction | undefined {
    return this.#walked.outermost;
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
    return selectorOf(this.frame.input);
  }

  /** The signature of the function selected by the call data; undefined if the contract has none. */
  get signature(): string | undefined {
    return signatureOfCall(this.contract, this.frame.input);
  }

  /** The function, or public state variable, selected by the call data. */
  get calledFunction(): SourceFunction | undefined {
    return selectedFunction(this.contract, this.frame.input);
  }

  get constructorFunction(): SourceFunction | undefined {
    return constructorOf(this.contract);
  }

  /** The contract's own function of a kind, or that of its nearest base. */
  special(kind: "fallback" | "receive"): SourceFunction | undefined {
    return ofKind(this.contract, kind);
  }

  /** A line at a range of the source. */
  at(range: SourceRange | undefined, isApproximate = false): SolidityFrame {
    return this.#line(range, functionAround(range), isApproximate);
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
    const definition = this.outermost;
    if (definition === undefined) return this.atContract(isApproximate);
    // The getter of a variable has one place only.
    return this.atStartOf(definition, isApproximate && definition.kind !== "getter");
  }

  /** The function that runs if the call data selects none. */
  get specialFunction(): SourceFunction | undefined {
    return specialFunction(this.contract, this.frame.input);
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
      sourceMatch: this.contract.sourceMatch,
      namesakes,
      callFrame: this.frame.index,
    };
  }
}
