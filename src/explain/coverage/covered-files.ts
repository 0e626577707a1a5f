/** The files of a coverage report. */
import { once } from "../../primitives/once.ts";
import { listOf, requireShape, shape, someOf } from "../../primitives/validation/shape.ts";
import type { SourceChoice } from "../source/source-file.ts";

/** A path of a file or folder, or an expression that paths match. */
export type PathPattern = string | RegExp;

/** Selects files by their paths in the report. */
export interface CoveredFiles {
  /** Default: the project's own files. */
  readonly include?: readonly PathPattern[];
  /** Files among these that are left out. */
  readonly exclude?: readonly PathPattern[];
}

const filesShape = once(() => {
  const patterns = listOf(shape("a path or a RegExp", (value) => typeof value === "string" || value instanceof RegExp));
  return someOf<CoveredFiles>({ include: patterns, exclude: patterns });
});

/** @throws {InvalidParamsError} `INVALID_PARAMS` */
export function choiceOf(files: CoveredFiles): SourceChoice {
  requireShape(filesShape(), files, "files");
  const { include, exclude = [] } = files;
  return ({ path, isPackage }) => {
    const isIncluded = include === undefined ? !isPackage : matchesAny(path, include);
    return isIncluded && !matchesAny(path, exclude);
  };
}

function matchesAny(path: string, patterns: readonly PathPattern[]): boolean {
  return patterns.some((each) => {
    if (typeof each !== "string") return path.search(each) >= 0;
    const folder = each.replace(/\/*$/, "/");
    return path === each || path.startsWith(folder);
  });
}
