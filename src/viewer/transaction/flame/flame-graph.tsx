/** A flame graph of gas. Click or Enter shows a box at full width, Escape goes back. */
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Panel } from "../../components/data.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { grouped, percent } from "../../text/format.ts";
import { save } from "../../text/save.ts";
import { shown } from "../../text/shown.ts";
import { type Box, type FlameNode, flameBoxes, speedscope } from "./boxes.ts";

const ROW = 24;
const WIDTH = 1_200;
/** Approximate width of a letter in pixels. */
const LETTER = 6.6;

interface FlameGraphProps {
  readonly title: string;
  readonly nodes: readonly FlameNode[];
  /** Name of the file for speedscope. */
  readonly fileName: string;
  readonly actions?: ComponentChildren;
  /** A sentence below the graph. */
  readonly note: string;
}

/** An SVG; the file that can be saved is for speedscope. */
export function FlameGraph({ title, nodes, fileName, actions, note }: FlameGraphProps): JSX.Element {
  const [root, setRoot] = useState(0);
  const boxes = useMemo(() => flameBoxes(nodes, root), [nodes, root]);
  const [pointed, setPointed] = useState<Box | undefined>(undefined);
  const shownBox = pointed ?? boxes[0];
  const rows = Math.max(...boxes.map(({ row }) => row)) + 1;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setRoot(Math.max(0, nodes[root]?.parent ?? 0));
  };
  return (
    <Panel
      title={title}
      actions={
        <>
          {actions}
          <button type="button" class="small" disabled={root === 0} onClick={() => setRoot(0)}>
            Whole transaction
          </button>
          <button
            type="button"
            class="small"
            onClick={() => save(`${fileName}.speedscope.json`, "application/json", speedscope(title, nodes))}
          >
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
            <FlameBox key={box.node.index} box={box} onPoint={setPointed} onZoom={() => setRoot(box.node.index)} />
          ))}
          {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: text in SVG cannot be focused */}
          <g aria-hidden="true" class="flame-texts">
            {boxes.map((box) => (
              <BoxText key={box.node.index} box={box} />
            ))}
          </g>
        </svg>
      </Scroll>
      <p class="flame-facts" role="status">
        {shownBox === undefined ? null : <BoxFacts box={shownBox} whole={nodes[0]?.gas ?? 0} />}
        <span class="quiet"> {note}</span>
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
  const { node, left, width, row } = box;
  const pixels = width * WIDTH;
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button
    <g
      role="button"
      tabIndex={0}
      class={`flame-box kind-${node.tone}`}
      aria-label={`${shown(node.name, 80)}: ${grouped(BigInt(node.gas))} gas`}
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
function BoxText({ box: { node, left, width, row } }: { readonly box: Box }): JSX.Element | null {
  const name = shown(node.name, 80);
  const letters = Math.floor((width * WIDTH - 8) / LETTER);
  if (letters < 3) return null;
  return (
    <text x={left * WIDTH + 5} y={row * ROW + 15}>
      {name.length > letters ? `${name.slice(0, letters - 1)}…` : name}
    </text>
  );
}

function BoxFacts({ box, whole }: { readonly box: Box; readonly whole: number }): JSX.Element {
  const { node, own } = box;
  return (
    <>
      <b>{shown(node.name, 100)}</b> {grouped(BigInt(node.gas))} gas, {percent(BigInt(node.gas), BigInt(whole))} %;
      itself {grouped(BigInt(own))}.
    </>
  );
}
