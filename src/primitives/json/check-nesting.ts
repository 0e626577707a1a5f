/** Checks JSON values that were not read from a text: a program may hand in objects of any depth, or with cycles. */
import type { Steps } from "../platform/turns.ts";
import { type JsonLimits, tooDeep, tooManyValues } from "./json-limits.ts";

/** About what a value takes in memory beside its text, in bytes. */
const VALUE_BYTES = 64;

/**
 * Throws unless a value is within limits, so that readers which call themselves for what is nested may follow.
 *
 * @returns about how many bytes of memory the value takes
 * @throws {LimitError} `JSON_TOO_DEEP`, also for a cycle, `JSON_TOO_MANY_VALUES`
 */
export function* checkNesting(value: unknown, limits: JsonLimits): Steps<number> {
  let level: unknown[] = [value];
  let count = 0;
  let characters = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.depth) throw tooDeep(limits);
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each === "string") characters += each.length;
      if (typeof each !== "object" || each === null) continue;
      for (const member of Object.values(each)) next.push(member);
      if (count + next.length > limits.values) throw tooManyValues(limits);
      yield;
    }
    count += next.length;
    level = next;
  }
  return count * VALUE_BYTES + characters;
}
