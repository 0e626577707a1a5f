/** A data folder that is opened with other options says which of them differ. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { NodeOptions } from "../../src/node/options/options.ts";
import { aFolder } from "../support/a-folder.ts";
import { NOW } from "../support/a-node.ts";

const open = (dataDir: string, options: NodeOptions = {}) => createNode({ dataDir, clock: () => NOW, ...options });

it.each<[NodeOptions, string]>([
  [{ hardfork: "cancun" }, "It was made with hardfork london, now cancun."],
  [{ hardfork: "london", gasLimit: 9_000_000 }, "It was made with gasLimit by default, now 9000000."],
  [
    { hardfork: "london", accounts: 3, balance: 5n },
    "accounts 10 from 0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 on, now 3 from",
  ],
  [
    { hardfork: "london", fundedAccounts: [{ address: `0x${"aB".repeat(20)}`, balance: 7n }] },
    `fundedAccounts (none), now 0x${"ab".repeat(20)}:7`,
  ],
  [{ hardfork: "london", predeploy: ["permit2"] }, "predeploy nothing, now permit2"],
])("%o", async (options, difference) => {
  const dataDir = await aFolder();
  await (await open(dataDir, { hardfork: "london" })).close();
  await expect(open(dataDir, options)).rejects.toThrow(difference);
  await (await open(dataDir, { hardfork: "london" })).close();
});

it("of a folder that was made before settings were kept, only that it is another chain", async () => {
  const dataDir = await aFolder();
  await (await open(dataDir, { hardfork: "london" })).close();
  const file = join(dataDir, "hindcast.json");
  const { settings: _, ...rest } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(rest));
  const opening = open(dataDir, { hardfork: "cancun" });
  await expect(opening).rejects.toThrow("The data folder holds");
  await expect(opening).rejects.not.toThrow("It was made with");
});
