/** The questions of `test/peers/dialects.peers.ts`: their names, and that our node answers each in every dialect. */
import { expect, it } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import { DIALECTS } from "../../../src/node/options/dialect.ts";
import { ProviderRpcError } from "../../../src/rpc/provider.ts";
import { askedNode } from "../../peers/dialect-cases.ts";
import { EXCEPTIONS } from "../../peers/questions/exceptions.ts";
import { QUESTIONS } from "../../peers/questions/questions.ts";
import { sweep } from "../../support/seed.ts";

it("each question has a name of its own, and each exception names one", () => {
  const names = QUESTIONS.map(({ asks }) => asks);
  expect(new Set(names).size).toBe(names.length);
  const needless = EXCEPTIONS.flatMap(({ peers, asks }) =>
    asks.flatMap((each) => {
      const question = QUESTIONS.find((other) => other.asks === each);
      const isAsked = (peer: string): boolean =>
        question !== undefined && (question.only ?? DIALECTS).some((dialect) => peer.startsWith(dialect));
      return peers.filter((peer) => !isAsked(peer)).map((peer) => [peer, each]);
    }),
  );
  expect(needless).toEqual([]);
});

it.each(DIALECTS)(
  "no question about the params of a request meets an error of the node itself (%s)",
  async (dialect) => {
    await using node = await createNode({ dialect });
    const failed: unknown[] = [];
    const asked = await askedNode(dialect, async (method, ...params) => {
      try {
        return { result: await node.provider.send(method, params) };
      } catch (error) {
        if (!(error instanceof ProviderRpcError)) throw error;
        if (/failed unexpectedly/.test(error.message)) failed.push([method, params, error.message]);
        return { error };
      }
    });
    const questions = QUESTIONS.filter(({ only }) => only === undefined);
    // In default tests each question is asked in one dialect.
    const own = DIALECTS.indexOf(dialect);
    for (const { ask } of sweep(questions, (_, index) => index % DIALECTS.length === own)) {
      // As on a new chain: a question before it may have ended automine, and this one may look for its receipt.
      await asked.setAutomine(true);
      await ask(asked).catch(() => undefined);
    }
    expect(failed).toEqual([]);
  },
);
