/** Indents the rows of a tree of calls. Deep ones are indented as far as others and have a number, so that all stay in view. */
import type { JSX } from "preact";

/** Levels that are indented. The width of a level is in the style sheet. */
const MOST_LEVELS = 10;

/** The style of a row with the class `line`. */
export function indentOf(depth: number): { readonly "--levels": number } {
  return { "--levels": Math.min(depth, MOST_LEVELS) };
}

/** The depth of a row that is deeper than rows are indented. */
export function DepthNumber({ depth }: { readonly depth: number }): JSX.Element | null {
  return depth <= MOST_LEVELS ? null : (
    <span class="depth" title={`depth ${depth}`}>
      {depth}
    </span>
  );
}
