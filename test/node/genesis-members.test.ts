/** A genesis.json whose members no chain can hold is refused by the name of the member. */
import { expect, it } from "vitest";
import { ALICE, aNode, wordText } from "../support/a-node.ts";

const account = (members: object) => ({ alloc: { [ALICE]: { balance: "0x0", ...members } } });
const LONG_WORD = `0x${"1".repeat(65)}`;

it.each<[string, object, string]>([
  [
    "a balance of 2^256",
    account({ balance: `0x1${"0".repeat(64)}` }),
    `alloc["${ALICE}"].balance: expected a number below 2^256`,
  ],
  [
    "a nonce of 2^64",
    account({ nonce: `0x1${"0".repeat(16)}` }),
    `alloc["${ALICE}"].nonce: expected a number below 2^64`,
  ],
  [
    "a slot of 33 bytes",
    account({ storage: { [LONG_WORD]: "0x1" } }),
    `alloc["${ALICE}"].storage: expected hex of at most 32`,
  ],
  [
    "a value of 33 bytes",
    account({ storage: { "0x1": LONG_WORD } }),
    `.storage["0x1"]: expected hex of at most 32 bytes`,
  ],
  ["a header's nonce of 2^64", { nonce: `0x1${"0".repeat(16)}` }, "nonce: expected a number below 2^64"],
  ["a timestamp of 2^64", { timestamp: `0x1${"0".repeat(16)}` }, "timestamp: expected a number below 2^64"],
  ["a gas limit of 2^63", { gasLimit: "0x8000000000000000" }, "gasLimit: expected a number below 2^63"],
  ["what is some other file", { name: "app", version: "1.0.0" }, "genesis: expected config, alloc or another member"],
  ["another number than 0", { number: "0x5" }, "number: expected 0, with which every chain begins, got 5"],
])("refuses %s", async (_, genesis, message) => {
  const made = aNode({ genesis });
  await expect(made).rejects.toMatchObject({ code: "INVALID_GENESIS", message: expect.stringContaining(message) });
});

it("takes the largest of each", async () => {
  const full = `0x${"f".repeat(64)}`;
  const most = { balance: full, nonce: "0xffffffffffffffff", storage: { "0x1": full } };
  const { provider } = await aNode({ genesis: { ...account(most), gasLimit: "0x7fffffffffffffff", number: 0 } });
  expect(await provider.request({ method: "eth_getBalance", params: [ALICE, "latest"] })).toBe(full);
  expect(await provider.request({ method: "eth_getTransactionCount", params: [ALICE, "latest"] })).toBe(most.nonce);
  expect(await provider.request({ method: "eth_getStorageAt", params: [ALICE, wordText(1), "latest"] })).toBe(full);
});
