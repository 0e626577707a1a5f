/** The known name that somebody who mistyped one probably meant. */

/**
 * The name that takes the fewest changes of one character, capitals aside; the first of several.
 *
 * @returns undefined where each would take more than a third of its length, but two changes (swapped letters) are
 * never too many for a name of four letters or more
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const most = Math.max(name.length > 3 ? 2 : 1, Math.floor(name.length / 3));
    if (Math.abs(name.length - given.length) > most) continue;
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance > most || distance >= least) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

/** Characters to insert, delete or replace to make one text of the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const above = row;
    row = [line];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[to.length] ?? from.length;
}
