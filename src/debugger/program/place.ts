/** A line at which a debugger stops. */
import type { SourceFile } from "../../explain/source/source-file.ts";
import type { DebuggedCode } from "./debugged-code.ts";

/** A line of a source, or of the disassembly of a code without source. */
export interface Place {
  readonly source: SourceFile | DebuggedCode;
  /** From 1. */
  readonly line: number;
}
