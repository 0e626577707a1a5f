/** The examples of the document: what a fresh chain answers to the requests in the entries of methods. */
import { expect, it } from "vitest";
import { runExamples } from "../../../.ci/example-chain.mjs";
import { createNode } from "../../../src/node/create-node.ts";
import { EXAMPLE_ANSWERS } from "../../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../../src/rpc/registry.ts";
import { misfitOf, paramsMisfitOf } from "../../support/answers.ts";

const own = methods.filter(({ aliasOf }) => aliasOf === undefined);

it("the examples are answered as the document says (npm run docs renews the answers)", async () => {
  expect(await runExamples(createNode, methods)).toEqual(EXAMPLE_ANSWERS);
});

it.each(own.flatMap(({ name, example }) => (example === undefined ? [] : [{ name, params: example.params }])))(
  "the example of $name fits the schemas of its params and its result",
  ({ name, params }) => {
    expect(paramsMisfitOf(name, params)).toBeUndefined();
    expect(misfitOf(name, EXAMPLE_ANSWERS[name])).toBeUndefined();
  },
);

const NAMESPACES_OF_ALL_NODES = /^(eth|net|web3|rpc|txpool|debug|trace)_/;

it("every method of the namespaces that all nodes have has an example", () => {
  const without = own.filter(({ example }) => example === undefined).map(({ name }) => name);
  expect(without.filter((name) => NAMESPACES_OF_ALL_NODES.test(name))).toEqual([]);
});
