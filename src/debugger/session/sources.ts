/** The sources of a session: files that the client has, texts that only the recording has, and disassemblies. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { SourceFile } from "../../explain/source/source-file.ts";
import type { DebuggedCode } from "../program/debugged-code.ts";
import { linesOfCode, statementLines } from "../program/statement-lines.ts";

/** A file, or the disassembly of a code without one. */
export type Source = SourceFile | DebuggedCode;

/** Finds a file with a text on the client's side, by its path in the build; undefined if there is none. */
export type LocateFile = (path: string, text: string) => Promise<string | undefined>;

interface ListedSource {
  readonly source: Source;
  readonly path: string | undefined;
  readonly reference: number;
}

/** One for each session. Numbers of sources stay the same while it lasts. */
export class SourceList {
  readonly #listed: ListedSource[] = [];
  readonly #codes: readonly DebuggedCode[];
  /** Lines with code, made on first use. */
  #lines: ReadonlyMap<Source, ReadonlySet<number>> | undefined;

  private constructor(codes: readonly DebuggedCode[]) {
    this.#codes = codes;
  }

  /** Lists the sources of codes, and their disassemblies. */
  static async of(codes: readonly DebuggedCode[], locate: LocateFile): Promise<SourceList> {
    const list = new SourceList(codes);
    const files = new Set(codes.flatMap(({ found }) => found?.code.files ?? []));
    for (const file of files) list.#add(file, await locate(file.path, file.textOf(0, file.length)));
    for (const code of codes) list.#add(code, undefined);
    return list;
  }

  get all(): readonly DebugProtocol.Source[] {
    return this.#listed.map(({ source }) => this.describe(source));
  }

  /** A source in the protocol's form: with a path if the client has the file, otherwise with a reference. */
  describe(source: Source): DebugProtocol.Source {
    const listed = this.#listed.find((candidate) => candidate.source === source);
    const name = "path" in source ? (source.path.split("/").at(-1) ?? source.path) : `${source.name}.evm`;
    if (listed?.path !== undefined) return { name, path: listed.path };
    const origin = "path" in source ? source.path : "disassembly";
    return { name, sourceReference: listed?.reference ?? 0, origin };
  }

  /** The sources that a client means: those of its path, or the one of its reference. */
  find({ path, sourceReference }: DebugProtocol.Source): readonly Source[] {
    const given = path?.replaceAll("\\", "/");
    const isMeant = (listed: ListedSource): boolean => {
      if (sourceReference !== undefined && sourceReference !== 0) return listed.reference === sourceReference;
      if (given === undefined) return false;
      if (listed.path !== undefined) return listed.path.replaceAll("\\", "/") === given;
      return "path" in listed.source && (given === listed.source.path || given.endsWith(`/${listed.source.path}`));
    };
    return this.#listed.filter(isMeant).map(({ source }) => source);
  }

  /** True for a line at which a breakpoint can stand. */
  isBreakable(wanted: DebugProtocol.Source, line: number): boolean {
    return this.find(wanted).some((source) => this.breakableLine(source, line) === line);
  }

  /**
   * The line of the first statement at or after a line that an instruction of the codes that ran belongs to; undefined if
   * there is none up to the end of the function that the first statement is in.
   */
  breakableLine(source: Source, line: number): number | undefined {
    if (!("path" in source)) return line <= source.pcs.length ? line : undefined;
    this.#lines ??= linesOf(this.#codes);
    const later = statementLines(source).filter((candidate) => candidate >= line);
    const end = later[0] === undefined ? 0 : endOfFunction(source, later[0]);
    return later.find((candidate) => candidate <= end && this.#lines?.get(source)?.has(candidate) === true);
  }

  /** The text of a source; undefined for an unknown reference. */
  textOf(reference: number): string | undefined {
    const source = this.#listed.find((listed) => listed.reference === reference)?.source;
    if (source === undefined) return undefined;
    return "path" in source ? source.textOf(0, source.length) : source.text;
  }

  #add(source: Source, path: string | undefined): void {
    this.#listed.push({ source, path, reference: this.#listed.length + 1 });
  }
}

/** The last line of the function with a line; the line itself outside of functions. */
function endOfFunction(file: SourceFile, line: number): number {
  const ranges = file.functions.map(({ range }) => [
    file.positionOf(range.start).line,
    file.positionOf(range.end).line,
  ]);
  return ranges.findLast(([first = 0, last = 0]) => first <= line && line <= last)?.[1] ?? line;
}

function linesOf(codes: readonly DebuggedCode[]): ReadonlyMap<Source, ReadonlySet<number>> {
  const lines = new Map<Source, ReadonlySet<number>>();
  for (const { found } of codes) {
    if (found === undefined) continue;
    for (const [file, more] of linesOfCode(found)) lines.set(file, new Set([...(lines.get(file) ?? []), ...more]));
  }
  return lines;
}
