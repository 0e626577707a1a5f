/** Options of a node in a browser. */
import { InvalidParamsError } from "../errors/hindcast-error.ts";
import type { NodeOptions } from "../node/options/options.ts";

/** Options that name what a browser does not have, and what it lacks. */
const ABSENT = {
  artifacts: "A browser has no folders of artifacts: pass documents to the node's abi.",
  engine: "The bundle for browsers has one engine.",
} as const;

/** The options of `createNode` in Node, but for those that name folders of artifacts or the reference engine. */
export type BrowserNodeOptions = Omit<NodeOptions, keyof typeof ABSENT>;

/** Executions at a time in a browser: a page has some hundred memories of WebAssembly, and shares them with other tabs. */
const CONCURRENT_EXECUTIONS = 16;

/**
 * The options with the defaults of browsers.
 *
 * @throws {InvalidParamsError} `INVALID_OPTION` for one that a browser cannot have
 */
export function browserOptions(options: BrowserNodeOptions): NodeOptions {
  for (const [name, reason] of Object.entries(ABSENT)) {
    const isGiven = typeof options === "object" && options !== null && Object.hasOwn(options, name);
    if (!isGiven || (options as Readonly<Record<string, unknown>>)[name] === undefined) continue;
    throw new InvalidParamsError({ code: "INVALID_OPTION", what: `There is no option ${name} here.`, fix: reason });
  }
  const { limits } = options;
  const isObject = limits === undefined || (typeof limits === "object" && limits !== null);
  return isObject ? { ...options, limits: { concurrentExecutions: CONCURRENT_EXECUTIONS, ...limits } } : options;
}
