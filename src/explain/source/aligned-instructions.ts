/** Finds the instructions that two similar codes have in common (Myers, "An O(ND) Difference Algorithm", 1986). */

/** Most instructions that only one of the codes has; beyond it the codes count as unrelated. */
const MOST_DIFFERENCES = 3_000;

/** For each instruction of the left code: its index in the right one, or -1. */
export type Alignment = Int32Array;

/**
 * A longest common sequence.
 *
 * @param lengths - numbers of instructions
 * @param isEqual - compares an instruction of the left code with one of the right
 * @returns undefined if too much differs
 */
export function alignInstructions(
  [left, right]: readonly [number, number],
  isEqual: (left: number, right: number) => boolean,
): Alignment | undefined {
  const frontiers: Int32Array[] = [];
  // By diagonal (left minus right): the furthest left index that was reached.
  let frontier = new Int32Array([0]);
  for (let differences = 0; differences <= Math.min(left + right, MOST_DIFFERENCES); differences++) {
    const next = new Int32Array(2 * differences + 1);
    for (let step = 0; step <= 2 * differences; step += 2) {
      const diagonal = step - differences;
      let x = differences === 0 ? 0 : begin(frontier, differences, diagonal);
      while (x < left && x - diagonal < right && x - diagonal >= 0 && isEqual(x, x - diagonal)) x++;
      next[step] = x;
      if (x >= left && x - diagonal >= right) return traced([...frontiers, next], [left, right]);
    }
    frontiers.push(next);
    frontier = next;
  }
  return undefined;
}

/** The furthest left index on a diagonal after one more difference, without the equal instructions that follow. */
function begin(frontier: Int32Array, differences: number, diagonal: number): number {
  return isFromAbove(frontier, differences, diagonal)
    ? reached(frontier, differences, diagonal + 1)
    : reached(frontier, differences, diagonal - 1) + 1;
}

/** True if the difference is an instruction of the right code. */
function isFromAbove(frontier: Int32Array, differences: number, diagonal: number): boolean {
  if (diagonal === -differences) return true;
  if (diagonal === differences) return false;
  return reached(frontier, differences, diagonal - 1) < reached(frontier, differences, diagonal + 1);
}

function reached(frontier: Int32Array, differences: number, diagonal: number): number {
  return frontier[diagonal + differences - 1] ?? -1;
}

function traced(frontiers: readonly Int32Array[], [left, right]: readonly [number, number]): Alignment {
  const alignment = new Int32Array(left).fill(-1);
  let [x, y] = [left, right];
  for (let differences = frontiers.length - 1; differences >= 0; differences--) {
    const frontier = frontiers[differences - 1];
    const diagonal = x - y;
    const start = frontier === undefined ? 0 : begin(frontier, differences, diagonal);
    while (x > start) {
      x--;
      y--;
      alignment[x] = y;
    }
    if (frontier === undefined) break;
    if (isFromAbove(frontier, differences, diagonal)) y--;
    else x--;
  }
  return alignment;
}
