/** A data folder where LevelDB's native addon cannot be loaded, and one whose file handles are Yarn's. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { aFolder } from "../../support/a-folder.ts";
import { buildOnce, cliPath } from "../../support/build-once.ts";
import { isSlow } from "../../support/seed.ts";

const library = pathToFileURL(cliPath).href.replace("hindcast.js", "index.js");

beforeAll(buildOnce);

/** What a program prints that mines a block in a folder, or in memory. */
async function mined(flags: readonly string[], dataDir: string | undefined, before = ""): Promise<string> {
  const program = `
    ${before}
    const { createNode } = await import(${JSON.stringify(library)});
    try {
      const node = await createNode(${JSON.stringify({ dataDir })});
      await node.mine();
      await node.close();
      console.log("mined");
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
  it("a data folder is an error with a code and ways out, and nothing is written", async () => {
    const folder = join(await aFolder(), "chain");
    const text = await mined(["--no-addons"], folder);
    expect(text).toMatch(
      /^DATA_DIR_UNUSABLE The data folder cannot be opened, because LevelDB, .* cannot be loaded\. /,
    );
    expect(text).toContain(`Folder: ${folder} (`);
    expect(text).toContain("Start Node without --no-addons");
    expect(existsSync(folder)).toBe(false);
  });

  it("a chain in memory works", async () => {
    expect(await mined(["--no-addons"], undefined)).toBe("mined\n");
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
    expect(await mined([], join(await aFolder(), "chain"), before)).toBe("mined\n");
  });
}
