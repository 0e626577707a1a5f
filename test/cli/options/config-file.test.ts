import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findConfigFile, readConfigFile } from "../../../src/cli/options/config-file.ts";
import { aFolder } from "../../support/a-folder.ts";

async function aFile(name: string, content: string): Promise<string> {
  const path = join(await aFolder(), name);
  await writeFile(path, content);
  return path;
}

const json = async (content: unknown) => readConfigFile(await aFile("hindcast.config.json", JSON.stringify(content)));

describe("a configuration file", () => {
  it.each([
    [
      "hindcast.config.ts",
      "const port: number = 5;\nexport default { port, chainId: 2n ** 60n + 1n } satisfies object;",
    ],
    ["hindcast.config.mjs", "export default { port: 5, chainId: 2n ** 60n + 1n };"],
    ["hindcast.config.js", "module.exports = { port: 5, chainId: 2n ** 60n + 1n };"],
    ["hindcast.config.json", '{ "port": 5, "chainId": "1152921504606846977" }'],
  ])("may be %s", async (name, content) => {
    const path = await aFile(name, content);
    expect(findConfigFile(join(path, ".."))).toBe(path);
    expect(await readConfigFile(path)).toEqual({ port: 5, chainId: 2n ** 60n + 1n });
  });

  it("is not there in most folders", async () => {
    expect(findConfigFile(await aFolder())).toBeUndefined();
  });

  it("has the units of the flags", async () => {
    expect(
      await json({
        balance: 2,
        blockTime: 0.5,
        hardfork: "Cancun",
        allowOrigin: ["https://a", "https://b"],
        ipc: true,
      }),
    ).toEqual({
      balance: 2n * 10n ** 18n,
      blockTime: 500,
      hardfork: "cancun",
      allowOrigin: ["https://a", "https://b"],
      ipc: true,
    });
    expect(await json({ balance: "0.5", chainId: 1e21, mnemonicRandom: 24, mixedMining: false })).toEqual({
      balance: 5n * 10n ** 17n,
      chainId: 10n ** 21n,
      mnemonicRandom: 24,
      mixedMining: false,
    });
  });

  it.each<[unknown, string]>([
    [{ prot: 1 }, "prot is not an option. Did you mean port?"],
    [{ chainid: 1 }, "chainid is not an option. Did you mean chainId?"],
    [{ config: "x" }, "config is not an option. Did you mean configOut?"],
    [{ forkBlockHash: "0x12" }, "forkBlockHash: expected a hash"],
    [{ port: "high" }, 'port: expected a whole number from 0 to 65535, got "high".'],
    [{ port: 1.5 }, 'port: expected a whole number from 0 to 65535, got "1.5".'],
    [{ port: [1] }, "port: expected text or a number, got [1]."],
    [{ port: null }, "port: expected text or a number, got null."],
    [{ host: 5 }, "host: expected text, got 5."],
    [{ quiet: "yes" }, 'quiet: expected true or false, got "yes".'],
    [{ artifacts: 5 }, "artifacts: expected text or a list of texts, got 5."],
    [{ allowHost: [5] }, "allowHost: expected text or a list of texts, got [5]."],
    [
      { allowHost: "http://hindcast/" },
      "allowHost: expected host names such as hindcast or *.example, without a scheme",
    ],
    [{ allowHost: ["hindcast", "a b"] }, "allowHost: expected host names"],
    [{ allowOrigin: "localhost:3000" }, "allowOrigin: expected origins such as https://app.example"],
    [{ allowOrigin: "https://app.example/path" }, "allowOrigin: expected origins such as https://app.example"],
    [
      { blockTime: "6-3" },
      "blockTime: expected a number of seconds above 0, such as 12 or 0.5, or two such as 3-6, the s",
    ],
    [{ hardfork: "byzanz" }, 'hardfork: Unknown hardfork "byzanz".'],
    [[], "expected an object, got []."],
  ])("%j is refused in a line that names file and member", async (content, text) => {
    const error = await json(content).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    const { message } = error as Error;
    expect(message).toContain(text);
    expect(message).toMatch(/^[^\n]*hindcast\.config\.json: [^\n]+$/);
  });

  it("that cannot be read or run is refused with the reason", async () => {
    await expect(readConfigFile(join(await aFolder(), "none.ts"))).rejects.toThrow("--config: cannot read");
    await expect(readConfigFile(await aFile("a.json", "{"))).rejects.toThrow(/a\.json is not JSON: /);
    await expect(readConfigFile(await aFile("a.ts", 'throw new Error("not today")'))).rejects.toThrow(
      /a\.ts cannot be run \(line 1\): not today\.$/,
    );
    await expect(readConfigFile(await aFile("c.mjs", "\n\nnull.port;"))).rejects.toThrow(
      "c.mjs cannot be run (line 3): ",
    );
    for (const name of ["b.mjs", "b.ts"]) {
      for (const text of ["export const port = 5;", "export const config = { port: 5 };", "const port = 5;"]) {
        const reading = readConfigFile(await aFile(name, text));
        await expect(reading).rejects.toThrow(": expected an object as its default export, got nothing.");
      }
    }
  });
});
