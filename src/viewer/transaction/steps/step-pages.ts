/** Loads the steps of a transaction page by page, when they become visible. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../rpc/client.ts";
import type { ListedStep } from "../../rpc/types.ts";

const PAGE = 250;
/** Most pages in memory. */
const MOST_PAGES = 40;

interface StepPart {
  readonly steps: readonly ListedStep[];
}

/** The steps that are loaded so far. */
export interface StepPages {
  /** Undefined until the step's page has been loaded. */
  readonly at: (index: number) => ListedStep | undefined;
  /** Loads the pages of a range of steps. */
  readonly need: (first: number, last: number) => void;
}

/** Pages of another transaction are dropped. */
export function useStepPages(hash: string): StepPages {
  const pages = useRef(new Map<number, readonly ListedStep[] | undefined>());
  const [, setVersion] = useState(0);
  useEffect(() => {
    pages.current.clear();
  }, [hash]);
  const load = async (page: number): Promise<void> => {
    pages.current.set(page, undefined);
    const part = await ask<StepPart>("hindcast_getSteps", hash, { from: page * PAGE, count: PAGE }).catch(
      () => undefined,
    );
    if (part === undefined) return void pages.current.delete(page);
    const [oldest] = pages.current.keys();
    if (pages.current.size > MOST_PAGES && oldest !== undefined) pages.current.delete(oldest);
    pages.current.set(page, part.steps);
    setVersion((version) => version + 1);
  };
  return {
    at: (index) => pages.current.get(Math.floor(index / PAGE))?.[index % PAGE],
    need(first, last) {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(Math.max(first, last - 1) / PAGE); page++) {
        if (!pages.current.has(page)) void load(page);
      }
    },
  };
}

/** Finds the next step with an opcode at or after an index; undefined if there is none. */
export async function findStep(hash: string, opcode: number, from: number): Promise<number | undefined> {
  const part = await ask<StepPart>("hindcast_getSteps", hash, { from, count: 1, opcode });
  return part.steps[0]?.step;
}
