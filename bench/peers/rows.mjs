// The rows measured on every node, in the order of the table. Rows that lengthen the chain come last.
//
// A row is `{ label, runs, request | run, check, … }`:
//   request(node, prepared, round)   gives [method, ...params]; the clock stops at the answer's last byte, before it is
//                                    parsed; rounds count from 0, those for warming up included
//   run(node, prepared)              does several requests; the clock includes the reading of their answers
//   prepare(node)                    comes before the clock starts and returns `prepared`
//   check(answer, node, row, round)  throws if the answer is wrong; the row then has no number
//   times(node)                      factor of the time, if a node gets a part of the work
//   after(node)                      tidies up, outside the clock
//   rowMs                            it goes on for so long instead of five seconds
//   slowMs                           a node that takes longer for a run is not asked again
//   isPublic                         it stands in the table of public code, which has ratios only
//   hardfork                         of the nodes without a chain that it is measured on, in place of the others
//   nodes                            names of the nodes that it is measured on; all where it is missing
//   isCall                           true for eth_call: the only rows of a node with `callsOnly`
import { blockRows } from "./block-rows.mjs";
import { callRows } from "./call-rows.mjs";
import { instructionRows } from "./instruction-rows.mjs";
import { precompileRows } from "./precompile-rows.mjs";
import { publicRows } from "./public-rows.mjs";
import { queryRows } from "./query-rows.mjs";

export const ROWS = [...callRows, ...instructionRows, ...queryRows, ...blockRows, ...precompileRows, ...publicRows];
