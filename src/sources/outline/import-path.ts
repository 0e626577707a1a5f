/** Finds the source that an import names. */

/** The sources that there are, and the compiler's remappings. */
export interface ImportPlaces {
  readonly remappings: readonly string[];
  has(path: string): boolean;
}

/**
 * The path of an imported source; undefined if there is none.
 *
 * @param from - the path of the importing source
 * @see https://docs.soliditylang.org/en/latest/path-resolution.html
 */
export function importPath(name: string, from: string, { remappings, has }: ImportPlaces): string | undefined {
  const absolute = /^\.\.?\//.test(name) ? joined(from, name) : name;
  let best = "";
  let result = absolute;
  for (const remapping of remappings) {
    const [, context = "", prefix = "", target = ""] = /^(?:([^:=]*):)?([^=]*)=(.*)$/.exec(remapping) ?? [];
    if (prefix === "" || !from.startsWith(context) || !absolute.startsWith(prefix) || prefix.length < best.length)
      continue;
    [best, result] = [prefix, target + absolute.slice(prefix.length)];
  }
  return [result, absolute].find(has);
}

function joined(from: string, name: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
