import { expect, it } from "vitest";
import { runCacheCommand } from "../../src/cli/cache-command.ts";
import { createNode } from "../../src/node/create-node.ts";
import { aFolder } from "../support/a-folder.ts";
import { aNode } from "../support/a-node.ts";

it("hindcast cache lists what a fork has kept, and cleans it", async () => {
  const [upstream, folder] = [await aNode(), await aFolder()];
  await upstream.mine();
  const fork = await createNode({ fork: { provider: upstream.provider, cache: { folder } } });
  await fork.close();
  const run = (...argv: string[]): string => runCacheCommand(argv, { HINDCAST_CACHE_PATH: folder });
  expect(run()).toMatch(/^chain 31337 {2}block 1 {2}0x[0-9a-f]{64} {2}\d+ answers/);
  expect(run("clean", "--chain-id", "1")).toBe("Deleted 0 kB.\n");
  expect(run("list", "--cache-path", folder)).toContain("block 1");
  expect(run("clean")).toMatch(/^Deleted \d+ kB/);
  expect(run()).toMatch(/^0 codes/);
  expect(run("--help")).toContain("clean");
});

it.each([["wash"], ["clean", "--chain-id", "x"], ["clean", "--block-hash", "0x1"], ["list", "--older-than", "1"]])(
  "hindcast cache %s is refused",
  (...argv) => {
    expect(() => runCacheCommand(argv, {})).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  },
);

it("another command than list and clean is named", () => {
  expect(() => runCacheCommand(["clen"], {})).toThrow("hindcast cache has no command clen. Write hindcast cache list");
});
