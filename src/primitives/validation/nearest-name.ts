/** Finds the known name that is most similar to a mistyped one. */

/**
 * The name with the smallest edit distance, ignoring case; the first of several.
 *
 * @returns undefined if the distance is more than a third of the name's length. A distance of two, such as swapped
 * letters, is always accepted for names of at least four letters
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

/** A sentence with the most similar known name, or with all of them. */
export function nameHint(given: string, names: readonly string[]): string {
  const near = nearestName(given, names);
  return near === undefined ? `Use some of: ${names.join(", ")}.` : `Did you mean ${near}?`;
}

/** Number of characters to insert, delete or replace (Levenshtein distance). */
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
