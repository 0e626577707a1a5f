/** Folders whose head has the right hashes and cannot be read, as earlier versions could mine it. */
import { RLP } from "@ethereumjs/rlp";
import { expect, it } from "vitest";
import { runCheckCommand } from "../../../src/cli/check-command.ts";
import { checkDataFolder } from "../../../src/node/check-data-folder.ts";
import { createNode } from "../../../src/node/create-node.ts";
import { encodeData } from "../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../src/primitives/hash/hash.ts";
import { listRoot } from "../../../src/state/trie/list-root.ts";
import { tables } from "../../../src/store/schema.ts";
import { aFolder } from "../../support/a-folder.ts";
import { ALICE, addressText, BOB, NOW } from "../../support/a-node.ts";
import { send } from "../../support/contracts.ts";
import { editFolder } from "../../support/damaged-folder.ts";

const OPTIONS = { hardfork: "prague", clock: () => NOW } as const;
type Level = Parameters<Parameters<typeof editFolder>[1]>[0];
type Items = (Uint8Array | Items)[];

const key = (table: keyof typeof tables, ...parts: Uint8Array[]): Uint8Array =>
  Uint8Array.of(tables[table].prefix, ...parts.flatMap((part) => [...part]));
const HEAD = Uint8Array.of(tables.meta.prefix, 0x10);

/** Three blocks: a transfer, an authorization that signs nothing, and nothing. */
async function aChain(): Promise<string> {
  const dataDir = await aFolder();
  const node = await createNode({ ...OPTIONS, dataDir });
  await send(node, { from: ALICE, to: BOB, value: "0x1" });
  const nothing = { chainId: "0x7a69", address: addressText(7), nonce: "0x0", yParity: "0xff", r: "0x1", s: "0x1" };
  await send(node, { from: ALICE, to: BOB, gas: "0x30000", authorizationList: [nothing] });
  await node.setBalance(BOB, 7n);
  await node.mine();
  await node.close();
  return dataDir;
}

/** Gives a canonical block other bytes, with the roots and hashes that belong to them, and makes it the head. */
async function forge(level: Level, number: number, change: (header: Items, body: Items) => void): Promise<void> {
  const place = new Uint8Array(8);
  place[7] = number;
  const hash = (await level.get(key("canonicalHashes", place))) as Uint8Array;
  const header = RLP.decode((await level.get(key("headers", hash))) as Uint8Array) as Items;
  const body = RLP.decode((await level.get(key("bodies", hash))) as Uint8Array) as Items;
  change(header, body);
  const transactions = (body[0] as Items).map((item) => (item instanceof Uint8Array ? item : RLP.encode(item)));
  header[4] = listRoot(transactions);
  const bytes = RLP.encode(header);
  const forged = keccak256(bytes);
  for (const table of ["receipts", "totalDifficulties", "traceAddresses"] as const) {
    const value = await level.get(key(table, hash));
    if (value !== undefined) await level.put(key(table, forged), value);
  }
  const hashes = transactions.map((item) => keccak256(item));
  if (hashes.length > 0) await level.put(key("txHashes", forged), Uint8Array.from(hashes.flatMap((each) => [...each])));
  await level.put(key("headers", forged), bytes);
  await level.put(key("bodies", forged), RLP.encode(body));
  await level.put(key("blocksByNumber", place, forged), header[0] as Uint8Array);
  await level.put(key("canonicalHashes", place), forged);
  await level.put(HEAD, forged);
}

/** The parity of the authorization in the only transaction of a body becomes 256. */
function widenParity(_header: Items, body: Items): void {
  const [transaction] = body[0] as Uint8Array[];
  const fields = RLP.decode((transaction as Uint8Array).subarray(1)) as Items;
  ((fields[9] as Items)[0] as Items)[3] = Uint8Array.of(1, 0);
  body[0] = [Uint8Array.of(4, ...RLP.encode(fields))];
}

it.each<readonly [string, number, (header: Items, body: Items) => void, RegExp]>([
  [
    "an authorization of a parity of 2^8",
    2,
    widenParity,
    /bodies: the entry of .* cannot be read \(.*authorization list/,
  ],
  [
    "a time of 2^64",
    3,
    (header) => {
      header[11] = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0);
    },
    /headers: the entry of .* cannot be read \(.*timestamp is not below 2\^64/,
  ],
])("a head with %s is named by the command that goes back to the block before", async (_what, number, change, text) => {
  const dataDir = await aChain();
  await editFolder(dataDir, (level) => forge(level, number, change));
  await expect(createNode({ ...OPTIONS, dataDir })).rejects.toMatchObject({
    code: "STORE_CORRUPT",
    message: expect.stringContaining("hindcast check --data-dir <folder> --repair"),
  });

  const looked = await checkDataFolder({ ...OPTIONS, dataDir }, false);
  expect(looked.left.map(({ remedy }) => remedy?.kind)).toContain("remove");
  const settings = { ...OPTIONS, dataDir } as unknown as Parameters<typeof runCheckCommand>[0];
  const unrepaired = await runCheckCommand(settings, false);
  expect(unrepaired.text).toMatch(text);
  expect(unrepaired.text).toContain("1 cannot be read: --repair goes back to the last block before them.");

  const repaired = await runCheckCommand(settings, true);
  expect(repaired).toMatchObject({ isSound: true });
  const node = await createNode({ ...OPTIONS, dataDir });
  const { header, hash } = node.head;
  expect(header.number).toBe(BigInt(number - 1));
  expect(repaired.text).toContain(`The head is block ${number - 1} now, ${encodeData(hash)}`);
  await send(node, { from: ALICE, to: BOB, value: "0x1" });
  expect(node.head.header.number).toBe(BigInt(number));
  await node.close();
  expect((await checkDataFolder({ ...OPTIONS, dataDir }, false)).found).toEqual([]);
});

it("a side block that cannot be read is removed, and the head stays", async () => {
  const dataDir = await aChain();
  let head: Uint8Array | undefined;
  await editFolder(dataDir, async (level) => {
    const place = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2);
    head = (await level.get(HEAD)) as Uint8Array;
    const canonical = (await level.get(key("canonicalHashes", place))) as Uint8Array;
    await forge(level, 2, widenParity);
    await level.put(key("canonicalHashes", place), canonical);
    await level.put(HEAD, head);
  });
  const { left, head: last } = await checkDataFolder({ ...OPTIONS, dataDir }, true);
  expect([left, last && encodeData(last.hash)]).toEqual([[], head && encodeData(head)]);
});
