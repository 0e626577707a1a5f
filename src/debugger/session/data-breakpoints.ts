/** Breakpoints at state variables and slots: the steps that write them. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { scalarOf } from "../../explain/storage/value-text.ts";
import type { StorageHistory } from "../values/storage-history.ts";
import { parsePlaceId, placeId, type StoragePlace } from "../values/storage-place.ts";
import type { ValueNode } from "../values/value-node.ts";

const WORD_BYTES = 32;

/** The answer to a client that wants to break at a value; without an id if the value has no place in storage. */
export function dataBreakpointInfo(
  name: string,
  node: ValueNode | undefined,
): DebugProtocol.DataBreakpointInfoResponse["body"] {
  if (node?.storage !== undefined) {
    return { dataId: placeId(node.storage), description: name, accessTypes: ["write"], canPersist: true };
  }
  const reason =
    node?.children === undefined ? "it is not in storage" : "it has no slot of its own, but its parts have";
  return { dataId: null, description: `${name}: ${reason}` };
}

/** The answer for each breakpoint, and the steps of all writes at which they halt. */
export async function placeDataBreakpoints(
  breakpoints: readonly DebugProtocol.DataBreakpoint[],
  history: StorageHistory,
): Promise<{ readonly breakpoints: DebugProtocol.Breakpoint[]; readonly steps: ReadonlySet<number> }> {
  const steps = new Set<number>();
  const answers: DebugProtocol.Breakpoint[] = [];
  for (const { dataId, accessType = "write" } of breakpoints) {
    const place = accessType === "write" ? parsePlaceId(dataId) : undefined;
    const found = place === undefined ? undefined : await writesOf(place, history);
    for (const step of found ?? []) steps.add(step);
    answers.push({ verified: found !== undefined, ...messageFor(found) });
  }
  return { breakpoints: answers, steps };
}

function messageFor(found: readonly number[] | undefined): { readonly message?: string } {
  if (found === undefined) return { message: "Only writes to storage can be broken at." };
  return found.length === 0 ? { message: "The transaction does not write it." } : {};
}

/** Steps that write a place. A value that shares its slot is written when its bytes change. */
async function writesOf(place: StoragePlace, history: StorageHistory): Promise<readonly number[]> {
  const { account, isTransient, offset, bytes } = place;
  const found: number[] = [];
  for (const { step, slot, value } of history.writesTo(place)) {
    if (bytes === WORD_BYTES) found.push(step);
    else {
      const [before] = isTransient
        ? [history.readTransient(account, slot, step)]
        : await history.read(account, [slot], step);
      const isSame = before !== undefined && scalarOf({ bytes }, before, offset) === scalarOf({ bytes }, value, offset);
      if (!isSame) found.push(step);
    }
  }
  return found;
}
