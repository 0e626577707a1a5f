/** hindcast_coverage…: which lines of the Solidity source ran. */

import { nothing } from "../encode/shape.ts";
import { encodeCoverage } from "../encode/source/coverage.ts";
import { method } from "../method.ts";

export const coverageStart = method({
  name: "hindcast_coverageStart",
  summary: "Counts from now on which code runs in transactions, calls and failing estimates. Forgets earlier counts.",
  params: [],
  run: ({ coverage }) => coverage.start(),
  encode: nothing,
});

export const coverageStop = method({
  name: "hindcast_coverageStop",
  summary: "Ends the count of which code runs.",
  params: [],
  run: ({ coverage }) => coverage.stop(),
  encode: nothing,
});

export const coverageReport = method({
  name: "hindcast_coverageReport",
  summary:
    "Lines, functions and branches of the Solidity sources with the times that they ran, also as an lcov tracefile.",
  params: [],
  run: ({ coverage }) => coverage.report(),
  encode: encodeCoverage,
});
