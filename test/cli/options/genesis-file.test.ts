import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readGenesisFile } from "../../../src/cli/options/genesis-file.ts";
import { aFolder } from "../../support/a-folder.ts";

async function reading(content: string): Promise<unknown> {
  const folder = await aFolder();
  await writeFile(join(folder, "genesis.json"), content);
  return readGenesisFile(join(folder, "genesis.json"));
}

it("keeps every digit of a bare number that a double cannot hold", async () => {
  expect(
    await reading('{"config":{"chainId":1152921504606846977},"a":[1152921504606846977,9007199254740993]}'),
  ).toEqual({
    config: { chainId: "1152921504606846977" },
    a: ["1152921504606846977", "9007199254740993"],
  });
});

it("leaves everything else as JSON has it", async () => {
  const text =
    '{"n":31337,"f":1.1234567890123456789,"e":1e20,"t":"a \\"1152921504606846977\\" b","neg":-5,"x":[null,true]}';
  expect(await reading(text)).toEqual(JSON.parse(text));
});

it("refuses what is no JSON, naming file and reason", async () => {
  await expect(reading("{")).rejects.toMatchObject({ code: "INVALID_GENESIS" });
  await expect(reading("{")).rejects.toThrow(/genesis\.json is no JSON/);
});
