/** A breakpoint at a line, with its condition, the number of times that it is passed, and the text that it prints. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { type Condition, type FindValue, readCondition } from "./condition.ts";

/** Compares how often the line has begun. */
type HitCondition = (times: number) => boolean;

const HITS = /^\s*(==|=|>=|>|<=|<|%)?\s*(\d+)\s*$/;
/** A value in the text of a logpoint. */
const PLACEHOLDER = /\{([^{}]+)\}/g;

/** One for each breakpoint that a client sets. */
export class LineBreakpoint {
  readonly line: number;
  readonly #condition: Condition | undefined;
  readonly #hits: HitCondition | undefined;
  readonly #log: string | undefined;

  /**
   * @param line - the line at which it stands
   * @throws {SyntaxError} for a condition that is not understood
   */
  constructor(line: number, { condition, hitCondition, logMessage }: DebugProtocol.SourceBreakpoint) {
    this.line = line;
    this.#condition = isGiven(condition) ? readCondition(condition) : undefined;
    this.#hits = isGiven(hitCondition) ? readHits(hitCondition) : undefined;
    this.#log = isGiven(logMessage) ? logMessage : undefined;
  }

  /** True if it prints a text and does not halt. */
  get isLogpoint(): boolean {
    return this.#log !== undefined;
  }

  /**
   * True if its conditions hold.
   *
   * @param times - counts how often the line has begun, this time included
   * @throws {ReferenceError} for a name that no value has
   */
  async holds(find: FindValue, times: () => number): Promise<boolean> {
    if (this.#condition !== undefined && !(await this.#condition(find))) return false;
    return this.#hits === undefined || this.#hits(times());
  }

  /** The text that it prints, with the values in place of their names. */
  async text(find: FindValue): Promise<string> {
    const log = this.#log ?? "";
    const names = [...log.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.trim());
    const found = await Promise.all(names.map(async (name) => [name, (await find(name))?.value] as const));
    const values = new Map(found);
    return log.replace(PLACEHOLDER, (whole, name: string) => values.get(name.trim()) ?? whole);
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}

function readHits(text: string): HitCondition {
  const [, operator = "==", digits] = HITS.exec(text) ?? [];
  if (digits === undefined) throw new SyntaxError(`${text} is not a number of times: use 3, >= 3 or % 3.`);
  const count = Number(digits);
  switch (operator) {
    case ">=":
      return (times) => times >= count;
    case ">":
      return (times) => times > count;
    case "<=":
      return (times) => times <= count;
    case "<":
      return (times) => times < count;
    case "%":
      return (times) => count > 0 && times % count === 0;
    default:
      return (times) => times === count;
  }
}
