/** hindcast_coverage…: which lines of the Solidity source ran. */
import { nothing } from "../encode/shape.ts";
import { coverageSchema, encodeCoverage } from "../encode/source/coverage.ts";
import { BUILDS } from "../errors.ts";
import { method } from "../method.ts";
import { NULL } from "../openrpc/json-schema.ts";

export const coverageStart = method({
  name: "hindcast_coverageStart",
  summary: "Starts to count which code runs in transactions, calls and failing estimates. Discards earlier counts.",
  writes: true,
  answeredBy: "reader",
  params: [],
  result: NULL,
  example: { params: [] },
  run: ({ coverage }) => coverage.start(),
  encode: nothing,
});

export const coverageStop = method({
  name: "hindcast_coverageStop",
  summary: "Stops counting which code runs. Counts so far can still be reported.",
  writes: true,
  answeredBy: "reader",
  params: [],
  result: NULL,
  example: { params: [] },
  run: ({ coverage }) => coverage.stop(),
  encode: nothing,
});

export const coverageReport = method({
  name: "hindcast_coverageReport",
  summary:
    "Reports how often lines, functions and branches of the Solidity sources ran since hindcast_coverageStart, also as an lcov tracefile.",
  params: [],
  result: coverageSchema,
  errors: ["COVERAGE_NOT_STARTED", BUILDS],
  example: { params: [] },
  run: ({ coverage }) => coverage.report(),
  encode: encodeCoverage,
});
