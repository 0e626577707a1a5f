/**
 * The house: which room may import which. This table and the one in ARCHITECTURE.md change together.
 *
 * A file may import its own room and rooms of a strictly lower rank; type imports count. Packages of EthereumJS and
 * LevelDB are confined to the rooms that wrap them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { COUNTERPARTS } from "../.ci/browser.mjs";
import { HARDFORKS } from "../src/chainspec/hardforks/hardforks.ts";
import { HOUSE_WORDS, messagesOf, phrasesIn } from "./support/wording.ts";

const RANKS: Readonly<Record<string, number>> = {
  "index.ts": 13,
  cli: 13,
  testing: 13,
  browser: 13,
  playground: 13,
  node: 12,
  viewer: 12,
  rpc: 11,
  "services/query": 10,
  "services/simulate": 10,
  "services/submit": 10,
  "services/control": 10,
  miner: 9,
  txpool: 8,
  chain: 7,
  executor: 6,
  debugger: 6,
  sources: 6,
  "engines/wasm": 5,
  "engines/ethereumjs": 5,
  state: 5,
  sharing: 5,
  explain: 5,
  store: 4,
  remote: 4,
  tracer: 4,
  evm: 3,
  chainspec: 2,
  keyring: 2,
  server: 2,
  sandbox: 2,
  primitives: 1,
  errors: 0,
};

/** AssemblyScript: another language in the same letters. Its imports name no extension. */
const CORES: readonly string[] = ["engines/wasm/core/", "primitives/curves/core/", "primitives/hash/core/"];
const isInCore = (path: string): boolean => CORES.some((folder) => path.startsWith(folder));
/** Lines of a file of a core. */
const MOST_CORE_LINES = 300;

/** Rooms of which several stand in one folder. */
const SHARED_FOLDERS: readonly string[] = ["services", "engines"];

/** Packages that only some rooms may import. */
const PACKAGE_RULES: readonly {
  readonly name: RegExp;
  readonly rooms: (room: string) => boolean;
  readonly rule: string;
}[] = [
  {
    name: /^@ethereumjs\/(?:vm|evm)$/,
    rooms: (room) => room === "engines/ethereumjs",
    rule: "@ethereumjs/vm and /evm are imported in engines/ethereumjs/ only",
  },
  {
    name: /^@ethereumjs\/(?:statemanager|mpt)$/,
    rooms: () => false,
    rule: "@ethereumjs/statemanager and /mpt are imported by tests only",
  },
  {
    name: /^@ethereumjs\/(?:block|tx|common)$/,
    rooms: (room) => (RANKS[room] ?? 0) >= 2,
    rule: "@ethereumjs/block, /tx and /common are imported from rank 2 up",
  },
  {
    name: /^(?:level|classic-level|abstract-level)$/,
    rooms: (room) => room === "store",
    rule: "LevelDB is imported in store/ only",
  },
  {
    name: /^ws$/,
    rooms: (room) => room === "server" || room === "remote",
    rule: "ws is imported in server/ and remote/ only",
  },
  {
    name: /^(?:commander|cli-progress|jiti|pino)$/,
    rooms: (room) => room === "cli",
    rule: "what reads configuration or prints is imported in cli/ only",
  },
  {
    name: /^@vscode\/debugadapter$/,
    rooms: (room) => room === "cli",
    rule: "@vscode/debugadapter is imported in cli/ only",
  },
  {
    name: /^pg(?:-boss)?$/,
    rooms: (room) => room === "sharing",
    rule: "pg and pg-boss are imported in sharing/ only",
  },
  {
    name: /^preact$/,
    rooms: (room) => room === "viewer" || room === "playground",
    rule: "preact is imported in viewer/ and playground/ only",
  },
  {
    name: /^(?:vitest|fast-check)$/,
    rooms: (room) => room === "testing",
    rule: "test runners and fast-check are imported in testing/ only",
  },
];

/**
 * Where Node's own modules and globals stand; everything else would run in a browser, too. The store's backends hold
 * LevelDB; a fork's cache is a folder and its transports are sockets; JavaScript tracers run in threads.
 */
const PLATFORM_FOLDERS: readonly string[] = [
  "primitives/platform",
  "store/backends",
  "remote/cache",
  "remote/transport",
  "tracer/script/thread",
  "server",
  "cli",
  "testing",
];
const PLATFORM_GLOBALS: ReadonlySet<string> = new Set([
  "Buffer",
  "NodeJS",
  "process",
  "setImmediate",
  "require",
  "global",
]);
/** A method that only Node's timers have. */
const PLATFORM_METHODS: ReadonlySet<string> = new Set(["unref"]);

/** Packages that package.json lists for development only: they are bundled, or only types are imported. */
const WITHOUT_ENTRY: Readonly<Record<string, string>> = {
  hindcast: "this package, as pages take it",
  preact: "bundled",
  "@noble/hashes": "bundled",
  "@vscode/debugprotocol": "types",
};

/** Source files of a folder: beyond that, subjects get folders of their own. */
const MOST_FILES = 20;
/** Source files and folders of a folder: below that, they join their parent. */
const FEWEST_ENTRIES = 3;

/** Lines of a file. A longer one says in its header why it is not split. */
const MOST_LINES = 300;
const SAYS_WHY = /\bover 300 lines\b/;
/** Lines of a function: a screen. Pages of the explorer, which are markup, may have more, and these. */
const MOST_FUNCTION_LINES = 60;
const LONG_FUNCTIONS: readonly string[] = [
  // Connect what they build, step by step, or list it.
  "node/backend.ts: connect",
  "testing/fixture.ts: createFixture",
  "cli/options/settings.ts: toSettings",
];

const source = fileURLToPath(new URL("../src/", import.meta.url));

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(source, "../package.json"), "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

interface Import {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  /** True for `import type`. */
  readonly isType: boolean;
}

interface SourceFile {
  readonly path: string;
  readonly imports: readonly Import[];
  readonly tree: ts.SourceFile;
}

const paths: readonly string[] = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));

const files: readonly SourceFile[] = paths.filter((path) => !isInCore(path)).map(readSource);
const coreFiles: readonly SourceFile[] = paths.filter(isInCore).map(readSource);

function readSource(path: string): SourceFile {
  const tree = ts.createSourceFile(path, readFileSync(join(source, path), "utf8"), ts.ScriptTarget.ES2022, true);
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      const isType = ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === true;
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      imports.push({ file: path, line, specifier, isType });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { path, imports, tree };
}

/** The module that a node names: import, export … from, import(…), or import("…").Type. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
      ? node.moduleSpecifier.text
      : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return node.argument.literal.text;
  }
  return undefined;
}

/** The room of a file under src/: its first folder, or its first two where several rooms share a folder. */
function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return SHARED_FOLDERS.includes(first) ? `${first}/${second}` : first;
}

/** The file in whose place a counterpart for browsers stands; any other file itself. */
const nodesFileOf = (path: string): string =>
  Object.entries(COUNTERPARTS).find(([, counterpart]) => counterpart === path)?.[0] ?? path;

const isRelative = (specifier: string): boolean => specifier.startsWith(".");
const targetOf = ({ file, specifier }: Import): string => join(dirname(file), specifier);
const at = ({ file, line }: Pick<Import, "file" | "line">): string => `src/${file}:${line}`;

describe("every import in src/", () => {
  const imports = files.flatMap((file) => file.imports);

  it("comes from a room that is in the table", () => {
    expect(files.map((file) => roomOf(file.path)).filter((room) => RANKS[room] === undefined)).toEqual([]);
  });

  it("names its own room or one of lower rank", () => {
    const broken = imports
      .filter((entry) => isRelative(entry.specifier))
      .flatMap((entry) => {
        const [from, to] = [roomOf(entry.file), roomOf(targetOf(entry))];
        if (from === to || (RANKS[from] ?? -1) > (RANKS[to] ?? 99)) return [];
        return [`${at(entry)}: ${from}/ (rank ${RANKS[from]}) may not import ${to}/ (rank ${RANKS[to]})`];
      });
    expect(broken).toEqual([]);
  });

  it("names an engine from node/ alone", () => {
    const broken = imports
      .filter((entry) => isRelative(entry.specifier))
      .filter((entry) => roomOf(targetOf(entry)).startsWith("engines/"))
      .filter(({ file }) => !["node", "engines/wasm", "engines/ethereumjs"].includes(roomOf(nodesFileOf(file))));
    expect(broken.map((entry) => `${at(entry)}: ${entry.specifier}`)).toEqual([]);
  });

  it("of a browser's counterpart names its own room, or one that the file in whose place it stands may name", () => {
    const broken = imports
      .filter((entry) => isRelative(entry.specifier) && nodesFileOf(entry.file) !== entry.file)
      .flatMap((entry) => {
        const [from, to] = [roomOf(nodesFileOf(entry.file)), roomOf(nodesFileOf(targetOf(entry)))];
        return from === to || to === "browser" || (RANKS[from] ?? -1) > (RANKS[to] ?? 99)
          ? []
          : [`${at(entry)}: ${to}/`];
      });
    expect(broken).toEqual([]);
  });

  it("of a service reads the chain by its ports", () => {
    const broken = imports
      .filter((entry) => isRelative(entry.specifier) && entry.file.startsWith("services/"))
      .filter((entry) => targetOf(entry) === "chain/chain.ts");
    expect(broken.map((entry) => `${at(entry)}: chain/readable-chain.ts has what services read`)).toEqual([]);
  });

  it("of the explorer names another room only for the table of instructions and for the types of answers", () => {
    const broken = imports
      .filter((entry) => isRelative(entry.specifier) && roomOf(entry.file) === "viewer")
      .filter((entry) => !["viewer", "evm"].includes(roomOf(targetOf(entry))))
      .filter((entry) => targetOf(entry) !== "rpc/wire-types.generated.ts" || !entry.isType);
    expect(broken.map((entry) => `${at(entry)}: ${entry.specifier}`)).toEqual([]);
  });

  it("names a package only where that package belongs", () => {
    const broken = imports
      .filter((entry) => !isRelative(entry.specifier))
      .flatMap((entry) =>
        PACKAGE_RULES.filter(({ name, rooms }) => name.test(entry.specifier) && !rooms(roomOf(entry.file))).map(
          ({ rule }) => `${at(entry)}: ${entry.specifier}: ${rule}`,
        ),
      );
    expect(broken).toEqual([]);
  });

  it("names a package that package.json lists, a part of Node, or a file with its extension", () => {
    const packageOf = (specifier: string): string =>
      specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
    const listed: Readonly<Record<string, unknown>> = { ...dependencies, ...peerDependencies, ...WITHOUT_ENTRY };
    const broken = imports.filter(({ specifier }) =>
      isRelative(specifier)
        ? !/\.tsx?$/.test(specifier)
        : !specifier.startsWith("node:") && listed[packageOf(specifier)] === undefined,
    );
    expect(broken.map((entry) => `${at(entry)}: ${entry.specifier}`)).toEqual([]);
  });

  it("is part of no cycle", () => {
    const graph = new Map(
      files.map((file) => [file.path, file.imports.filter((entry) => isRelative(entry.specifier)).map(targetOf)]),
    );
    expect(findCycle(graph) ?? "none").toBe("none");
  });
});

/** The folder within its room that a file stands in; undefined for one directly in its room. */
function subRoomOf(path: string): string | undefined {
  const room = roomOf(path);
  const folder = dirname(path);
  return folder === room || path === room ? undefined : folder.slice(room.length + 1).split("/")[0];
}

describe("every folder of src/", () => {
  it(`holds at most ${MOST_FILES} files at its own level`, () => {
    const counts = new Map<string, number>();
    for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
  });

  it(`holds at least ${FEWEST_ENTRIES} files or folders, unless it is a room of its own`, () => {
    const entries = new Map<string, Set<string>>();
    for (const path of paths.filter((each) => !isInCore(each))) {
      const parts = path.split("/");
      for (let depth = 1; depth < parts.length; depth++) {
        const folder = parts.slice(0, depth).join("/");
        entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth] as string));
      }
    }
    const few = [...entries].filter(([folder, { size }]) => size < FEWEST_ENTRIES && RANKS[folder] === undefined);
    const isShared = (folder: string): boolean => SHARED_FOLDERS.includes(folder);
    expect(few.map(([folder]) => folder).filter((folder) => !isShared(folder))).toEqual([]);
  });

  it.each(Object.keys(RANKS))("within %s/ comes before or after each of its neighbours", (room) => {
    const graph = new Map<string, string[]>();
    for (const { path, imports } of files) {
      const from = subRoomOf(path);
      if (roomOf(path) !== room || from === undefined) continue;
      const targets = imports.filter(({ specifier }) => isRelative(specifier)).map(targetOf);
      const others = targets.filter((target) => roomOf(target) === room).map(subRoomOf);
      const known = graph.get(from) ?? [];
      graph.set(from, [...known, ...others.filter((other) => other !== undefined && other !== from)] as string[]);
    }
    expect(findCycle(graph) ?? "none").toBe("none");
  });
});

describe("every file in src/", () => {
  it(`has at most ${MOST_LINES} lines, or says in its header why it has more`, () => {
    const broken = files.filter(({ path, tree }) => {
      const isLong = tree.getLineStarts().length - 1 > MOST_LINES;
      return !path.includes(".generated.") && isLong !== SAYS_WHY.test(headerOf(tree));
    });
    expect(broken.map(({ path }) => `src/${path}`)).toEqual([]);
  });

  it(`has no function of more than ${MOST_FUNCTION_LINES} lines`, () => {
    const broken = files
      .filter(({ path }) => !path.startsWith("viewer/"))
      .flatMap((file) => longFunctionsOf(file).map((name) => `${file.path}: ${name}`));
    expect(broken.toSorted()).toEqual(LONG_FUNCTIONS.toSorted());
  });

  it("keeps no state at module level: many nodes live in one process", () => {
    const broken = files.flatMap((file) =>
      file.tree.statements
        .filter(
          (statement) =>
            ts.isVariableStatement(statement) && (statement.declarationList.flags & ts.NodeFlags.Const) === 0,
        )
        .map((statement) => at({ file: file.path, line: lineOf(file, statement) })),
    );
    expect(broken).toEqual([]);
  });

  it("has neither a default export nor an export *", () => {
    const broken = files.flatMap(({ path, tree }) =>
      tree.statements
        .filter((statement) => isDefaultExport(statement) || isStarExport(statement))
        .map((statement) => `src/${path}:${tree.getLineAndCharacterOfPosition(statement.getStart()).line + 1}`),
    );
    expect(broken).toEqual([]);
  });

  it("re-exports from elsewhere in the doors alone", () => {
    const broken = files
      .filter(({ path }) => path !== "index.ts" && path !== "browser/index.ts")
      .flatMap(({ path, tree }) =>
        tree.statements
          .filter((statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined)
          .map((statement) => `src/${path}:${tree.getLineAndCharacterOfPosition(statement.getStart()).line + 1}`),
      );
    expect(broken).toEqual([]);
  });

  it("says of each export what its signature does not", () => {
    const broken = files
      .flatMap((file) => file.tree.statements.map((statement) => ({ file, statement })))
      .filter(({ statement }) => isExported(statement) && !isDescribed(statement))
      .map(({ file, statement }) => at({ file: file.path, line: lineOf(file, statement) }));
    expect(broken).toEqual([]);
  });

  it("names Node's modules and globals only where the platform stands", () => {
    const inPlatform = (path: string): boolean => PLATFORM_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
    const broken = files
      .filter(({ path }) => !inPlatform(path))
      .flatMap((file) => [
        ...file.imports.filter(({ specifier }) => specifier.startsWith("node:")).map(at),
        ...globalsOf(file).map(({ name, line }) => `src/${file.path}:${line}: ${name}`),
      ]);
    expect(broken).toEqual([]);
  });

  it("spreads no list into the arguments of a call: a function takes some 120,000, and a request may make more", () => {
    const isNodes = (path: string): boolean => !/^(?:viewer|cli|debugger|explain)\//.test(path);
    const broken = files
      .filter(({ path }) => isNodes(path))
      .flatMap(({ path, tree }) =>
        [
          ...tree.text.matchAll(
            /\b(?:push|unshift|concatBytes)\(\.\.\.(?!parts: |FIELDS\b|partsOf\(|prestate\(\[touched\]).*/g,
          ),
        ].map(({ 0: text }) => `src/${path}: ${text}`),
      );
    expect(broken).toEqual([]);
  });

  it("below the services asks for an EIP, and for a hardfork by its name in chainspec/ alone", () => {
    // Istanbul is a format of coverage, too.
    const isBelow = (path: string): boolean =>
      (RANKS[roomOf(path)] ?? 0) < (RANKS["services/query"] ?? 0) && !/^(?:chainspec|explain\/coverage)\//.test(path);
    const broken = [...files, ...coreFiles].filter(({ path }) => isBelow(path)).flatMap(hardforksIn);
    expect(broken).toEqual([]);
  });

  it("says it in the field's words, in names, comments and messages", () => {
    const broken = paths.flatMap((path) =>
      readFileSync(join(source, path), "utf8")
        .split("\n")
        .flatMap((text, index) =>
          HOUSE_WORDS.test(inWords(text)) ? [`${at({ file: path, line: index + 1 })}: ${text}`] : [],
        ),
    );
    expect(broken).toEqual([]);
  });

  it("has no phrases in its messages that readers stumbled over", () => {
    const broken = files.flatMap((file) =>
      messagesOf(file.tree).flatMap(({ line, text }) =>
        phrasesIn(text).map((phrase) => `${at({ file: file.path, line })}: ${phrase}`),
      ),
    );
    expect(broken).toEqual([]);
  });

  it("is in no room without a purpose", () => {
    const purposeless = /(?:^|\/)(?:utils|helpers|common|misc|lib|types)\//;
    expect(files.map((file) => file.path).filter((path) => purposeless.test(path))).toEqual([]);
  });
});

describe("every file of a core", () => {
  const core = coreFiles.filter(({ path }) => !path.endsWith(".generated.ts"));

  it("imports files of cores alone, of its own room or one of lower rank", () => {
    const broken = core
      .flatMap(({ imports }) => imports)
      .filter((entry) => {
        const [from, to] = [roomOf(entry.file), roomOf(targetOf(entry))];
        return !isInCore(targetOf(entry)) || (from !== to && (RANKS[from] ?? -1) <= (RANKS[to] ?? 99));
      });
    expect(broken.map((entry) => `${at(entry)}: ${entry.specifier}`)).toEqual([]);
  });

  it(`has at most ${MOST_CORE_LINES} lines`, () => {
    const lines = core.map(({ path, tree }) => ({ path, count: tree.getLineStarts().length - 1 }));
    expect(lines.filter(({ count }) => count > MOST_CORE_LINES)).toEqual([]);
  });

  it("is part of no cycle", () => {
    const graph = new Map(core.map(({ path, imports }) => [path, imports.map((entry) => `${targetOf(entry)}.ts`)]));
    expect(findCycle(graph) ?? "none").toBe("none");
  });

  it("says of each function and class what its signature does not, but for what instructions do and cost", () => {
    const broken = core
      .flatMap((file) => file.tree.statements.map((statement) => ({ file, statement })))
      .filter(({ statement }) => ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      .filter(({ statement }) => isExported(statement) && !isDescribed(statement))
      .filter(({ statement }) => !/^export function (?:run|price)[A-Z]/.test(statement.getText()))
      .map(({ file, statement }) => at({ file: file.path, line: lineOf(file, statement) }));
    expect(broken).toEqual([]);
  });
});

it("docs/dependencies.md says of every dependency what it is for", () => {
  const paper = readFileSync(join(source, "../docs/dependencies.md"), "utf8");
  expect(Object.keys({ ...dependencies }).filter((name) => !paper.includes(`\`${name}\``))).toEqual([]);
});

it("ARCHITECTURE.md lists every room with its rank", () => {
  const paper = readFileSync(join(source, "../ARCHITECTURE.md"), "utf8");
  const [rooms = ""] = paper.split("**Import law.**");
  const listed = Object.fromEntries(
    [...rooms.matchAll(/^\| (\d+) \| `([^`]+?)\/?` \|/gm)].map(([, rank, room]) => [room, Number(rank)]),
  );
  expect(listed).toEqual(RANKS);
});

/** Where a file uses a global of Node's, as a value or as a type. */
function globalsOf({ tree }: SourceFile): { readonly name: string; readonly line: number }[] {
  const found: { readonly name: string; readonly line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && PLATFORM_GLOBALS.has(node.text) && !isMemberName(node)) {
      found.push({ name: node.text, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    const isMethod = ts.isPropertyAccessExpression(node) && PLATFORM_METHODS.has(node.name.text);
    // The address of a module is that of a file, which a bundle for browsers does not have.
    const isAddress = ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword;
    if (isMethod || isAddress) {
      const name = node.getText();
      found.push({ name, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The comment at the beginning of a file; empty without one. */
function headerOf({ text }: ts.SourceFile): string {
  const [first] = ts.getLeadingCommentRanges(text, 0) ?? [];
  return first === undefined ? "" : text.slice(first.pos, first.end);
}

/** Functions and methods of a file that are too long. */
function longFunctionsOf({ tree }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const [begin, end] = [node.getStart(), node.getEnd()].map(
        (place) => tree.getLineAndCharacterOfPosition(place).line,
      );
      if ((end ?? 0) - (begin ?? 0) >= MOST_FUNCTION_LINES) found.push(node.name?.getText() ?? "unnamed");
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const inWords = (name: string): string => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, "_$&").toLowerCase();
/** A hardfork in an identifier such as `isOsaka` or `RULE_TANGERINE`, whose words are apart. */
const HARDFORK_WORDS = new RegExp(`(?:^|_)(?:tangerine|spurious|${HARDFORKS.map(inWords).join("|")})(?:_|$)`);

/** Where a file names a hardfork: as an identifier, or a part of one, or as a whole string. */
function hardforksIn(file: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isName = ts.isIdentifier(node) && HARDFORK_WORDS.test(inWords(node.text));
    const isText = ts.isStringLiteralLike(node) && (HARDFORKS as readonly string[]).includes(node.text);
    if (isName || isText) found.push(`${at({ file: file.path, line: lineOf(file, node) })}: ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

const lineOf = ({ tree }: SourceFile, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Whether an identifier names a member of something else. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent);
}

describe.each([
  ["eth_call", 10],
  ["trace_callMany", 6],
] as const)("the way of a %s in ARCHITECTURE.md", (method, most) => {
  const paper = readFileSync(join(source, "../ARCHITECTURE.md"), "utf8");
  const [, list = ""] = paper.split(new RegExp(`The way of an? \`${method}\``));
  const [section = ""] = list.split(/\n## |\nThe way of /);
  const way = [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
  const importsOf = (path: string): readonly string[] =>
    files
      .find((file) => file.path === path)
      ?.imports.filter(({ specifier }) => isRelative(specifier))
      .map(targetOf) ?? [];

  it(`has at most ${most} files`, () => {
    expect(way.filter((path) => paths.includes(path))).toEqual(way);
    expect(way.length).toBeGreaterThan(5);
    expect(way.length).toBeLessThanOrEqual(most);
  });

  it("goes down from room to room", () => {
    const ranks = way.map((path) => RANKS[roomOf(path)] ?? -1);
    expect(ranks).toEqual(ranks.toSorted((left, right) => right - left));
  });

  it.each(
    way.flatMap((path, index) => {
      const next = way[index + 1] ?? "";
      return roomOf(path) === roomOf(next) ? [[path, next]] : [];
    }),
  )("leads from %s to %s", (from = "", to = "") => {
    const isCalled = importsOf(from).includes(to) || importsOf(to).includes(from);
    const isCalledBySame = way.some((path) => importsOf(path).includes(from) && importsOf(path).includes(to));
    expect(isCalled || isCalledBySame).toBe(true);
  });
});

function isDefaultExport(statement: ts.Statement): boolean {
  return ts.isExportAssignment(statement) || hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
}

function isExported(statement: ts.Statement): boolean {
  return hasModifier(statement, ts.SyntaxKind.ExportKeyword);
}

function hasModifier(statement: ts.Statement, kind: ts.SyntaxKind): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some((modifier) => modifier.kind === kind);
}

/** By a docstring; of a method of JSON-RPC by its summary, of the schema of an answer by its name. */
function isDescribed(statement: ts.Statement): boolean {
  if (ts.getJSDocCommentsAndTags(statement).length > 0) return true;
  if (ts.isFunctionDeclaration(statement) && statement.body !== undefined) return isOverloaded(statement);
  return /^export const \w+ = (?:(?:aliasedM|m)ethod\(\{|named\()/.test(statement.getText());
}

/** True for the implementation of a function whose overloads have the docstrings. */
function isOverloaded(implementation: ts.FunctionDeclaration): boolean {
  const name = implementation.name?.text;
  return (implementation.parent as ts.SourceFile).statements.some(
    (other) => other !== implementation && ts.isFunctionDeclaration(other) && other.name?.text === name,
  );
}

function isStarExport(statement: ts.Statement): boolean {
  return (
    ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined && statement.exportClause === undefined
  );
}

/** The first cycle of a graph as its path, or undefined. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(" → ");
    if (done.has(node)) return undefined;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  return [...graph.keys()].map(visit).find((cycle) => cycle !== undefined);
}
