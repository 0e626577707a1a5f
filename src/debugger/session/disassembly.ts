/** Instructions in the protocol's form. An address is the number of the code and the position in it. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { DebuggedCode } from "../program/debugged-code.ts";
import type { SourceList } from "./sources.ts";

/** No code is longer than 16 MiB. */
const CODE_SPACE = 2 ** 24;

/** The number of an instruction that an editor sends back as it got it. */
export function addressOf(code: DebuggedCode, pc: number): string {
  return encodeQuantity((code.index + 1) * CODE_SPACE + pc);
}

/** As many instructions as were asked for; those outside of the code are marked as invalid. */
export function disassemble(
  { memoryReference, offset = 0, instructionOffset = 0, instructionCount }: DebugProtocol.DisassembleArguments,
  codes: readonly DebuggedCode[],
  sources: SourceList,
): DebugProtocol.DisassembledInstruction[] {
  const address = Number(memoryReference) + offset;
  const code = codes[Math.floor(address / CODE_SPACE) - 1];
  const first = code === undefined ? 0 : code.lineOf(address % CODE_SPACE) - 1 + instructionOffset;
  return Array.from({ length: instructionCount }, (_, index) => {
    const pc = code?.pcs[first + index];
    if (code === undefined || pc === undefined) {
      return { address: encodeQuantity(Math.max(0, address + index)), instruction: "", presentationHint: "invalid" };
    }
    return { address: addressOf(code, pc), ...describe(code, pc, sources) };
  });
}

function describe(code: DebuggedCode, pc: number, sources: SourceList) {
  const next = code.pcs[code.lineOf(pc)] ?? code.bytes.length;
  const instruction = { instruction: code.textOf(pc), instructionBytes: encodeData(code.bytes.subarray(pc, next)) };
  const range = code.found?.code.instructions.get(pc)?.range;
  if (range === undefined) return instruction;
  return {
    ...instruction,
    location: sources.describe(range.file),
    line: range.file.positionOf(range.start).line,
  };
}
