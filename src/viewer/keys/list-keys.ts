/** The keys that move along a list. */

/** The row that a key leads to; undefined for other keys. `page` is the number of rows of a page. */
export function movedBy(key: string, current: number, count: number, page: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}
