// eth_call in process: the calls that bench:peers makes of every node, over and over, until V8 has compiled what they run
// through, and the short ones in the first 20 rounds of a process. @ethereumjs/vm makes the same calls in the same run.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { summary } from "./measure.mjs";
import { callRows } from "./peers/call-rows.mjs";
import { furnish } from "./peers/chain.mjs";
import { IN_PROCESS, LIBRARY, startInProcess } from "./peers/in-process.mjs";

export const name = "eth_call, in process";

/** For each row and node, at least this many rounds are run, and at most this long. */
const FEWEST = 3;
const MOST = 20_000;
const ROW_MS = 2_000;
const FIRST_RUNS = 3;
const WORKER = fileURLToPath(new URL("./call-worker.mjs", import.meta.url));

/** Aims in µs: in the tight loop, and for the median of the first 20 rounds. */
const AIMS = {
  "small call": [20, 150],
  "token transfer call": [30, 180],
  "swap call, constant-product pair": [50, 250],
};

export async function rows() {
  const ours = await furnish(await startInProcess(IN_PROCESS));
  const theirs = await furnish(await startInProcess(LIBRARY));
  const result = {};
  for (const row of callRows.filter(({ isCall }) => isCall)) {
    const [aim, aimOfFirst] = AIMS[row.label] ?? [];
    const mine = await inALoop(ours, row);
    const { medianMs } = await inALoop(theirs, row);
    const ratio = `${LIBRARY} ${show(medianMs)}, ${(medianMs / mine.medianMs).toFixed(0)} times as long`;
    result[row.label] = { ...mine, unit: "µs", note: aim === undefined ? ratio : `aim ${aim} µs; ${ratio}` };
    if (aimOfFirst === undefined) continue;
    result[`${row.label}, first 20 rounds`] = { ...firstRounds(row), unit: "µs", note: `aim ${aimOfFirst} µs` };
  }
  await ours.stop();
  return result;
}

/** The second half of the rounds; the first half warms up. The answers of both halves' last rounds are checked. */
async function inALoop(node, row) {
  const times = [];
  const startedAt = performance.now();
  for (let round = 0; round < MOST; round++) {
    const request = row.request(node, undefined, round);
    const start = performance.now();
    const answer = await node.ask(...request);
    times.push(performance.now() - start);
    const isLast = round === MOST - 1 || (round >= FEWEST - 1 && performance.now() - startedAt > ROW_MS);
    if (isLast) row.check(answer, node, row, round);
    if (isLast) break;
  }
  return summary(times.slice(Math.floor(times.length / 2)));
}

/** Of several processes the one in the middle: each counts 20 rounds. */
function firstRounds({ label }) {
  const runs = Array.from({ length: FIRST_RUNS }, () =>
    JSON.parse(execFileSync(process.execPath, [WORKER, label], { encoding: "utf8" })),
  );
  return runs.sort((left, right) => left.medianMs - right.medianMs)[Math.floor(FIRST_RUNS / 2)];
}

function show(milliseconds) {
  return milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} µs` : `${milliseconds.toFixed(1)} ms`;
}
