/** Loads data for a component, and loads it again when its key or version changes. */
import { useEffect, useState } from "preact/hooks";

/** A value while it is loaded, afterwards, or the error instead. */
export interface Loaded<Value> {
  /** The last value that was loaded for the current key. */
  readonly value: Value | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
}

const NOTHING: Loaded<never> = { value: undefined, error: undefined, isLoading: true };

/**
 * @param key - identifies the data. When it changes, the old value is no longer shown
 * @param version - when it changes, the same data is loaded again
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
