/** A genesis.json whose members no chain can hold is refused by the name of the member. */
import { expect, it } from "vitest";
import { ALICE, aNode, wordText } from "../support/a-node.ts";

const account = (members: object) => ({ alloc: { [ALICE]: { balance: "0x0", ...members } } });
/** The members that start a chain at Osaka. */
const OSAKA = {
  config: {
    ...{
      homesteadBlock: 0,
      byzantiumBlock: 0,
      constantinopleBlock: 0,
      petersburgBlock: 0,
      istanbulBlock: 0,
      berlinBlock: 0,
    },
    ...{ londonBlock: 0, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0, osakaTime: 0 },
  },
};
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
  ["a used gas of 2^64", { ...OSAKA, gasUsed: `0x1${"0".repeat(16)}` }, "gasUsed: expected a number below 2^64"],
  [
    "a base fee of 2^256",
    { ...OSAKA, baseFeePerGas: `0x1${"0".repeat(64)}` },
    "baseFeePerGas: expected a number below 2^256",
  ],
  [
    "a used blob gas of 2^64",
    { ...OSAKA, blobGasUsed: `0x1${"0".repeat(16)}` },
    "blobGasUsed: expected a number below 2^64",
  ],
  [
    "an excess of blob gas of 2^64",
    { ...OSAKA, excessBlobGas: `0x1${"0".repeat(16)}` },
    "excessBlobGas: expected a number below",
  ],
  [
    "an excess of blob gas of 2^40",
    { ...OSAKA, excessBlobGas: "0x10000000000" },
    "excessBlobGas: 1099511627776 makes blob gas cost 2^256 wei or more, which no chain can reach",
  ],
  [
    // One more than the largest of Prague's fraction; see `header.property.test.ts`.
    "the smallest excess of blob gas that nobody can pay for",
    { ...OSAKA, excessBlobGas: 888_597_562 },
    "excessBlobGas: 888597562 makes blob gas cost 2^256 wei or more, which no chain can reach",
  ],
  [
    "a schedule by which blobs have no price",
    { config: { ...OSAKA.config, blobSchedule: { osaka: { target: 6, max: 9, baseFeeUpdateFraction: 0 } } } },
    "config.blobSchedule.osaka.baseFeeUpdateFraction: expected a number above zero",
  ],
  [
    "a chain id of 2^256",
    { config: { chainId: `0x1${"0".repeat(64)}` } },
    "config.chainId: expected a number below 2^256",
  ],
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

it("mines on the largest excess of blob gas that can be paid for, and where no blobs are allowed", async () => {
  const none = { target: 0, max: 0, baseFeeUpdateFraction: 5_007_716 };
  for (const members of [
    // Prague's fraction holds on Osaka too; its largest excess is in `header.property.test.ts`.
    { ...OSAKA, excessBlobGas: 888_597_561 },
    { config: { ...OSAKA.config, blobSchedule: { osaka: none } } },
  ]) {
    const node = await aNode({ genesis: members });
    await node.mine({ blocks: 20 });
    expect(await node.provider.request({ method: "eth_blockNumber" })).toBe("0x14");
  }
});
