/** The table of EIP-779. */
import { expect, it } from "vitest";
import { DAO_ACCOUNTS } from "../../src/chainspec/dao-accounts.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";

it("the DAO fork empties 116 different accounts", () => {
  expect(new Set(DAO_ACCOUNTS.map(encodeData)).size).toBe(116);
  for (const account of DAO_ACCOUNTS) expect(account).toHaveLength(20);
});
