// The tables that papers hold of what the sources say. Pure: values to text.

/** Methods by namespace, each with its other names: `| method | what it does |`. */
export function methodTable(methods) {
  const list = [...methods];
  const rows = list.filter(({ aliasOf }) => aliasOf === undefined);
  const namesOf = ({ name }) => [name, ...list.filter(({ aliasOf }) => aliasOf === name).map((alias) => alias.name)];
  return table(
    ["Method", "What it does"],
    rows
      .sort((left, right) => (left.name < right.name ? -1 : 1))
      .map((row) => [
        namesOf(row)
          .map((name) => `\`${name}\``)
          .join(", "),
        row.summary,
      ]),
  );
}

/** Errors grouped by class and JSON-RPC number, in the catalogue's order. */
export function errorTable(catalogue) {
  const groups = new Map();
  for (const [code, { family, rpcCode }] of Object.entries(catalogue)) {
    const key = `${family}Error ${rpcCode}`;
    groups.set(key, [...(groups.get(key) ?? []), code]);
  }
  return table(
    ["Class", "JSON-RPC", "`error.code` in the library"],
    [...groups].map(([key, codes]) => [...key.split(" "), codes.map((code) => `\`${code}\``).join(", ")]),
  );
}

/** Tables of the chain store: what a key is made of and what its value holds. */
export function storeTable(tables) {
  return table(
    ["Table", "Prefix", "Key", "Value"],
    Object.entries(tables).map(([name, { prefix, key, value }]) => [
      `\`${name}\``,
      `\`${prefix.toString(16).padStart(2, "0")}\``,
      key.join(", "),
      value === "" ? "empty" : value.replaceAll("|", "\\|"),
    ]),
  );
}

/**
 * The text with what stands between `<!-- name -->` and `<!-- /name -->` replaced.
 *
 * @throws {Error} if the text has no such markers
 */
export function replaceBetween(text, name, content) {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`no markers for ${name}`);
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`;
}

function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
