/** Our traces beside those that Anvil gave of the same transactions, which fixtures/traces/ keeps. */
import { describe, expect, it } from "vitest";
import { readAnswers, TRACED_HARDFORKS } from "../../peers/recorded-traces.ts";
import { differencesOf } from "../../peers/trace-differences.ts";
import { inProcess, justified, kindOf, questions } from "../../peers/trace-questions.ts";
import { tell } from "../../peers/trace-story.ts";
import { aNode } from "../../support/a-node.ts";

/** Of the newest hardfork that was recorded; `npm run test:peers` compares all of them, with Anvil itself. */
describe.each(TRACED_HARDFORKS.slice(-1))("a trace in reth's manner (%s)", (hardfork) => {
  it("is Anvil's, but for the differences that the table gives a reason for", async () => {
    const us = inProcess(await aNode({ hardfork, traceClient: "reth" }));
    const asked = questions(await tell(us));
    const theirs = readAnswers(hardfork);
    expect(theirs).toHaveLength(asked.length);
    const reasons = justified();
    for (const [index, [method, about, name, ...params]] of asked.entries()) {
      const differences = differencesOf(await us(name, ...params), theirs[index], { method, about });
      expect(differences.filter((difference) => !reasons.includes(kindOf(difference)))).toEqual([]);
    }
  });
});
