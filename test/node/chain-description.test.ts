import { expect, it } from "vitest";
import { Keyring } from "../../src/keyring/keyring.ts";
import { describeChain } from "../../src/node/chain-description.ts";

it("a development chain begins without an offset, also if a second ends meanwhile", async () => {
  let seconds = 1_700_000_000;
  const { clockOffset } = await describeChain({ clock: () => seconds++ }, new Keyring([]));
  expect(clockOffset).toBe(0n);
});
