// The tables that papers hold of what the sources say. Pure: values to text.
import ts from "typescript";

/** Methods by namespace, each with its params and its other names: `| method | what it does |`. */
export function methodTable(methods) {
  const list = [...methods];
  const rows = list.filter(({ aliasOf }) => aliasOf === undefined);
  const paramsOf = ({ params }) => params.map(({ name, fallback }) => (fallback === undefined ? name : `${name}?`));
  const namesOf = (row) => [
    `${row.name}(${paramsOf(row).join(", ")})`,
    ...list.filter(({ aliasOf }) => aliasOf === row.name).map((alias) => alias.name),
  ];
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

/**
 * Members of an interface, with their comments: `| option | type | what it says |`.
 *
 * @param {string} source the file that declares it
 * @param {string} name of the interface
 * @param {Record<string, string>} aliases types that are shown as they are declared, by name
 */
export function memberTable(source, name, aliases = {}) {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.ES2022, true);
  const declared = file.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (declared === undefined) throw new Error(`The file declares no interface ${name}.`);
  const oneLine = (text) => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return table(
    ["Option", "Type", "Meaning"],
    declared.members.map((member) => [
      `\`${member.name.getText(file)}\``,
      `\`${oneLine(withAliases(member.type.getText(file), aliases))}\``,
      oneLine(commentOf(member)),
    ]),
  );
}

/** A type with the declared form of those that it names. */
function withAliases(type, aliases) {
  return Object.entries(aliases).reduce((text, [name, declared]) => {
    const isPart = text !== name && declared.includes(" | ");
    return text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), () => (isPart ? `(${declared})` : declared));
  }, type);
}

/**
 * The declared forms of types, by name. A type of the members of a list, such as `(typeof NAMES)[number]`, is a union of them.
 *
 * @param {(path: string) => string} read a source
 * @param {Record<string, string>} paths where each type is declared, by name
 */
export function aliasTexts(read, paths) {
  return Object.fromEntries(
    Object.entries(paths).map(([name, path]) => {
      const source = read(path);
      const [, declared = ""] = new RegExp(`export type ${name} =\\s*([\\s\\S]*?);\\n`).exec(source) ?? [];
      const [, list] = /^\(typeof (\w+)\)\[number\]$/.exec(declared) ?? [];
      const [, members] = list === undefined ? [] : (new RegExp(`const ${list} = \\[([^\\]]*)\\]`).exec(source) ?? []);
      const text = members === undefined ? declared : members.match(/"[^"]+"/g)?.join(" | ");
      if (!text) throw new Error(`${path} declares no type ${name}.`);
      return [name, text.replaceAll(/\s+/g, " ").replaceAll("readonly ", "")];
    }),
  );
}

function commentOf(member) {
  const [comment] = member.jsDoc ?? [];
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  return text.replaceAll(/\{@link ([^}]+)\}/g, "`$1`").replaceAll("<", "&lt;");
}

/** Interfaces that docs/node-options.md shows, and the files that declare them. */
export const OPTION_TYPES = {
  NodeOptions: "src/node/options/options.ts",
  AccountOptions: "src/node/options/options.ts",
  FundedAccountOptions: "src/node/options/options.ts",
  ForkOptions: "src/node/options/fork-options.ts",
  SimulationLimits: "src/services/simulate/call/simulation.ts",
  EngineLimits: "src/evm/engine.ts",
  TxPoolLimits: "src/txpool/tx-pool.ts",
  ListenOptions: "src/node/options/options.ts",
  ListenIpcOptions: "src/node/options/options.ts",
};

/** Types that these interfaces name and docs/node-options.md shows as they are declared, and the files that declare them. */
export const OPTION_ALIASES = {
  Dialect: "src/node/options/dialect.ts",
  EngineName: "src/evm/engine.ts",
  HardforkStarts: "src/chainspec/genesis/later-hardforks.ts",
  MiningMode: "src/miner/miner.ts",
  MiningInterval: "src/miner/miner.ts",
  PredeployName: "src/chainspec/genesis/predeploys/predeploys.ts",
  ResponseShape: "src/rpc/encode/shape.ts",
  TraceClient: "src/tracer/formats/flat-errors.ts",
  TransactionOrder: "src/txpool/price-order.ts",
};

/** Answers of methods to the examples of their entries, as JSON. */
export function exampleAnswers(answers, names) {
  return names
    .map((name) => `The answer of \`${name}\`:\n\n\`\`\`json\n${JSON.stringify(answers[name], null, 2)}\n\`\`\``)
    .join("\n\n");
}

/** Methods whose answers docs/trace-formats.md shows. */
export const SHOWN_TRACES = ["trace_transaction", "trace_callMany", "debug_traceTransaction"];

/** Points on which clients differ, with what each of them does. */
export function pointTable(points, columns, wordsOf) {
  const title = (name) => ({ hindcast: "Hindcast", anvil: "Anvil 1.7.1" })[name] ?? name;
  return table(
    ["Point", ...columns.map(title)],
    points.map((point) => [point.about, ...columns.map((column) => wordsOf(point, column))]),
  );
}

/** Errors in the catalogue's order, with how to fix them where that does not depend on the request. */
export function errorTable(catalogue) {
  return table(
    ["`error.code` in the library", "JSON-RPC", "Class", "How to fix it"],
    Object.entries(catalogue).map(([code, { family, rpcCode, fix = "see the message" }]) => [
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

/** What is limited without an option: the rows of SECURITY.md that say so. */
export function fixedLimitTable(security) {
  const rows = [...security.matchAll(/^\| (.+) \| fixed: (.+) \| ([\d,]+) \|$/gm)];
  return table(
    ["Limited quantity", "Name", "Limit"],
    rows.map(([, what, name, value]) => [what, name, value]),
  );
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
