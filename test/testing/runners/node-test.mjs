// Run by runners.slow.ts with `node --test`; by itself it is no part of the suite.
import { before, describe, it } from "node:test";
import { useHindcast } from "hindcast/node-test";
import { aSuite } from "./a-suite.mjs";

aSuite({ before, describe, it, useHindcast });
