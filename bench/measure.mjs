// Times a task over many runs and sums the runs up.

/**
 * Runs `task` until it has run `runs` times, after `warmUp` runs that are not counted.
 *
 * @returns {Promise<{ runs: number, medianMs: number, p95Ms: number, minMs: number }>}
 */
export async function measure(task, { runs = 30, warmUp = 3 } = {}) {
  for (let run = 0; run < warmUp; run++) await task(run);
  const times = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await task(run + warmUp);
    times.push(performance.now() - start);
  }
  return summary(times);
}

/** Median, 95th percentile and minimum of a list of milliseconds. */
export function summary(times) {
  const sorted = [...times].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { runs: times.length, medianMs: round(at(0.5)), p95Ms: round(at(0.95)), minMs: round(sorted[0]) };
}

function round(milliseconds) {
  return Math.round(milliseconds * 10_000) / 10_000;
}
