import { resolve } from "node:path";
import { expect, it } from "vitest";
import { createNode } from "../../src/index.ts";
import { LastFailure } from "../../src/testing/last-failure.ts";

const UNUSED = "0x00000000000000000000000000000000000000aa";

async function failedWith(artifacts: string | undefined): Promise<LastFailure> {
  const failures = new LastFailure(undefined, artifacts === undefined ? [] : [artifacts]);
  const node = await createNode({ onRequest: failures.onRequest, ...(artifacts === undefined ? {} : { artifacts }) });
  await node.setCode(UNUSED, "0x5f5ffd");
  await expect(node.provider.request({ method: "eth_call", params: [{ to: UNUSED }, "latest"] })).rejects.toThrow();
  await node.close();
  return failures;
}

it("names a folder of artifacts that does not exist, since a misspelled one explains nothing", async () => {
  const failures = await failedWith("no-such-folder");
  expect(failures.text()).toBe(
    `The last request of this test that failed was eth_call. There are no artifacts to explain it: the folder ${resolve("no-such-folder")} does not exist.`,
  );
  failures.forget();
  expect(failures.text()).toBeUndefined();
});

it("is silent without artifacts, and for a contract that those at hand do not have", async () => {
  expect((await failedWith(undefined)).text()).toBeUndefined();
  expect((await failedWith("test")).text()).toBeUndefined();
});
