/** Loads data for a component, and loads it again when its key or version changes. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useReturns } from "./live.ts";
import { Turns } from "./turns.ts";

/** The last value that was loaded for the current key, or the error instead. Neither is there while it is loaded. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: Error | undefined;
}

const NOTHING: Loaded<never> = { value: undefined, error: undefined };

/**
 * Shows an answer unless a later request was answered before it. So there is something to see also where a request
 * takes longer than the time until the next. It loads again when the node is back after it did not answer.
 *
 * @param key - identifies the data. When it changes, the old value is no longer shown
 * @param version - when it changes, the same data is loaded again
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  key: string,
  version: unknown = 0,
): Loaded<Value> & { readonly stop: () => void } {
  const running = useRef<AbortController | undefined>(undefined);
  const [state, setState] = useState<Loaded<Value> & { readonly key: string }>({ ...NOTHING, key });
  const [turns] = useState(() => new Turns());
  const returns = useReturns();
  // At once: an effect that waits until the page is drawn would delay each request by a frame.
  useLayoutEffect(() => {
    const isNext = turns.next();
    setState((last) => (last.key === key ? last : { ...NOTHING, key }));
    const show = (loaded: Loaded<Value>): void => {
      if (isNext()) setState((last) => (last.key === key ? { ...loaded, key } : last));
    };
    const controller = new AbortController();
    running.current = controller;
    load(controller.signal).then(
      (value) => show({ value, error: undefined }),
      (error: Error) => show({ value: undefined, error }),
    );
  }, [key, version, returns]);
  // Nobody waits for what a page asked that is left.
  useLayoutEffect(() => () => running.current?.abort(), []);
  return { ...(state.key === key ? state : NOTHING), stop: () => running.current?.abort() };
}
