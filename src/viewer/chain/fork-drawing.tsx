/** Draws the listed blocks as a graph: each block below its children, side blocks and uncles next to the chain. */
import type { JSX } from "preact";
import { lanesOf } from "./lanes.ts";
import type { KnownBlock } from "./merge-blocks.ts";

const LANE = 16;
const LEFT = 14;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Width of the drawing in pixels. */
export function drawingWidth(blocks: readonly KnownBlock[]): number {
  return LEFT + Math.max(0, ...lanesOf(blocks).values()) * LANE + 14;
}

/** An SVG beside the list, with one lane for the chain and one for each branch. */
export function ForkDrawing(props: {
  readonly blocks: readonly KnownBlock[];
  readonly rowHeight: number;
}): JSX.Element {
  const { blocks, rowHeight } = props;
  const lanes = lanesOf(blocks);
  const places = new Map<string, Place>(
    blocks.map(({ hash }, index) => [
      hash,
      { x: LEFT + (lanes.get(hash) ?? 0) * LANE, y: index * rowHeight + rowHeight / 2 },
    ]),
  );
  const height = blocks.length * rowHeight;
  return (
    <svg class="forks" width={drawingWidth(blocks)} height={height} aria-hidden="true">
      {blocks.map((block) => (
        <Edges key={block.hash} block={block} places={places} bottom={height} />
      ))}
      {blocks.map((block) => {
        const { x, y } = places.get(block.hash) as Place;
        const kind = block.isCanonical ? "is-own" : block.hasLeft ? "has-left" : "is-beside";
        return <circle key={block.hash} class={kind} cx={x} cy={y} r={block.transactionCount > 0 ? 4.5 : 3} />;
      })}
    </svg>
  );
}

function Edges(props: {
  readonly block: KnownBlock;
  readonly places: ReadonlyMap<string, Place>;
  readonly bottom: number;
}): JSX.Element {
  const { block, places, bottom } = props;
  const own = places.get(block.hash) as Place;
  const parent = places.get(block.parentHash);
  const isFirst = BigInt(block.number) === 0n;
  const kind = block.isCanonical ? "is-own" : block.hasLeft ? "has-left" : "is-beside";
  return (
    <>
      {isFirst ? null : <path class={kind} d={curve(own, parent ?? { x: own.x, y: bottom })} />}
      {block.uncles.map((uncle) => {
        const place = places.get(uncle);
        return place === undefined ? null : <path key={uncle} class="to-uncle" d={curve(own, place)} />;
      })}
    </>
  );
}

function curve(from: Place, to: Place): string {
  if (from.x === to.x) return `M${from.x} ${from.y}V${to.y}`;
  const middle = to.y - LANE;
  return `M${from.x} ${from.y}V${Math.max(from.y, middle)}Q${from.x} ${to.y} ${to.x} ${to.y}`;
}
