/** The conformance suites on the library in a worker of a browser, from built files. Where the recorded cases are absent: none. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { listedCases } from "../conformance/not-yet.mjs";
import { projectFolder, runScript } from "../conformance/processes.mjs";
import { casesOf, entryLines, isChosen } from "../conformance/state-tests/entries.mjs";
import { checkTraces } from "../conformance/suites.mjs";
import { traceRequests } from "../conformance/trace-requests.mjs";
import { useBridge } from "./conformance/bridge.ts";
import { BROWSERS } from "./site.ts";

const COLLECTION = process.env.HINDCAST_CONFORMANCE ?? join(projectFolder, "../shared/conformance");
const inCollection = (...path: readonly string[]): string => join(COLLECTION, ...path);
const isThere = existsSync(COLLECTION);
/** One state test in so many: the whole suite runs in Node. */
const EVERY = Number(process.env.HINDCAST_EVERY ?? 100);
/** Characters of entries in a message, about. */
const MOST_CHARACTERS = 1_000_000;

/** Entries with the cases of each that are run, many at a time: a message takes longer than most of them. */
function* chosenEntries(): Generator<readonly object[]> {
  let entries: object[] = [];
  let length = 0;
  for (const { file, line } of entryLines(inCollection("state-tests"))) {
    const entry = JSON.parse(line);
    const cases = casesOf(entry, file).filter(({ name }: { name: string }) => isChosen(name, EVERY));
    if (cases.length === 0) continue;
    entries.push({ entry, cases });
    length += line.length;
    if (length < MOST_CHARACTERS) continue;
    yield entries;
    entries = [];
    length = 0;
  }
  yield entries;
}

if (!isThere) console.warn(`The conformance suites do not run in browsers: there is no ${COLLECTION}.`);

describe.skipIf(!isThere).each(BROWSERS)("in a worker of %s", (browser) => {
  const bridge = useBridge(browser);
  afterEach(() => expect(bridge.problems).toEqual([]));

  it("rpc-compat: all cases, and the schema of traces", async () => {
    const folder = inCollection("rpc-compat");
    const genesis = JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8"));
    const chain = readFileSync(join(folder, "chain.rlp")).toString("hex");
    await bridge.run("open", { options: { genesis }, chain });
    const traces = await checkTraces(
      inCollection("parity-schema", "parity-schema.mjs"),
      await traceRequests(bridge.url),
    );
    expect(traces).toMatchObject({ failures: [], failed: 0 });
    expect(traces.passed).toBeGreaterThan(100);
    const result = await runScript(join(folder, "rpc-compat.mjs"), [bridge.url, "--dir", folder]);
    expect(result).toMatchObject({ failures: [], failed: 0 });
    expect(result.passed).toBeGreaterThan(100);
    await bridge.run("close", {});
    console.log(`${browser}: rpc-compat ${result.passed}, traces ${traces.passed}`);
  });

  it("the fixtures of tracers", async () => {
    const adapter = join(projectFolder, "test/browser/conformance/tracer-adapter.mjs");
    const result = await runScript(inCollection("tracers", "tracers.mjs"), ["--adapter", adapter], {
      HINDCAST_BRIDGE: bridge.url,
    });
    expect(result).toMatchObject({ failures: [], failed: 0 });
    expect(result.passed).toBeGreaterThan(40);
    console.log(`${browser}: tracers ${result.passed}`);
  });

  it(`one state test in ${EVERY}`, async () => {
    const known = new Set<string>(listedCases("state-tests", { every: EVERY }));
    const wrong: string[] = [];
    let passed = 0;
    for (const entries of chosenEntries()) {
      for (const [name, problem] of (await bridge.run("state-tests", entries)) as [string, string | null][])
        if (problem === null) passed++;
        else if (!known.has(name)) wrong.push(`${name}: ${problem}`);
    }
    expect(wrong).toEqual([]);
    expect(passed).toBeGreaterThan(50_000 / EVERY);
    console.log(`${browser}: state-tests ${passed}`);
  });
});
