/** Shows gas by call as a flame graph. Click or Enter shows a call at full width, Escape goes back. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Panel } from "../../parts/data.tsx";
import { Scroll } from "../../parts/scroll.tsx";
import { Empty } from "../../parts/states.tsx";
import type { Call } from "../../rpc/types.ts";
import { grouped, percent, short } from "../../text/format.ts";
import { save } from "../../text/save.ts";
import { shown } from "../../text/shown.ts";
import type { WholeTransaction } from "../load.ts";
import { type Box, flameBoxes, nameOf, speedscope } from "./boxes.ts";

const ROW = 24;
const WIDTH = 1_200;
/** Approximate width of a letter in pixels. */
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
  const used = BigInt(receipt?.gasUsed ?? "0x0");
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
      <Scroll label="Gas">
        {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset */}
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
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: text in SVG cannot be focused */}
          <g aria-hidden="true" class="flame-texts">
            {boxes.map((box) => (
              <BoxText key={box.call.index} box={box} />
            ))}
          </g>
        </svg>
      </Scroll>
      <p class="flame-facts" role="status">
        {shownBox === undefined ? null : <BoxFacts box={shownBox} whole={outermost} />}
        <span class="quiet">
          {` With what a transaction costs by itself, and less refunds, ${grouped(used)} gas were used.`}
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
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button
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
    </g>
  );
}

/** The name in a box, as much as fits. Screen readers read the full name from the box's label. */
function BoxText({ box: { call, left, width, row } }: { readonly box: Box }): JSX.Element | null {
  const name = shown(nameOf(call), 80);
  const letters = Math.floor((width * WIDTH - 8) / LETTER);
  if (letters < 3) return null;
  return (
    <text x={left * WIDTH + 5} y={row * ROW + 15}>
      {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
    </text>
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
