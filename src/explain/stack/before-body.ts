/**
 * Failures before the first statement of a function: the compiler's checks of call data and value. They revert without
 * data and have no range of their own.
 */
import { runsForeignCode } from "../../evm/frames.ts";
import { Op } from "../../evm/opcodes.ts";
import { functionAround, holds, type SourceFunction, sourceText } from "../source/source-file.ts";
import { argumentsFit, takesEnum } from "./given-arguments.ts";
import type { KnownFrame } from "./known-frame.ts";
import type { FailureReason, SolidityFrame, SolidityStack } from "./stack-frame.ts";

/** The failure; undefined if the frame ran further or failed in another way. */
export function failureBeforeBody(known: KnownFrame): SolidityStack | undefined {
  const { frame } = known;
  if (frame.error !== "reverted" || frame.output.length > 0) return undefined;
  return known.isCreation ? constructorFailure(known) : callFailure(known);
}

function constructorFailure(known: KnownFrame): SolidityStack | undefined {
  const { value } = known.frame;
  const { constructorFunction } = known;
  const place = constructorFunction === undefined ? known.atContract() : known.atStartOf(constructorFunction);
  // A contract without a constructor checks the value too.
  if (value > 0n && constructorFunction?.isPayable !== true && !hasBase(known, isPayableConstructor)) {
    return only(place, { kind: "notPayable", value, target: "function" });
  }
  const { argumentBytes } = known;
  if (constructorFunction === undefined || argumentsFit(known.contract.abi, "constructor", argumentBytes))
    return undefined;
  return hasBegun(known, constructorFunction) ? undefined : only(place, invalidArguments(argumentBytes.length));
}

/** Without a constructor of its own, the contract runs that of a base. */
function hasBase(known: KnownFrame, accepts: (definition: SourceFunction) => boolean): boolean {
  return (
    known.constructorFunction === undefined && known.contract.lineage.some(({ functions }) => functions.some(accepts))
  );
}

function isPayableConstructor({ kind, isPayable }: SourceFunction): boolean {
  return kind === "constructor" && isPayable;
}

function callFailure(known: KnownFrame): SolidityStack | undefined {
  const { frame, contract, calledFunction, signature, selector } = known;
  const isLibrary = contract.definition?.kind === "library";
  if (isLibrary && !runsForeignCode(frame.kind) && known.internal.lastChild === undefined) {
    if (calledFunction === undefined || !hasBegun(known, calledFunction)) {
      const place = calledFunction === undefined ? known.atContract() : known.atStartOf(calledFunction);
      return only(place, { kind: "directLibraryCall" });
    }
  }
  if (calledFunction !== undefined) return functionFailure(known, calledFunction, isLibrary);
  return signature === undefined ? missingFunction(known, selector.length > 0) : undefined;
}

function functionFailure(known: KnownFrame, called: SourceFunction, isLibrary: boolean): SolidityStack | undefined {
  const { value } = known.frame;
  const place = known.atStartOf(called);
  if (value > 0n && !called.isPayable && !isLibrary)
    return only(place, { kind: "notPayable", value, target: "function" });
  const { argumentBytes, signature } = known;
  const { abi } = known.contract;
  // A library's parameters may be storage references, which an ABI does not describe.
  if (isLibrary || hasBegun(known, called)) return undefined;
  const isInvalid = !argumentsFit(abi, signature, argumentBytes) || (takesEnum(abi, signature) && !hasRunAny(known));
  return isInvalid ? only(place, invalidArguments(argumentBytes.length)) : undefined;
}

function missingFunction(known: KnownFrame, hasSelector: boolean): SolidityStack | undefined {
  const { value, input } = known.frame;
  const receive = input.length === 0 ? known.special("receive") : undefined;
  if (receive !== undefined) return undefined;
  const fallback = known.special("fallback");
  if (fallback !== undefined) {
    if (value === 0n || fallback.isPayable) return undefined;
    const hasReceiveSyntax = input.length === 0 && sourceText(fallback.range).startsWith("fallback");
    const place = known.atStartOf(fallback);
    return only(
      place,
      hasReceiveSyntax ? { kind: "noReceive", value } : { kind: "notPayable", value, target: "fallback" },
    );
  }
  const place = known.atContract();
  return only(
    place,
    hasSelector ? { kind: "unknownSelector", selector: known.selector } : { kind: "noFallback", given: input.length },
  );
}

/**
 * True if an instruction in a part of the function ran. Its entry and the decoding of arguments have the range of the
 * whole function.
 */
function hasBegun({ execution }: KnownFrame, called: SourceFunction): boolean {
  const { range, body } = called;
  for (let index = 0; index < execution.length; index++) {
    const at = execution.at(index);
    if (at?.range === undefined || at.range.file !== range.file || at.opcode === Op.JUMPDEST) continue;
    if (body !== undefined && at.range.start >= body.start && at.range.end <= body.end) return true;
  }
  return false;
}

/** True if an instruction in the body of any function or modifier ran. */
function hasRunAny({ execution, last }: KnownFrame): boolean {
  return (
    execution.lastRange(last, (range) => {
      const body = functionAround(range)?.body;
      return body !== undefined && holds(body, range);
    }) !== undefined
  );
}

function invalidArguments(given: number): FailureReason {
  return { kind: "invalidArguments", given };
}

function only(place: SolidityFrame, reason: FailureReason): SolidityStack {
  return { frames: [place], reason };
}
