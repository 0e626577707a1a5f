/** Errors of transactions that fail when they are mined, under `throwOnTransactionFailures`. */
import { expect, it } from "vitest";
import { Corpus, markedLine } from "./corpus.ts";

const BUILD = "0.8.30-plain";
const FAILURES = [
  ["withReason", "execution reverted: a reason", {}],
  ["endless", "out of gas", { gas: "0x186a0" }],
] as const;

it.each(FAILURES)("have the stack trace that eth_call's has: %s", async (name, message, fields) => {
  const corpus = await Corpus.open(BUILD, { throwOnTransactionFailures: true });
  await using _node = corpus.node;
  const place = `at Vault.${name} (src/Vault.sol:${markedLine(name)}:`;
  const failure = { message, solidityStack: expect.stringContaining(place) };
  const call = { to: corpus.vault, data: corpus.data(name), gas: "0xf4240", ...fields } as const;
  await expect(corpus.node.provider.request({ method: "eth_call", params: [call] })).rejects.toMatchObject(failure);
  await expect(corpus.send({ data: corpus.data(name), ...fields })).rejects.toMatchObject(failure);
});

it.each(FAILURES)("have it in their message with solidityStack: %s", async (name, message, fields) => {
  const corpus = await Corpus.open(BUILD, { throwOnTransactionFailures: true, solidityStack: true });
  await using _node = corpus.node;
  const lines = new RegExp(`^${message}\n.*at Vault\\.${name} \\(src/Vault\\.sol:${markedLine(name)}:`, "s");
  await expect(corpus.send({ data: corpus.data(name), ...fields })).rejects.toThrow(lines);
});
