/** Loads something for a component, and again when what it depends on changes. */
import { useEffect, useState } from "preact/hooks";

export interface Loaded<Value> {
  /** The last one that came; also while the next one is on its way for the same thing. */
  readonly value: Value | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
}

const NOTHING: Loaded<never> = { value: undefined, error: undefined, isLoading: true };

/**
 * @param key - what is loaded: with another one, the old value is no longer shown
 * @param version - loads the same again when it changes
 */
export function useLoaded<Value>(load: () => Promise<Value>, key: string, version: unknown = 0): Loaded<Value> {
  const [state, setState] = useState<Loaded<Value> & { readonly key: string }>({ ...NOTHING, key });
  useEffect(() => {
    let isWanted = true;
    setState((last) => (last.key === key ? { ...last, isLoading: true } : { ...NOTHING, key }));
    load().then(
      (value) => isWanted && setState({ value, error: undefined, isLoading: false, key }),
      (error: Error) => isWanted && setState({ value: undefined, error, isLoading: false, key }),
    );
    return () => {
      isWanted = false;
    };
  }, [key, version]);
  return state.key === key ? state : NOTHING;
}
