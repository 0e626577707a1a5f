import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { HindcastNode } from "../../../src/index.ts";
import { bytesToHex, createNode, hexToBytes } from "../../../src/index.ts";
import type { Hex } from "../../../src/primitives/bytes/hex.ts";
import type { StateChanges } from "../../../src/services/simulate/explain/state-changes.ts";
import { assemble } from "../../support/assembler.ts";
import { senderOf } from "../stack/corpus.ts";

const TOKEN: Hex = "0x00000000000000000000000000000000000000aa";
const PAYER: Hex = "0x00000000000000000000000000000000000000bb";
const ALICE: Hex = "0x1000000000000000000000000000000000000001";
const BOB: Hex = "0x2000000000000000000000000000000000000002";
const ABI = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 amount)",
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
]);

/** Logs with the topics and the data that the call data holds: the number of topics, the topics, then the data. */
const LOGGER = assemble(`
  0x80 CALLDATASIZE SUB DUP1 0x80 0 CALLDATACOPY
  0x60 CALLDATALOAD 0x40 CALLDATALOAD 0x20 CALLDATALOAD 0 CALLDATALOAD
  DUP4 @four JUMPI
  DUP3 DUP3 DUP3 DUP8 0 LOG3 STOP
  four: DUP4 DUP4 DUP4 DUP4 DUP9 0 LOG4 STOP
`);

let node: HindcastNode;
beforeAll(async () => {
  node = await createNode();
  await node.setCode(TOKEN, LOGGER);
  // Sends 3 wei to ALICE, then 2 to BOB by a call that fails afterwards, because it was given no gas for its code.
  const send = (to: Hex, wei: number, gas: string): string => `0 0 0 0 ${wei} ${to} ${gas} CALL POP`;
  await node.setCode(PAYER, assemble(`${send(ALICE, 3, "GAS")} ${send(TOKEN, 2, "0")} STOP`));
});
afterAll(() => node.close());

async function explain(to: Hex, data: Hex, value: Hex = "0x0"): Promise<StateChanges> {
  const params = [{ from: senderOf(node), to, data, value, gas: "0x30d40" as const }] as const;
  return node.explain((await node.provider.request({ method: "eth_sendTransaction", params })) as Hex);
}

function logged(topics: readonly unknown[], data: Hex): Hex {
  const words = [...topics, ...Array.from({ length: 4 - topics.length }, () => `0x${"00".repeat(32)}`)];
  return `0x${words.map((word) => String(word).slice(2)).join("")}${data.slice(2)}`;
}

const shown = ({ moves }: StateChanges): unknown[] =>
  moves.map(({ kind, token, tokenId, from, to, amount }) => [
    kind,
    token === undefined ? undefined : bytesToHex(token),
    tokenId,
    bytesToHex(from),
    bytesToHex(to),
    amount,
  ]);

it("has the ether of calls that held, and what each account has in the end", async () => {
  const explained = await explain(PAYER, "0x", "0xa");
  const me = senderOf(node);
  expect(shown(explained)).toEqual([
    ["ether", undefined, undefined, me, PAYER, 10n],
    ["ether", undefined, undefined, PAYER, ALICE, 3n],
  ]);
  const changes = explained.assets.map(({ account, amount }) => [bytesToHex(account), amount]);
  expect(changes).toEqual([
    [me, -10n],
    [PAYER, 7n],
    [ALICE, 3n],
  ]);
});

it("has tokens by the events of ERC-20, ERC-721 and ERC-1155", async () => {
  const transfer = encodeEventTopics({ abi: ABI, eventName: "Transfer", args: { from: ALICE, to: BOB } });
  const word = encodeAbiParameters([{ type: "uint256" }], [5n]);
  expect(shown(await explain(TOKEN, logged(transfer, word)))).toEqual([["erc20", TOKEN, undefined, ALICE, BOB, 5n]]);
  expect(shown(await explain(TOKEN, logged([...transfer, word], "0x")))).toEqual([
    ["erc721", TOKEN, 5n, ALICE, BOB, 1n],
  ]);
  const parties = { operator: ALICE, from: ALICE, to: BOB };
  const single = encodeEventTopics({ abi: ABI, eventName: "TransferSingle", args: parties });
  const one = encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [7n, 9n]);
  expect(shown(await explain(TOKEN, logged(single, one)))).toEqual([["erc1155", TOKEN, 7n, ALICE, BOB, 9n]]);
  const batch = encodeEventTopics({ abi: ABI, eventName: "TransferBatch", args: parties });
  const lists = encodeAbiParameters(
    [{ type: "uint256[]" }, { type: "uint256[]" }],
    [
      [1n, 2n],
      [10n, 20n],
    ],
  );
  const explained = await explain(TOKEN, logged(batch, lists));
  expect(shown(explained)).toEqual([
    ["erc1155", TOKEN, 1n, ALICE, BOB, 10n],
    ["erc1155", TOKEN, 2n, ALICE, BOB, 20n],
  ]);
  expect(explained.assets.map(({ account, tokenId, amount }) => [bytesToHex(account), tokenId, amount])).toEqual([
    [ALICE, 1n, -10n],
    [BOB, 1n, 10n],
    [ALICE, 2n, -20n],
    [BOB, 2n, 20n],
  ]);
});

it("takes events of other shapes for none of a token", async () => {
  const [signature, from, to] = encodeEventTopics({ abi: ABI, eventName: "Transfer", args: { from: ALICE, to: BOB } });
  expect(shown(await explain(TOKEN, logged([signature, from, to], "0x0102")))).toEqual([]);
  const batch = encodeEventTopics({
    abi: ABI,
    eventName: "TransferBatch",
    args: { operator: ALICE, from: ALICE, to: BOB },
  });
  expect(shown(await explain(TOKEN, logged(batch, `0x${"ff".repeat(64)}`)))).toEqual([]);
});

it("has a burnt token as taken from its owner alone", async () => {
  const nobody: Hex = `0x${"00".repeat(20)}`;
  const topics = encodeEventTopics({ abi: ABI, eventName: "Transfer", args: { from: ALICE, to: nobody } });
  const { assets } = await explain(TOKEN, logged(topics, encodeAbiParameters([{ type: "uint256" }], [5n])));
  expect(assets).toMatchObject([{ account: hexToBytes(ALICE), amount: -5n }]);
});
