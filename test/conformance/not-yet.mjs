// The list of cases that are known not to pass: not-yet.json.
//
//   { "<suite>": { "<engine, or *>": { "<reason>": ["<name of a case>", ...] } } }
//
// `*` stands for all engines, and is what suites without a choice of engines have. The reason is a sentence that says why the
// case does not pass: a final EIP that it contradicts, or a fault of that engine.
import { readFileSync } from "node:fs";
import { DEFAULT_ENGINE } from "./engines.mjs";
import { isChosen } from "./state-tests/entries.mjs";

/**
 * Names of the cases of a suite that are listed for an engine.
 *
 * @param {{engine?: string, every?: number}} choice a case that this leaves out is not among them
 */
export function listedCases(suite, { engine = DEFAULT_ENGINE, every = 1 }, list = readList()) {
  const bySuite = list[suite] ?? {};
  const reasons = [bySuite["*"], bySuite[engine]].flatMap((byReason) => Object.values(byReason ?? {}));
  return reasons.flat().filter((name) => isChosen(name, every));
}

function readList() {
  return JSON.parse(readFileSync(new URL("not-yet.json", import.meta.url), "utf8"));
}
