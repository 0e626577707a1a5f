#!/usr/bin/env node
// Renews the generated tables in docs/, the examples of the OpenRPC document, and the types of the methods, from the built
// package.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pictures } from "../bench/peers/pictures.mjs";
import { speedTexts } from "../bench/peers/speed-texts.mjs";
import { freezeTypes } from "./declarations.mjs";
import {
  aliasTexts,
  dialectTable,
  errorTable,
  exampleAnswers,
  fixedLimitTable,
  memberTable,
  methodTable,
  OPTION_ALIASES,
  OPTION_TYPES,
  optionTable,
  pointTable,
  replaceBetween,
  SHOWN_TRACES,
  storeTable,
} from "./doc-tables.mjs";
import { answersModule, runExamples } from "./example-chain.mjs";
import { methodTypes } from "./method-types.mjs";

const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { methods } = await dist("rpc/registry.js");
const { describeMethods } = await dist("rpc/openrpc/document.js");
const { catalogue } = await dist("errors/catalogue.js");
const { createNode } = await dist("index.js");
const { tables } = await dist("store/schema.js");
const { BEHAVIOURS, DIALECTS } = await dist("node/options/dialect.js");
const { COLUMNS, POINTS, wordsOf } = await dist("cli/trace-check/points.js");
const flags = await dist("cli/flags/flags.js");
const { variableOf } = await dist("cli/options/environment.js");

/** Types that options name, as they are declared. */
const readAliases = () =>
  aliasTexts((path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8"), OPTION_ALIASES);

const papers = {
  ...speedTexts(),
  "docs/methods.md": { methods: methodTable(methods.values()) },
  "docs/node-options.md": Object.fromEntries(
    Object.entries(OPTION_TYPES).map(([name, path]) => [
      name,
      memberTable(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"), name, readAliases()),
    ]),
  ),
  "docs/options.md": {
    options: optionTable(flags, variableOf),
    "fixed limits": fixedLimitTable(readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8")),
  },
  "docs/dialects.md": { dialects: dialectTable(BEHAVIOURS, DIALECTS) },
  "docs/errors.md": { errors: errorTable(catalogue) },
  "docs/store.md": { "store tables": storeTable(tables) },
};
/** Writes a file of the project if that changes it. */
function renew(name, textOf) {
  const path = new URL(`../${name}`, import.meta.url);
  const before = readFileSync(path, "utf8");
  const after = textOf(before);
  if (after !== before) writeFileSync(path, after);
  console.log(`${name}: ${after === before ? "unchanged" : "renewed"}`);
}

for (const [name, sections] of Object.entries(papers)) {
  renew(name, (before) =>
    Object.entries(sections).reduce((text, [marker, content]) => replaceBetween(text, marker, content), before),
  );
}
for (const [name, picture] of Object.entries(pictures())) renew(name, () => picture);
const answers = await runExamples(createNode, methods);
renew("docs/trace-formats.md", (before) =>
  replaceBetween(
    replaceBetween(before, "points", pointTable(POINTS, COLUMNS, wordsOf)),
    "examples",
    exampleAnswers(answers, SHOWN_TRACES),
  ),
);
renew("src/rpc/openrpc/example-answers.generated.ts", () => answersModule(answers));
renew("src/rpc/wire-types.generated.ts", () => methodTypes(describeMethods({ methods, version: "", answers })));
freezeTypes(fileURLToPath(new URL("..", import.meta.url)));
