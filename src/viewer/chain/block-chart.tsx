/** Draws the gas that the newest blocks used, as bars, and their base fees, as a line. */
import type { JSX } from "preact";
import { grouped, gwei, percent } from "../text/format.ts";
import type { KnownBlock } from "./merge-blocks.ts";

const MOST_BLOCKS = 60;
const WIDTH = 600;
const HEIGHT = 56;
/** Least height of a bar of a block that used gas. */
const LEAST = 1.5;

/** Nothing for fewer than two blocks: there is nothing to compare. */
export function BlockChart({ blocks }: { readonly blocks: readonly KnownBlock[] }): JSX.Element | null {
  const shown = blocks
    .filter(({ isCanonical }) => isCanonical)
    .slice(0, MOST_BLOCKS)
    .reverse();
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined || shown.length < 2) return null;
  const step = WIDTH / shown.length;
  const fees = shown.map(({ baseFeePerGas }) => (baseFeePerGas === null ? undefined : BigInt(baseFeePerGas)));
  const label = `Gas used${fees.some((fee) => fee !== undefined) ? " and base fee" : ""} of blocks ${BigInt(first.number)} to ${BigInt(last.number)}`;
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {shown.map(({ hash, number, gasUsed, gasLimit, baseFeePerGas }, index) => {
          const share = percent(gasUsed, gasLimit);
          const height = share === 0 ? 0 : Math.max(LEAST, (share / 100) * HEIGHT);
          const fee = baseFeePerGas === null ? "" : `, base fee ${gwei(baseFeePerGas)}`;
          return (
            <g key={hash}>
              <rect class="chart-bar" x={index * step} width={step * 0.8} y={HEIGHT - height} height={height} />
              <rect class="chart-touch" x={index * step} width={step} y={0} height={HEIGHT}>
                <title>{`Block ${BigInt(number)}: ${grouped(BigInt(gasUsed))} gas, ${share} %${fee}`}</title>
              </rect>
            </g>
          );
        })}
        <polyline class="chart-line" points={pointsOf(fees, step)} />
      </svg>
      <figcaption class="quiet">
        Gas used{fees.at(-1) === undefined ? "" : `, and base fee, now ${gwei(fees.at(-1) ?? 0n)}`}
      </figcaption>
    </figure>
  );
}

/** From the lowest fee at the bottom to the highest at the top; in the middle where all are the same. */
function pointsOf(fees: readonly (bigint | undefined)[], step: number): string {
  const known = fees.filter((fee) => fee !== undefined);
  const low = known.reduce((least, fee) => (fee < least ? fee : least), known[0] ?? 0n);
  const high = known.reduce((most, fee) => (fee > most ? fee : most), 0n);
  const heightOf = (fee: bigint): number => (high === low ? 50 : percent(fee - low, high - low));
  return fees
    .flatMap((fee, index) => {
      if (fee === undefined) return [];
      const y = HEIGHT - 3 - (heightOf(fee) / 100) * (HEIGHT - 6);
      return [`${((index + 0.4) * step).toFixed(1)},${y.toFixed(1)}`];
    })
    .join(" ");
}
