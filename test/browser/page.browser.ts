/** The program of docs/browser.md, as it stands there but for the addresses of the files. */
import { expect, it } from "vitest";
import { codeBlocksOf, pageText } from "../support/wording.ts";
import { useSite } from "./site.ts";

const [worker, program] = codeBlocksOf(pageText("docs/browser.md"))
  .filter(({ language }) => language === "js")
  .map(({ code }) => code.replaceAll(/"hindcast\/([\w-]+)"/g, '"/hindcast/$1.js"'));

const site = useSite({ "/node-worker.js": worker ?? "", "/program.js": program ?? "" });

it("runs in a browser: a node in a worker, a transaction and its trace", async () => {
  const { page, problems } = await site.open();
  const printed: string[] = [];
  page.on("console", (message: { text(): string }) => printed.push(message.text()));
  await page.evaluate('import("/program.js")');
  await expect.poll(() => printed).toEqual(["call with 0 calls"]);
  expect(problems).toEqual([]);
  expect(await page.evaluate("refused")).toEqual([]);
});
