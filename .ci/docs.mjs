#!/usr/bin/env node
// Renews the generated tables in README.md and ARCHITECTURE.md from the built package.
import { readFileSync, writeFileSync } from "node:fs";
import { errorTable, methodTable, replaceBetween, storeTable } from "./doc-tables.mjs";

const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url).href);
const { methods } = await dist("rpc/registry.js");
const { catalogue } = await dist("errors/catalogue.js");
const { tables } = await dist("store/schema.js");

const papers = {
  "README.md": { methods: methodTable(methods.values()), errors: errorTable(catalogue) },
  "ARCHITECTURE.md": { "store tables": storeTable(tables) },
};
for (const [name, sections] of Object.entries(papers)) {
  const path = new URL(`../${name}`, import.meta.url);
  const before = readFileSync(path, "utf8");
  const after = Object.entries(sections).reduce(
    (text, [marker, content]) => replaceBetween(text, marker, content),
    before,
  );
  if (after !== before) writeFileSync(path, after);
  console.log(`${name}: ${after === before ? "unchanged" : "renewed"}`);
}
