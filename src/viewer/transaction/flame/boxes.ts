/** Computes the flame graph: each call is a box with a width by its gas, and its own calls are below it. */
import type { Call } from "../../rpc/types.ts";

export interface Box {
  readonly call: Call;
  /** Left edge and width, as shares of the total width. */
  readonly left: number;
  readonly width: number;
  /** Number of rows below the outermost call that is shown. */
  readonly row: number;
  /** Gas used by the call itself, without the calls it made. */
  readonly own: bigint;
}

/** Least width as a share of the total. Narrower boxes are left out with all boxes below them. */
const LEAST_WIDTH = 0.0008;

/** @param root - index of the call that has the full width */
export function flameBoxes(calls: readonly Call[], root: number): readonly Box[] {
  const outermost = calls[root];
  if (outermost === undefined) return [];
  const children = new Map<number, Call[]>();
  for (const call of calls) {
    const list = children.get(call.parent) ?? [];
    if (list.length === 0) children.set(call.parent, list);
    list.push(call);
  }
  const whole = Number(BigInt(outermost.gasUsed)) || 1;
  const boxes: Box[] = [];
  const place = (call: Call, left: number, row: number): void => {
    const gas = BigInt(call.gasUsed);
    const width = Number(gas) / whole;
    if (width < LEAST_WIDTH && row > 0) return;
    const below = children.get(call.index) ?? [];
    const own = below.reduce((rest, { gasUsed }) => rest - BigInt(gasUsed), gas);
    boxes.push({ call, left, width: Math.min(width, 1 - left), row, own });
    let next = left;
    for (const child of below) {
      place(child, next, row + 1);
      next += Number(BigInt(child.gasUsed)) / whole;
    }
  };
  place(outermost, 0, 0);
  return boxes;
}

/** Converts the calls into a speedscope profile in gas: https://www.speedscope.app/file-format-schema.json. */
export function speedscope(name: string, calls: readonly Call[]): string {
  const frames = calls.map((call) => ({ name: nameOf(call) }));
  const events: { type: "O" | "C"; frame: number; at: number }[] = [];
  const open: { call: Call; end: number; next: number }[] = [];
  const close = (parent: number): void => {
    for (let last = open.at(-1); last !== undefined && last.call.index !== parent; last = open.at(-1)) {
      events.push({ type: "C", frame: last.call.index, at: last.end });
      open.pop();
    }
  };
  for (const call of calls) {
    close(call.parent);
    const around = open.at(-1);
    const at = around?.next ?? 0;
    const end = Math.min(at + Number(BigInt(call.gasUsed)), around?.end ?? Number.POSITIVE_INFINITY);
    if (around !== undefined) around.next = end;
    events.push({ type: "O", frame: call.index, at });
    open.push({ call, end, next: at });
  }
  close(-1);
  const endValue = Number(BigInt(calls[0]?.gasUsed ?? "0x0"));
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json",
    shared: { frames },
    profiles: [{ type: "evented", name, unit: "none", startValue: 0, endValue, events }],
  });
}

/** Name of the contract and the function. */
export function nameOf({ contract, function: called, kind }: Call): string {
  const plain = contract.replace(/@0x[0-9a-fA-F]{40}$/, "");
  const owner = plain.startsWith("0x") ? `${plain.slice(0, 8)}…` : plain;
  return `${owner}${called === null ? (kind.startsWith("create") ? " (creation)" : "") : `.${called}`}`;
}
