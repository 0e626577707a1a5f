/** Draws a block as a bar of its transactions, each as wide as the gas that it used. */
import type { JSX } from "preact";
import { grouped, percent } from "../text/format.ts";
import type { LoadedBlock } from "./load.ts";

const WIDTH = 1_000;
const HEIGHT = 18;
/** More would be too narrow to be seen or clicked. */
const MOST = 400;

/** A click leads to the transaction. Nothing without receipts. */
export function GasBar({ loaded: { block, receipts } }: { readonly loaded: LoadedBlock }): JSX.Element | null {
  const total = receipts.reduce((sum, receipt) => sum + BigInt(receipt?.gasUsed ?? "0x0"), 0n);
  if (total === 0n) return null;
  let left = 0;
  const parts = block.transactions.slice(0, MOST).map(({ hash }, index) => {
    const receipt = receipts[index];
    const width = (percent(receipt?.gasUsed ?? "0x0", total) / 100) * WIDTH;
    const part = { hash, left, width, gas: BigInt(receipt?.gasUsed ?? "0x0"), isFailed: receipt?.status === "0x0" };
    left += width;
    return part;
  });
  return (
    <svg
      class="gas-bar"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Gas of the ${block.transactions.length} transactions`}
    >
      {parts.map((part) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list below leads to the same transactions by keys
        <rect
          key={part.hash}
          class={part.isFailed ? "is-failed" : ""}
          x={part.left}
          width={part.width}
          height={HEIGHT}
          onClick={() => {
            location.hash = `#/tx/${part.hash}`;
          }}
        >
          <title>{`${part.hash.slice(0, 10)}: ${grouped(part.gas)} gas${part.isFailed ? ", failed" : ""}`}</title>
        </rect>
      ))}
    </svg>
  );
}
