/**
 * The Solidity stack trace of a recording: the lines from the outermost call to the failing one, and the reason.
 *
 * A failed call is the reason of its caller's failure if the caller failed right after it or reverted with its data.
 * Otherwise the caller had caught it; if it was the last one, it is shown as a possible cause.
 */
import { isCreation } from "../../evm/frames.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import type { CallFrame, Recording } from "../../tracer/recording.ts";
import { StepTable } from "../../tracer/step-table.ts";
import { implementationOf } from "../abi/minimal-proxy.ts";
import type { AbiRegistry } from "../abi/registry.ts";
import type { ContractFinder, FoundContract } from "../source/contract-finder.ts";
import { holds, isSameRange } from "../source/source-file.ts";
import { failureAfterCall, failureOfRefusedCall } from "./after-call.ts";
import { failureBeforeBody } from "./before-body.ts";
import type { RecordedSteps } from "./execution.ts";
import { withArguments } from "./given-arguments.ts";
import { KnownFrame } from "./known-frame.ts";
import { failureAtEnd } from "./optimized/last-instruction.ts";
import { reasonOf } from "./reason-of.ts";
import type { SolidityFrame, SolidityStack } from "./stack-frame.ts";

/** Sources of the names of errors and lines. */
export interface StackSources {
  readonly abi: AbiRegistry;
  readonly contracts: ContractFinder;
}

/**
 * The stack trace of a failure; undefined if the frame did not fail, or nothing ran.
 *
 * @param recording - made with all steps; without them every contract counts as unknown
 * @param outermost - the frame to begin with; default: the outermost of the recording
 */
export function solidityStack(
  recording: Recording,
  sources: StackSources,
  outermost = recording.frames[0],
): SolidityStack | undefined {
  if (outermost?.error === undefined) return undefined;
  const { frames, steps } = recording;
  const recorded = steps instanceof StepTable ? { frames, steps } : undefined;
  return new StackReader(recording, recorded, sources).read(outermost);
}

class StackReader {
  readonly #recording: Recording;
  readonly #recorded: RecordedSteps | undefined;
  readonly #sources: StackSources;

  constructor(recording: Recording, recorded: RecordedSteps | undefined, sources: StackSources) {
    this.#recording = recording;
    this.#recorded = recorded;
    this.#sources = sources;
  }

  read(frame: CallFrame): SolidityStack {
    const found = this.#find(frame);
    if (found === undefined || this.#recorded === undefined) return this.#unknown(frame);
    const known = new KnownFrame(frame, found, this.#recorded);
    const stack = failureBeforeBody(known) ?? this.#known(known);
    return { ...stack, frames: withArguments(known, stack.frames) };
  }

  #find({ kind, input, code, isStarted }: CallFrame): FoundContract | undefined {
    if (!isStarted) return undefined;
    const { contracts } = this.#sources;
    return isCreation(kind) ? contracts.nearestCreation(input) : contracts.nearestRuntime(code);
  }

  #known(known: KnownFrame): SolidityStack {
    const child = failureAfterCall(known);
    if (child !== undefined && "propagated" in child) {
      const inner = this.read(child.propagated);
      return { ...inner, frames: [...foldFrames(child.frames), ...inner.frames] };
    }
    if (child !== undefined) return { ...child, frames: foldFrames(child.frames) };
    const { frames, reason } = failureOfRefusedCall(known) ?? failureAtEnd(known, this.#sources.abi);
    return this.#afterCall({ frames: foldFrames(frames), reason }, known.internal.lastChild?.frame);
  }

  /** Adds the failure of the last call, which the caller has caught. */
  #afterCall(stack: SolidityStack, last: CallFrame | undefined): SolidityStack {
    return last?.error === undefined || !last.isStarted ? stack : { ...stack, causedBy: this.read(last) };
  }

  /** A frame without source: only its last call and its return data are known. */
  #unknown(frame: CallFrame): SolidityStack {
    const called = frame.children.map((index) => this.#recording.frames[index]);
    const line: SolidityFrame = {
      contract: this.#clonedContract(frame, called),
      function: undefined,
      arguments: undefined,
      range: undefined,
      isApproximate: false,
      address: frame.to,
      isCreation: isCreation(frame.kind),
      recognition: undefined,
      namesakes: [],
      callFrame: frame.index,
    };
    const last = called.at(-1);
    // A contract that reverts with the data of a failed call has nearly always passed it on.
    if (last?.error !== undefined && last.isStarted && equalBytes(last.output, frame.output)) {
      const inner = this.read(last);
      return { ...inner, frames: [line, ...inner.frames] };
    }
    return this.#afterCall({ frames: [line], reason: reasonOf(frame, this.#sources.abi) }, last);
  }

  /** The name of the contract that a minimal proxy has delegated its call to. */
  #clonedContract({ code }: CallFrame, called: readonly (CallFrame | undefined)[]): string | undefined {
    const address = implementationOf(code);
    const implementation = called.find((each) => address && each?.to && equalBytes(each.to, address));
    return implementation && this.#find(implementation)?.contract.name;
  }
}

/** Removes lines of one call frame that contain the next line. The last line always stays. */
function foldFrames(frames: readonly SolidityFrame[]): readonly SolidityFrame[] {
  const last = frames.at(-1);
  return frames.filter((frame, index) => {
    const next = frames[index + 1];
    if (next?.range === undefined || frame.range === undefined) return true;
    // The range of a constructor may be that of the whole contract.
    if (frame.function === "constructor" && next.function !== "constructor") return true;
    // The same line twice is a function that called itself, except at the end, where it is a routine of the compiler.
    if (isSameRange(frame.range, next.range) && next !== last) return true;
    return !holds(frame.range, next.range);
  });
}
