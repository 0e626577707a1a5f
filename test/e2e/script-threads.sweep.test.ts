/** Threads of JavaScript tracers in what users run: the command, and a program that embeds the library. */
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { buildOnce, cliPath } from "../support/build-once.ts";
import { isSlow } from "../support/seed.ts";
import { aRunningNode } from "./a-command.ts";

beforeAll(buildOnce);

const COUNT =
  "{count: 0, step: function() { this.count++; }, fault: function() {}, result: function() { return this.count; }}";
const TARGET = `0x${"bb".repeat(20)}`;
const paramsOf = (tracer: string, code: string) => [
  { to: TARGET, gas: "0x1c9c380" },
  "latest",
  { tracer, stateOverrides: { [TARGET]: { code } } },
];

if (isSlow) {
  it("the command runs tracers, and ends on SIGINT while one is in a function that nothing interrupts", async () => {
    const node = await aRunningNode();
    expect(await node.ask("debug_traceCall", ...paramsOf(COUNT, "0x600160020150"))).toBe(5);
    // Far longer than a test may take.
    const result = "{fault: function() {}, result: function() { return (3n ** 62000000n).toString(); }}";
    const stuck = node.ask("debug_traceCall", ...paramsOf(result, "0x00")).catch((error: Error) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { code } = await node.interrupt();
    expect([0, 130]).toContain(code);
    expect(await stuck).toBeInstanceOf(Error);
  });
}

it("a program whose node is never closed ends all the same", () => {
  const library = pathToFileURL(cliPath).href.replace("hindcast.js", "index.js");
  const program = `
    import { createNode } from ${JSON.stringify(library)};
    const node = await createNode();
    const trace = (tracer, code) => node.provider.request({
      method: "debug_traceCall",
      params: ${JSON.stringify(paramsOf("TRACER", "CODE")).replace('"TRACER"', "tracer").replace('"CODE"', "code")},
    });
    console.log(await trace(${JSON.stringify(COUNT)}, "0x600160020150"));
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    timeout: 300_000,
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "5\n", stderr: "" });
});
