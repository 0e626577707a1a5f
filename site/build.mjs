// Puts the project's pages where the site is built from: pages/, with links between them that the site knows, the pictures
// that they show, the playground, and the API reference, which TypeDoc makes of the declared types of the package.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, UnknownType } from "typedoc";
import { ENTRIES } from "../.ci/entries.mjs";
import { writePlayground } from "../.ci/explorer.mjs";
import { picturesIn, withThemes } from "./pictures.mjs";
import { shownTypeKey, shownTypes } from "./shown-types.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = fileURLToPath(new URL("pages", import.meta.url));

/** Pages of the site. */
const PAGES = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...["bench/README.md", "bench/CLAIMS.md", "examples/README.md", "examples/shared/README.md"],
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** `docs/forks.md` in backticks is a link where the site has that page. A folder's README is its index. */
function withLinks(page, text) {
  const here = dirname(page);
  return text
    .split(/(```[\s\S]*?```)/)
    .map((part) =>
      part.startsWith("```")
        ? part
        : part
            .replace(/(?<!\[)`((?:docs\/|bench\/)?[\w-]+\.md)`/g, (whole, name) => {
              const target = PAGES.find((each) => each === name || each === join(here, name));
              return target === undefined ? whole : `[${name}](${relative(here, target) || target})`;
            })
            .replace(/(\]\([^)\s]*?)README\.md/g, "$1index.md"),
    )
    .join("");
}

rmSync(pages, { recursive: true, force: true });
for (const page of PAGES) {
  const file = join(pages, page.replace(/README\.md$/, "index.md"));
  mkdirSync(dirname(file), { recursive: true });
  const text = readFileSync(join(root, page), "utf8");
  writeFileSync(file, withThemes(withLinks(page, text)));
  for (const picture of picturesIn(text)) {
    const copy = join(dirname(file), picture);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(root, dirname(page), picture), copy);
  }
}

// Copied as it is.
await writePlayground(root, join(pages, "public/playground"));

const reference = await Application.bootstrapWithPlugins({
  plugin: ["typedoc-plugin-markdown"],
  entryPoints: Object.keys(ENTRIES).map((entry) => join(root, `dist/types/${entry}.d.ts`)),
  tsconfig: join(root, "site/tsconfig.json"),
  skipErrorChecking: true,
  readme: "none",
  disableSources: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  entryFileName: "index",
  logLevel: "Error",
  outputs: [{ name: "markdown", path: join(pages, "api") }],
});
const project = await reference.convert();
if (project === undefined) throw new Error("The declared types cannot be read.");
for (const module of project.children ?? [])
  module.name = module.name === "index" ? "hindcast" : `hindcast/${module.name}`;
showTypes(project, shownTypes(join(root, "dist/types")));
for (const { children = [] } of project.children ?? []) {
  // Several hundred entries of one form, in a single line.
  const schema = children.find(({ name }) => name === "RpcSchema");
  if (schema !== undefined) schema.type = new UnknownType("[{ Method: string; Parameters: …; ReturnType: … }, …]");
}
await reference.generateOutputs(project);

/** Shows types that the package does not export as they are declared: their names would lead nowhere. */
function showTypes(project, texts) {
  const seen = new Set();
  const visit = (value) => {
    if (value === null || typeof value !== "object" || seen.has(value)) return;
    seen.add(value);
    for (const [key, member] of Object.entries(value)) {
      if (key === "parent" || key === "project" || key.startsWith("_")) continue;
      const isNameOnly = member?.type === "reference" && member.reflection === undefined;
      const text = isNameOnly ? texts.get(shownTypeKey(member.symbolId?.packagePath ?? "", member.name)) : undefined;
      if (text !== undefined) value[key] = new UnknownType(text);
      else visit(member);
    }
  };
  visit(project.children);
}
