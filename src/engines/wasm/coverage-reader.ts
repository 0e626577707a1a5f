/** Reads the core's counters when a transaction ends, and sets them to zero. */
import type { CodeRun, CoverageSink } from "../../evm/coverage-sink.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import * as Layout from "./core/machine/layout.ts";
import { Records } from "./core-exports.generated.ts";
import type { CoreInstance } from "./core-instance.ts";

const { Code, Counter } = Records;

interface CountedCode {
  readonly runs: CodeRun[];
  /** Those of the runs that are blocks. */
  readonly blocks: CodeRun[];
  /** Exits from blocks: the first instruction that did not run, and how often. */
  readonly leavings: { readonly pc: number; readonly times: number }[];
}

/** Reports to a sink what ran since the last report. */
export function reportCoverage(instance: CoreInstance, sink: CoverageSink): void {
  const codes = readCounters(instance);
  for (const [place, { runs, blocks, leavings }] of codes) {
    const left = leavings.map(({ pc, times }): CodeRun => ({ start: pc, end: endOfBlock(blocks, pc), times: -times }));
    const code = codeAt(instance, place);
    if (code.length > 0) sink.count(code, [...runs, ...left]);
  }
}

function readCounters(instance: CoreInstance): ReadonlyMap<number, CountedCode> {
  const codes = new Map<number, CountedCode>();
  let counter = instance.core.counted.value >>> 0;
  while (counter !== 0) {
    const place = instance.half(counter + Counter.code);
    const code = codes.get(place) ?? { runs: [], blocks: [], leavings: [] };
    codes.set(place, code);
    const times = instance.half(counter + Counter.times);
    const start = instance.half(counter + Counter.start);
    const kind = instance.bytes[counter + Counter.kind];
    if (kind === Layout.COUNTS_LEAVING) code.leavings.push({ pc: start, times });
    else {
      const run = { start, end: instance.half(counter + Counter.end), times };
      code.runs.push(run);
      if (kind === Layout.COUNTS_BLOCK) code.blocks.push(run);
    }
    instance.setHalf(counter + Counter.times, 0);
    counter = instance.half(counter + Counter.next);
  }
  instance.core.forgetCounted();
  return codes;
}

/** End of the block that contains a place; of several, the one that begins last. */
function endOfBlock(blocks: readonly CodeRun[], pc: number): number {
  let block: CodeRun | undefined;
  for (const run of blocks) {
    const holdsIt = run.start <= pc && pc < run.end;
    if (holdsIt && (block === undefined || run.start > block.start)) block = run;
  }
  return block?.end ?? pc;
}

function codeAt(instance: CoreInstance, place: number): Bytes {
  const known = instance.codes.get(place);
  if (known !== undefined) return known;
  return instance.copy(instance.half(place + Code.raw), instance.half(place + Code.length));
}
