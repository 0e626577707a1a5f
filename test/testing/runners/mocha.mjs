// Run by runners.slow.ts with `mocha`; by itself it is no part of the suite.
import { useHindcast } from "hindcast/mocha";
import { before, describe, it } from "mocha";
import { aSuite } from "./a-suite.mjs";

describe("a group of a file", () => aSuite({ before, describe, it, useHindcast }));
