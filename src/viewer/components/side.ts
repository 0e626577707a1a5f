/** Ids and labels of a page that shows two transactions: each may be there only once. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** True within the second of the two. */
export const SecondSide = createContext(false);

/** Distinguishes one of two transactions on a page. */
export interface Side {
  readonly id: (name: string) => string;
  readonly label: (text: string) => string;
}

const FIRST: Side = { id: (name) => name, label: (text) => text };
const SECOND: Side = { id: (name) => `${name}-second`, label: (text) => `${text} (second transaction)` };

/** The side that the component stands on. */
export function useSide(): Side {
  return useContext(SecondSide) ? SECOND : FIRST;
}
