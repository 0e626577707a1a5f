#!/usr/bin/env node
// Writes the playground: static files for any folder of any site. The folder may be named; default: dist/playground.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writePlayground } from "./explorer.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
await writePlayground(root, resolve(process.argv[2] ?? join(root, "dist/playground")));
