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

/** Errors in the catalogue's order, with how to mend them where that does not depend on the request. */
export function errorTable(catalogue) {
  return table(
    ["`error.code` in the library", "JSON-RPC", "Class", "How to mend it"],
    Object.entries(catalogue).map(([code, { family, rpcCode, fix = "said in the message" }]) => [
      `\`${code}\``,
      String(rpcCode),
      `${family}Error`,
      fix.replaceAll("|", "\\|"),
    ]),
  );
}

/**
 * Options of the command by group: flag, environment variable, member of the configuration file, meaning.
 *
 * @param {{ NAMES: readonly string[], FLAGS: Record<string, { flags: string, help: string }>, groupOf: (name: any) => string }} flags
 * @param {(name: any) => string} variableOf the environment variable of an option
 */
export function optionTable({ NAMES, FLAGS, groupOf }, variableOf) {
  const groups = groupedBy(NAMES, groupOf);
  return [...groups]
    .map(([group, names]) => {
      const rows = names.map((name) => [
        `\`${FLAGS[name].flags}\``.replaceAll("|", "\\|"),
        `\`${variableOf(name)}\``,
        // The file cannot name itself.
        name === "config" ? "–" : `\`${name}\``,
        FLAGS[name].help.replaceAll("|", "\\|").replaceAll("<", "&lt;"),
      ]);
      return `## ${group}\n\n${table(["Flag", "Environment", "Configuration file", "What it does"], rows)}`;
    })
    .join("\n\n");
}

function groupedBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Behaviours of dialects: what they concern, the answer of each dialect, the source. */
export function dialectTable(behaviours, dialects) {
  const shown = (value) => (value === undefined ? "none" : typeof value === "string" ? value : `\`${value}\``);
  return table(
    ["Behaviour", ...dialects, "Learned from"],
    Object.values(behaviours).map(({ about, source, of }) => [
      about,
      ...dialects.map((name) => shown(of[name])),
      source,
    ]),
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
