/** Checks programs as their authors' compiler would: the complaints, and how many types it had to instantiate. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export interface Checked {
  /** The compiler's complaints. */
  readonly complaints: readonly string[];
  /** The same, by the line of the program that they begin in, counted from 0. */
  readonly byLine: ReadonlyMap<number, readonly string[]>;
  /** As `tsc --extendedDiagnostics` counts them. */
  readonly instantiations: number;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const pathOf = (index: number): string => join(root, `test/types/a-program-${index}.ts`);
const files = new Map<string, ts.SourceFile | undefined>();

/**
 * Checks a program that imports `../../src/index.ts` and packages, on its own.
 *
 * @param text - of the program
 */
export function check(text: string): Checked {
  return checkAll([text])[0] as Checked;
}

/**
 * Checks several programs at once, which takes little longer than one. Instantiations are those of all of them.
 *
 * @param more - options of the compiler beside the project's
 */
export function checkAll(texts: readonly string[], more: ts.CompilerOptions = {}): readonly Checked[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const options = { ...ts.parseJsonConfigFileContent(config, ts.sys, root).options, ...more };
  const host = ts.createCompilerHost({ ...options, lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"] });
  const { getSourceFile, fileExists } = host;
  const programs = new Map(texts.map((text, index) => [pathOf(index), text]));
  host.fileExists = (path) => programs.has(path) || fileExists(path);
  host.getSourceFile = (path, languageOptions) => {
    const text = programs.get(path);
    if (text !== undefined) return ts.createSourceFile(path, text, languageOptions, true);
    if (!files.has(path)) files.set(path, getSourceFile.call(host, path, languageOptions));
    return files.get(path);
  };
  const built = ts.createProgram([...programs.keys()], options, host);
  const found = [...programs.keys()].map((path) => complaintsOf(built, path));
  return found.map((each) => ({ ...each, instantiations: built.getInstantiationCount() }));
}

function complaintsOf(built: ts.Program, path: string): Pick<Checked, "complaints" | "byLine"> {
  const source = built.getSourceFile(path);
  const complaints: string[] = [];
  const byLine = new Map<number, string[]>();
  for (const { messageText, start = 0 } of built.getSemanticDiagnostics(source)) {
    const complaint = ts.flattenDiagnosticMessageText(messageText, "\n");
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    complaints.push(complaint);
    byLine.set(line, [...(byLine.get(line) ?? []), complaint]);
  }
  return { complaints, byLine };
}
