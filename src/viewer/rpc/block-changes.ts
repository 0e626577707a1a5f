/** Decides when data of a block have to be loaded again: they stay as they are while the block is in the chain. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ask } from "./client.ts";
import { useHeadChanges } from "./live.ts";
import type { Hex } from "./types.ts";

/** The block of some data: its number, and the hash that the chain had there, if it had a block there. */
export interface BlockPlace {
  readonly number: Hex;
  readonly hash: Hex | undefined;
}

/**
 * Counts how often the data have to be loaded again. With each new head it asks for one header.
 *
 * @param placeOf - of what was loaded; undefined if every new head may change it, as what waits for a block
 * @returns the count, and what takes the loaded data
 */
export function useBlockChanges<Loaded>(
  placeOf: (loaded: Loaded) => BlockPlace | undefined,
): readonly [number, (loaded: Loaded | undefined) => void] {
  const heads = useHeadChanges();
  const [changes, setChanges] = useState(0);
  const loaded = useRef<Loaded | undefined>(undefined);
  useEffect(() => {
    if (heads === 0) return;
    let isWanted = true;
    const place = loaded.current === undefined ? undefined : placeOf(loaded.current);
    const isSame =
      place === undefined
        ? Promise.resolve(false)
        : ask<{ readonly hash: Hex } | null>("eth_getHeaderByNumber", place.number).then(
            (header) => header?.hash === place.hash,
            () => true,
          );
    void isSame.then((same) => isWanted && !same && setChanges((last) => last + 1));
    return () => {
      isWanted = false;
    };
  }, [heads]);
  return [
    changes,
    (value) => {
      loaded.current = value;
    },
  ];
}
