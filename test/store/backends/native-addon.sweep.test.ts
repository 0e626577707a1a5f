/** A data folder where LevelDB's native addon cannot be loaded, and one whose file handles are Yarn's. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { aFolder } from "../../support/a-folder.ts";
import { buildOnce, cliPath } from "../../support/build-once.ts";
import { isSlow } from "../../support/seed.ts";

const library = pathToFileURL(cliPath).href.replace("hindcast.js", "index.js");

beforeAll(buildOnce);

/** What a program prints that mines a block with a transaction in a folder, or in memory. */
async function mined(flags: readonly string[], dataDir: string | undefined, before = ""): Promise<string> {
  const program = `
    ${before}
    const { createNode } = await import(${JSON.stringify(library)});
    try {
      const node = await createNode(${JSON.stringify({ dataDir })});
      const ask = (method, ...params) => node.provider.request({ method, params });
      const [from, to] = await ask("eth_accounts");
      const hash = await ask("eth_sendTransaction", { from, to, value: "0x1" });
      const traces = await ask("trace_transaction", hash);
      console.log("mined", Number(await ask("eth_blockNumber")), traces.length, await ask("eth_getTransactionCount", from, "latest"));
      await node.close();
    } catch ({ code, message }) {
      console.log(code, message);
    }
  `;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  return stdout + stderr;
}

describe("where Node loads no native addon", () => {
  it.runIf(isSlow)("a data folder has a journal, which is read with addons and without, and checked", async () => {
    const folder = join(await aFolder(), "chain");
    expect(await mined(["--no-addons"], folder)).toBe("mined 1 1 0x1\n");
    expect(readdirSync(join(folder, "chain")).sort()).toEqual(["journal-a", "journal-b"]);
    expect(await mined(["--no-addons"], folder)).toBe("mined 2 1 0x2\n");
    expect(await mined([], folder)).toBe("mined 3 1 0x3\n");
    const check = spawnSync(process.execPath, ["--no-addons", cliPath, "check", "--data-dir", folder], {
      encoding: "utf8",
    });
    expect(check.stdout).toContain("4 blocks, 4 of them on the chain");
    expect(check.stdout).toContain("Nothing is wrong.");
    expect(check.status).toBe(0);
  });

  it("a folder with a LevelDB is an error with a code and ways out, and is unchanged", async () => {
    const folder = join(await aFolder(), "chain");
    expect(await mined([], folder)).toBe("mined 1 1 0x1\n");
    const before = readdirSync(join(folder, "chain")).sort();
    const text = await mined(["--no-addons"], folder);
    expect(text).toMatch(
      /^DATA_DIR_UNUSABLE The data folder cannot be opened, because LevelDB, .* cannot be loaded\. /,
    );
    expect(text).toContain(`Folder: ${folder}/chain (`);
    expect(text).toContain("Start Node without --no-addons");
    expect(readdirSync(join(folder, "chain")).sort()).toEqual(before);
    expect(existsSync(join(folder, "chain/journal-a"))).toBe(false);
  });

  it("a chain in memory works", async () => {
    expect(await mined(["--no-addons"], undefined)).toBe("mined 1 1 0x1\n");
  });
});

if (isSlow) {
  it("a data folder opens where file handles cannot sync, as under Yarn's Plug'n'Play", async () => {
    const before = `
      const { promises } = await import("node:fs");
      const { open } = promises;
      const sync = () => { throw new Error("Method not implemented."); };
      promises.open = async (...words) => Object.assign(await open(...words), { sync, datasync: sync });
      (await import("node:module")).syncBuiltinESMExports();
    `;
    expect(await mined([], join(await aFolder(), "chain"), before)).toBe("mined 1 1 0x1\n");
  });
}
