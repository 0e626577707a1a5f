/** Checks the options of a chain in PostgreSQL. Loaded with them alone; no value is shown, since the URL has a password. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { LONGEST_LEASE_MS, SHORTEST_LEASE_MS } from "./limit-bounds.ts";
import type { NodeOptions, SharedOptions } from "./options.ts";

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isUrl = (value: unknown, scheme: RegExp): boolean => isText(value) && scheme.test(value) && URL.canParse(value);
const isWithin = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

/** Name of a chain that is not given one. */
export const DEFAULT_CHAIN = "hindcast";

/** A description and a test of each option's value. */
const SHAPES: Readonly<Record<keyof SharedOptions, readonly [expected: string, test: (value: unknown) => boolean]>> = {
  url: [
    "the URL of a PostgreSQL, such as postgres://user:password@host/database",
    (value) => isUrl(value, /^postgres(?:ql)?:\/\//),
  ],
  role: ["writer, reader or standby", (value) => ["writer", "reader", "standby"].includes(value as string)],
  chain: ["a text that is not empty", isText],
  work: ["true or false", (value) => typeof value === "boolean"],
  address: ["an http or https URL", (value) => isUrl(value, /^https?:\/\//)],
  leaseMs: [
    `milliseconds from ${SHORTEST_LEASE_MS} to ${LONGEST_LEASE_MS}`,
    (value) => isWithin(value, SHORTEST_LEASE_MS, LONGEST_LEASE_MS),
  ],
  baseAfterBytes: ["a number of bytes above 0", (value) => isWithin(value, 1, Number.MAX_SAFE_INTEGER)],
  onFenced: ["a function", (value) => typeof value === "function"],
};

/** @throws {InvalidParamsError} `INVALID_OPTION` */
export function checkSharedOptions(options: SharedOptions, { share, follow, fork }: NodeOptions): void {
  if ((share ?? follow ?? fork) !== undefined) {
    throw new InvalidParamsError({
      code: "INVALID_OPTION",
      what: "A chain in PostgreSQL is neither shared in another way nor a fork.",
      fix: "Leave shared out, or share, follow and fork.",
    });
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(SHAPES, name));
  if (unknown !== undefined) throw invalid(`There is no option shared.${unknown}.`, Object.keys(SHAPES).join(", "));
  if (options.work === true && options.role !== "reader") {
    throw invalid(
      "The option shared.work is for readers alone: a writer would be slowed down.",
      "false, or role reader",
    );
  }
  for (const [name, [expected, test]] of Object.entries(SHAPES)) {
    const value = options[name as keyof SharedOptions];
    if (value === undefined && name !== "url") continue;
    if (!test(value)) throw invalid(`The option shared.${name} is not valid.`, expected);
  }
}

function invalid(what: string, expected: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_OPTION", what, fix: `It must be ${expected}.` });
}
