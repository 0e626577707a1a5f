/** Steps through a transaction forwards and backwards: a list of steps, and the EVM before the selected one. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSide } from "../../components/side.ts";
import { Empty, Problem } from "../../components/states.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { setQuery } from "../../route.ts";
import { ask } from "../../rpc/client.ts";
import type { ListedStep, Step } from "../../rpc/types.ts";
import { useLoaded } from "../../rpc/use-loaded.ts";
import { grouped } from "../../text/format.ts";
import { Machine } from "./machine.tsx";
import { findStep, type StepPages, useStepPages } from "./step-pages.ts";

const ROW_HEIGHT = 22;
const MOVES: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
  PageDown: 25,
  PageUp: -25,
};

interface StepsProps {
  readonly hash: string;
  readonly count: number;
  readonly at: number | undefined;
}

/** The selected step is part of the page's address. */
export function StepsTab({ hash, count, at = 0 }: StepsProps): JSX.Element {
  const pages = useStepPages(hash);
  const current = Math.max(0, Math.min(at, count - 1));
  const { value, error } = useLoaded(() => ask<Step>("hindcast_getStep", hash, current), hash, current);
  useEffect(() => pages.need(current, current + 1), [current, hash]);
  if (count === 0) return <Empty>No code ran.</Empty>;
  const go = (step: number): void => setQuery({ step: String(Math.max(0, Math.min(count - 1, step))) });
  const onKey = (event: KeyboardEvent): void => {
    const target = { Home: 0, End: count - 1 }[event.key] ?? moved(event.key, current);
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  };
  return (
    <div class="step-columns">
      <section class="panel">
        <div class="panel-head">
          <h2>
            Step {grouped(current)} <span class="quiet">of {grouped(count)}</span>
          </h2>
          <div class="actions">
            <button type="button" class="small" disabled={current === 0} onClick={() => go(current - 1)}>
              ← Back
            </button>
            <button type="button" class="small" disabled={current === count - 1} onClick={() => go(current + 1)}>
              Forward →
            </button>
          </div>
        </div>
        <StepFinder hash={hash} current={current} go={go} />
        <div class="list-box steps">
          <VirtualList
            count={count}
            rowHeight={ROW_HEIGHT}
            label="Steps"
            role="listbox"
            current={current}
            currentId={`step-${current}`}
            onKey={onKey}
            onRange={pages.need}
            row={(index) => <StepLine key={index} {...{ index, pages, go }} isCurrent={index === current} />}
          />
        </div>
      </section>
      {error === undefined ? <Machine step={value} /> : <Problem title="The step cannot be read" error={error} />}
    </div>
  );
}

function moved(key: string, current: number): number | undefined {
  const move = MOVES[key];
  return move === undefined ? undefined : current + move;
}

function StepLine(props: {
  readonly index: number;
  readonly pages: StepPages;
  readonly go: (step: number) => void;
  readonly isCurrent: boolean;
}): JSX.Element {
  const { index, pages, go, isCurrent } = props;
  const side = useSide();
  const step = pages.at(index);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list that contains it handles keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list that contains it has the focus
    <div
      id={side.id(`step-${index}`)}
      role="option"
      aria-selected={isCurrent}
      class={`step ${isCurrent ? "is-current" : ""} ${step?.isBroken === true ? "is-failed" : ""}`}
      onClick={() => go(index)}
    >
      <span class="quiet number">{index}</span>
      {step === undefined ? <span class="quiet">…</span> : <StepText step={step} />}
    </div>
  );
}

function StepText({ step }: { readonly step: ListedStep }): JSX.Element {
  return (
    <>
      <span class="quiet pc">{step.pc.toString(16).padStart(4, "0")}</span>
      <span class="op" style={{ paddingLeft: `${Math.min(step.depth, 12) * 10}px` }}>
        {step.op}
      </span>
      <span class="quiet cost">{grouped(BigInt(step.gasCost))}</span>
    </>
  );
}

/** Opcodes that can be searched for, by name. */
const FOUND: Readonly<Record<string, number>> = {
  SSTORE: 0x55,
  SLOAD: 0x54,
  CALL: 0xf1,
  DELEGATECALL: 0xf4,
  STATICCALL: 0xfa,
  CREATE: 0xf0,
  CREATE2: 0xf5,
  KECCAK256: 0x20,
  LOG1: 0xa1,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  JUMPI: 0x57,
  RETURN: 0xf3,
  REVERT: 0xfd,
};

function StepFinder(props: {
  readonly hash: string;
  readonly current: number;
  readonly go: (step: number) => void;
}): JSX.Element {
  const { hash, current, go } = props;
  const find = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const opcode = FOUND[String(new FormData(form).get("opcode"))] ?? 0;
    const step = (await findStep(hash, opcode, current + 1)) ?? (await findStep(hash, opcode, 0));
    if (step !== undefined) go(step);
  };
  return (
    <form class="step-finder" onSubmit={find}>
      <select name="opcode" aria-label="Opcode to look for">
        {Object.keys(FOUND).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <button type="submit" class="small">
        Next
      </button>
    </form>
  );
}
