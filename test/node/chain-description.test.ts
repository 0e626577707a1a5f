import { expect, it } from "vitest";
import { Keyring } from "../../src/keyring/keyring.ts";
import { describeChain } from "../../src/node/chain-description.ts";

it("a development chain begins without an offset, also if a second ends meanwhile", () => {
  let seconds = 1_700_000_000;
  const { clockOffset } = describeChain({ clock: () => seconds++ }, new Keyring([]));
  expect(clockOffset).toBe(0n);
});
