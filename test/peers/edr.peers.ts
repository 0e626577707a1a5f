/** Whole transactions of Amsterdam do the same in EDR, apart from the prices that its part of the hardfork lacks. */
import { expect, it } from "vitest";
import { compareManyWithEdr } from "../engines/differential/edr/compare-edr.ts";
import { EDR_PACKAGES, EdrChains } from "../engines/differential/edr/edr-chain.ts";
import { installPeers } from "../support/peers.mjs";

it("500 random transactions differ from EDR's in nothing but explained prices", async () => {
  const { folder, remove } = await installPeers(EDR_PACKAGES);
  const chains = await EdrChains.open(folder);
  await remove();
  const { differences, same, prices } = await compareManyWithEdr({ chains, seed: 8038, transactions: 500 });
  expect(differences).toEqual([]);
  expect(same).toBeGreaterThan(150);
  // 3,000 for an account that is looked at for the first time, 11,300 for a value, 12,000 for a creation (EIP-8038).
  expect(prices).toMatchObject({ "BALANCE +400": expect.any(Number), "CALL +2300": expect.any(Number) });
});
