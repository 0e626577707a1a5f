/** Computes a flame graph: each node is a box with a width by its gas, and the nodes it called are below it. */

/** A call, or a function of a contract. Nodes are listed so that each comes after its parent. */
export interface FlameNode {
  /** Its place in the list. */
  readonly index: number;
  /** Index of the node that called it; -1 for the outermost. */
  readonly parent: number;
  readonly name: string;
  /** Gas of the node and of the nodes below it. */
  readonly gas: number;
  /** Class of the box, which sets its colour. */
  readonly tone: string;
}

/** A node at its place in the graph. */
export interface Box {
  readonly node: FlameNode;
  /** Left edge and width, as shares of the total width. */
  readonly left: number;
  readonly width: number;
  /** Number of rows below the outermost node that is shown. */
  readonly row: number;
  /** Gas used by the node itself, without the nodes below it. */
  readonly own: number;
}

/** Least width as a share of the total. Narrower boxes are left out with all boxes below them. */
const LEAST_WIDTH = 0.0008;

/** @param root - index of the node that has the full width */
export function flameBoxes(nodes: readonly FlameNode[], root: number): readonly Box[] {
  const outermost = nodes[root];
  if (outermost === undefined) return [];
  const children = new Map<number, FlameNode[]>();
  for (const node of nodes) {
    const list = children.get(node.parent) ?? [];
    if (list.length === 0) children.set(node.parent, list);
    list.push(node);
  }
  const whole = outermost.gas || 1;
  const boxes: Box[] = [];
  const place = (node: FlameNode, left: number, row: number): void => {
    const width = node.gas / whole;
    if (width < LEAST_WIDTH && row > 0) return;
    const below = children.get(node.index) ?? [];
    const own = below.reduce((rest, { gas }) => rest - gas, node.gas);
    boxes.push({ node, left, width: Math.min(width, 1 - left), row, own });
    let next = left;
    for (const child of below) {
      place(child, next, row + 1);
      next += child.gas / whole;
    }
  };
  place(outermost, 0, 0);
  return boxes;
}

/** Converts nodes into a speedscope profile in gas: https://www.speedscope.app/file-format-schema.json. */
export function speedscope(name: string, nodes: readonly FlameNode[]): string {
  const events: { type: "O" | "C"; frame: number; at: number }[] = [];
  const open: { node: FlameNode; end: number; next: number }[] = [];
  const close = (parent: number): void => {
    for (let last = open.at(-1); last !== undefined && last.node.index !== parent; last = open.at(-1)) {
      events.push({ type: "C", frame: last.node.index, at: last.end });
      open.pop();
    }
  };
  for (const node of nodes) {
    close(node.parent);
    const around = open.at(-1);
    const at = around?.next ?? 0;
    const end = Math.min(at + node.gas, around?.end ?? Number.POSITIVE_INFINITY);
    if (around !== undefined) around.next = end;
    events.push({ type: "O", frame: node.index, at });
    open.push({ node, end, next: at });
  }
  close(-1);
  return JSON.stringify({
    $schema: "https://www.speedscope.app/file-format-schema.json",
    shared: { frames: nodes.map((node) => ({ name: node.name })) },
    profiles: [{ type: "evented", name, unit: "none", startValue: 0, endValue: nodes[0]?.gas ?? 0, events }],
  });
}
