/** Gas by call as a flame graph: click or Enter makes a call as wide as the page, Escape goes back. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Panel } from "../../parts/data.tsx";
import { Empty } from "../../parts/states.tsx";
import type { Call } from "../../rpc/types.ts";
import { save } from "../../text/export.ts";
import { grouped, percent, short } from "../../text/format.ts";
import { shown } from "../../text/shown.ts";
import type { WholeTransaction } from "../load.ts";
import { type Box, flameBoxes, nameOf, speedscope } from "./boxes.ts";

const ROW = 24;
const WIDTH = 1_200;
/** Pixels of a letter, roughly. */
const LETTER = 6.6;

export function FlameTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { calls, tx, receipt } = whole;
  const [root, setRoot] = useState(0);
  const boxes = useMemo(() => flameBoxes(calls, root), [calls, root]);
  const [pointed, setPointed] = useState<Box | undefined>(undefined);
  const outermost = calls[0];
  if (outermost === undefined || BigInt(outermost.gasUsed) === 0n) return <Empty>No code ran.</Empty>;
  const shownBox = pointed ?? boxes[0];
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const outside = BigInt(receipt?.gasUsed ?? "0x0") - BigInt(outermost.gasUsed);
  const saveProfile = (): void =>
    save(`${short(tx.hash)}.speedscope.json`, "application/json", speedscope(`Gas of ${tx.hash}`, calls));
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setRoot(calls[root]?.parent === -1 ? 0 : (calls[root]?.parent ?? 0));
  };
  return (
    <Panel
      title="Gas by call"
      actions={
        <>
          <button type="button" class="small" disabled={root === 0} onClick={() => setRoot(0)}>
            Whole transaction
          </button>
          <button type="button" class="small" onClick={saveProfile}>
            speedscope
          </button>
        </>
      }
    >
      <div class="scroll">
        {/* biome-ignore lint/a11y/useSemanticElements: there is no fieldset in SVG */}
        <svg
          class="flame"
          viewBox={`0 0 ${WIDTH} ${rows * ROW}`}
          onKeyDown={onKey}
          onMouseLeave={() => setPointed(undefined)}
          role="group"
          aria-label="Flame graph of gas"
        >
          {boxes.map((box) => (
            <FlameBox key={box.call.index} box={box} onPoint={setPointed} onZoom={() => setRoot(box.call.index)} />
          ))}
        </svg>
      </div>
      <p class="flame-facts" role="status">
        {shownBox === undefined ? null : <BoxFacts box={shownBox} whole={outermost} />}
        <span class="quiet">
          {outside > 0n ? ` The transaction itself takes ${grouped(outside)} gas outside of its calls.` : ""}
          {outside < 0n ? ` ${grouped(-outside)} gas were refunded.` : ""}
        </span>
      </p>
    </Panel>
  );
}

function FlameBox(props: {
  readonly box: Box;
  readonly onPoint: (box: Box) => void;
  readonly onZoom: () => void;
}): JSX.Element {
  const { box, onPoint, onZoom } = props;
  const { call, left, width, row } = box;
  const pixels = width * WIDTH;
  const name = shown(nameOf(call), 80);
  const letters = Math.floor((pixels - 8) / LETTER);
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no button in SVG
    <g
      role="button"
      tabIndex={0}
      class={`flame-box kind-${call.failure === null ? call.kind : "fail"}`}
      aria-label={`${name}: ${grouped(BigInt(call.gasUsed))} gas`}
      onClick={onZoom}
      onKeyDown={(event: KeyboardEvent) => event.key === "Enter" && onZoom()}
      onFocus={() => onPoint(box)}
      onMouseEnter={() => onPoint(box)}
    >
      <rect x={left * WIDTH} y={row * ROW} width={Math.max(pixels - 1, 0.6)} height={ROW - 2} rx="2" />
      {letters < 3 ? null : (
        <text x={left * WIDTH + 5} y={row * ROW + 15}>
          {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
        </text>
      )}
    </g>
  );
}

function BoxFacts({ box, whole }: { readonly box: Box; readonly whole: Call }): JSX.Element {
  const { call, own } = box;
  return (
    <>
      <b>{shown(nameOf(call), 100)}</b> {grouped(BigInt(call.gasUsed))} gas, {percent(call.gasUsed, whole.gasUsed)} %;
      itself {grouped(own)}.
    </>
  );
}
