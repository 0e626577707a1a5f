/** Events of frames, for tests of sinks that need no code to run. */
import type { FrameEnd, FrameStart } from "../../src/evm/event-sink.ts";
import { FrameKind } from "../../src/evm/frames.ts";
import { EMPTY_BYTES } from "../../src/primitives/bytes/bytes.ts";
import { addressOf } from "./evm.ts";

/** A frame at its beginning: by default a call of 0x11… by 0xaa…. */
export function aFrameStart(members: Partial<FrameStart> = {}): FrameStart {
  return {
    kind: FrameKind.call,
    depth: 0,
    from: addressOf(0xaa),
    to: addressOf(0x11),
    value: 0n,
    gas: 1000n,
    input: EMPTY_BYTES,
    isPrecompile: false,
    step: -1,
    ...members,
  };
}

/** A frame at its end: by default a call that succeeded. */
export function aFrameEnd(members: Partial<FrameEnd> = {}): FrameEnd {
  return {
    error: undefined,
    detail: undefined,
    gasUsed: 10n,
    output: EMPTY_BYTES,
    undeposited: undefined,
    createdAddress: undefined,
    code: EMPTY_BYTES,
    stepEnd: 0,
    ...members,
  };
}
