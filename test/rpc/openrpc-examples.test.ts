/** The examples of the document: what a fresh chain answers, request by request. */
import { expect, it } from "vitest";
import { runExamples } from "../../.ci/example-requests.mjs";
import { createNode } from "../../src/node/create-node.ts";
import { EXAMPLES } from "../../src/rpc/openrpc/examples.ts";
import { methods } from "../../src/rpc/registry.ts";
import { misfitOf, paramsMisfitOf } from "../support/answers.ts";

it("the requests of the examples are answered as the examples say", async () => {
  expect(await runExamples(createNode)).toEqual(EXAMPLES);
});

it.each(Object.entries(EXAMPLES))(
  "the example of %s fits the schemas of its params and its result",
  (name, example) => {
    expect(paramsMisfitOf(name, example.params)).toBeUndefined();
    expect(misfitOf(name, example.result)).toBeUndefined();
  },
);

const NAMESPACES_OF_ALL_NODES = /^(eth|net|web3|rpc|txpool|debug|trace)_/;

it("every method of the namespaces that all nodes have has an example", () => {
  const without = methods.filter(({ name, aliasOf }) => aliasOf === undefined && EXAMPLES[name] === undefined);
  expect(without.map(({ name }) => name).filter((name) => NAMESPACES_OF_ALL_NODES.test(name))).toEqual([]);
});
