/** The memory of the core after a run that took much of it: WebAssembly memory never shrinks. */
import { expect, it } from "vitest";
import { aNode, NOBODY } from "../../support/a-node.ts";
import { CaughtInstances } from "./caught-instances.ts";

/** PUSH4 2^28, MLOAD: a frame's memory of 256 MiB, for 138 billion gas (yellow paper, appendix H.1). */
const LARGE = "0x631000000051500000";

it("a run of more than 256 MiB drops its instance, and the next one has a small memory", async () => {
  using caught = new CaughtInstances();
  const node = await aNode({ limits: { callGasLimit: 2n ** 38n, executionMemory: 2 ** 30, callTimeoutMs: 60_000 } });
  const call = (code: string): Promise<unknown> =>
    node.provider.send("eth_call", [{ to: NOBODY, gas: "0x4000000000" }, "latest", { [NOBODY]: { code } }]);
  expect(await call(LARGE)).toBe("0x");
  expect(Math.max(...caught.sizes)).toBeGreaterThan(256 * 2 ** 20);
  const { count } = caught;
  expect(await call("0x00")).toBe("0x");
  expect(caught.count).toBe(count + 1);
  expect(caught.sizes.at(-1)).toBeLessThan(2 ** 20);
});
