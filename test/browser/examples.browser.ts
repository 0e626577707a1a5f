/** The documented examples in a worker of a browser: the answers are those of Node. */
import { describe, expect, it } from "vitest";
import { EXAMPLE_ANSWERS } from "../../src/rpc/openrpc/example-answers.generated.ts";
import { methods } from "../../src/rpc/registry.ts";
import { unpackedAnswers } from "../support/unpacked-answers.ts";
import { BROWSERS, textOf, useSite } from "./site.ts";

const PROGRAM = `
import { createNode } from "/hindcast/browser.js";
import { runExamples } from "/example-chain.mjs";
const refused = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => refused.push(violatedDirective + " " + blockedURI));
addEventListener("message", async ({ data }) => {
  try {
    // The bounds of a page are other ones, and documented.
    const create = (options) => createNode({ ...options, limits: { concurrentExecutions: 256 } });
    postMessage({ answers: await runExamples(create, data), refused });
  } catch (error) {
    postMessage({ error: error.stack + JSON.stringify(error) });
  }
});
postMessage("ready");
`;

describe.each(BROWSERS)("in a worker of %s", (browser) => {
  const site = useSite({ "/example-chain.mjs": textOf(".ci/example-chain.mjs"), "/program.js": PROGRAM }, { browser });

  it("all documented examples are answered as in Node, and a strict policy has nothing to report", async () => {
    const { page, problems } = await site.open();
    const own = methods
      .filter(({ aliasOf }) => aliasOf === undefined)
      .map(({ name, example, writes }) => ({ name, example, writes }));
    const { answers, refused, error } = await page.evaluate(
      (list: unknown) =>
        new Promise((resolve) => {
          // biome-ignore lint/suspicious/noExplicitAny: it runs in the page, which has other types
          const worker = new (globalThis as any).Worker("/program.js", { type: "module" });
          worker.onmessage = ({ data }: { data: unknown }) =>
            data === "ready" ? worker.postMessage(list) : resolve(data);
          worker.onerror = ({ message }: { message: string }) => resolve({ error: message });
        }),
      own,
    );
    expect(error).toBeUndefined();
    expect(unpackedAnswers(answers)).toEqual(unpackedAnswers(EXAMPLE_ANSWERS));
    expect(refused).toEqual([]);
    expect(problems).toEqual([]);
  });
});
