/** Converts the call tree into rows: calls, each with its events and changes in order, without folded parts. */
import type { Call } from "../../rpc/types.ts";
import type { Change, Event, WholeTransaction } from "../load.ts";

/** A row; `id` stays the same while other rows are folded. */
export type TreeRow = { readonly depth: number; readonly id: string } & (
  | { readonly what: "call"; readonly call: Call; readonly isFolded: boolean; readonly hasMore: boolean }
  | { readonly what: "event"; readonly event: Event; readonly call: Call }
  | { readonly what: "change"; readonly change: Change }
  | { readonly what: "result"; readonly call: Call }
);

interface Contents {
  readonly children: Call[];
  readonly changes: Change[];
}

/** Calls and changes of each call, by index. */
type Index = ReadonlyMap<number, Contents>;

/** @param folded - indexes of the folded calls */
export function treeRows(whole: WholeTransaction, folded: ReadonlySet<number>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const [outermost] = whole.calls;
  if (outermost !== undefined) addCall(rows, { call: outermost, whole, folded, index: indexOf(whole) });
  return rows;
}

function indexOf({ calls, changes }: WholeTransaction): Index {
  const index = new Map<number, Contents>(calls.map((call) => [call.index, { children: [], changes: [] }]));
  for (const call of calls) index.get(call.parent)?.children.push(call);
  for (const change of changes) index.get(change.call)?.changes.push(change);
  return index;
}

interface Place {
  readonly call: Call;
  readonly whole: WholeTransaction;
  readonly folded: ReadonlySet<number>;
  readonly index: Index;
}

function addCall(rows: TreeRow[], place: Place): void {
  const { call, whole, folded, index } = place;
  const { children, changes } = index.get(call.index) ?? { children: [], changes: [] };
  const hasResult =
    (call.failure !== null || call.result !== "") && !isPassedOn(call, children, whole.calls[call.parent]);
  const hasMore = children.length + changes.length + call.logs.length > 0 || hasResult;
  const isFolded = folded.has(call.index);
  const { depth } = call;
  rows.push({ what: "call", call, depth, isFolded, hasMore: hasMore && call.printed === null, id: `c${call.index}` });
  if (isFolded || call.printed !== null) return;
  const contents = new ContentRows(rows, place, { children, changes });
  for (const child of children) {
    contents.addUpTo(child);
    addCall(rows, { call: child, whole, folded, index });
  }
  contents.addUpTo(undefined);
  if (hasResult) rows.push({ what: "result", call, depth: depth + 1, id: `r${call.index}` });
}

/**
 * True for a failure that an inner call had, and that the call around has, too. Only the innermost and the outermost of
 * a recursion show it.
 */
function isPassedOn({ failure, output }: Call, children: readonly Call[], outer: Call | undefined): boolean {
  const isSame = (other: Call | undefined): boolean => other?.failure === failure && other?.output === output;
  return failure !== null && isSame(outer) && children.some(isSame);
}

/** Adds the events and changes of a call, at their place between its inner calls. */
class ContentRows {
  readonly #rows: TreeRow[];
  readonly #place: Place;
  readonly #changes: readonly Change[];
  #nextChange = 0;
  #nextLog = 0;
  #position = 0;

  constructor(rows: TreeRow[], place: Place, { changes }: Contents) {
    this.#rows = rows;
    this.#place = place;
    const isTransfer = ({ what }: Change): boolean => what === "transfer";
    this.#changes = [...changes.filter(isTransfer), ...changes.filter((change) => !isTransfer(change))];
  }

  /** Adds everything that happened before a call; without a call, everything up to the end. */
  addUpTo(child: Call | undefined): void {
    const { call, whole } = this.#place;
    const depth = call.depth + 1;
    const firstStep = child?.steps[0] ?? Number.POSITIVE_INFINITY;
    for (let change = this.#changes[this.#nextChange]; change !== undefined; change = this.#changes[this.#nextChange]) {
      if (change.what === "storage" && change.step >= firstStep) break;
      this.#rows.push({ what: "change", change, depth, id: `s${call.index}-${this.#nextChange++}` });
    }
    const isUndone = whole.isUndone[call.index] === true;
    for (let log = call.logs[this.#nextLog]; log !== undefined; log = call.logs[this.#nextLog]) {
      if (child !== undefined && log.position > this.#position) break;
      this.#rows.push({
        what: "event",
        event: { ...log, isUndone },
        call,
        depth,
        id: `e${call.index}-${this.#nextLog++}`,
      });
    }
    this.#position++;
  }
}

/** The text of a row that the search looks at. */
export function textOfRow(row: TreeRow): string {
  if (row.what === "event") return `${row.event.text ?? row.event.topics.join(" ")}`;
  if (row.what === "change") {
    const { change } = row;
    return change.what === "storage"
      ? `${change.account} ${change.slot} ${change.before} ${change.after} ${change.variables.map(({ name, before, after }) => `${name} ${before} ${after}`).join(" ")}`
      : `${change.isSelfDestruct ? "SELFDESTRUCT" : "ether"} ${change.from} ${change.to} ${change.value}`;
  }
  const { call } = row;
  if (row.what === "result") return call.failure ?? call.result;
  return [call.contract, call.function, call.arguments, call.printed, call.to, call.from].join(" ");
}
