/** What a check of a data folder says about what it finds. */
import { expect, it } from "vitest";
import { Findings, findingText, readable } from "../../../src/chain/check/findings.ts";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { ChainStore } from "../../../src/store/chain-store.ts";
import { anIdentity } from "../../store/a-block.ts";

it("a table that cannot be read to its end is a finding with the store's own error, and cannot be rebuilt", async () => {
  const store = await ChainStore.open({ identity: anIdentity });
  await store.close();
  const findings = new Findings();
  for await (const _ of readable(store, "headers", findings)) expect.unreachable();
  expect(findings.list).toEqual([
    { table: "headers", key: EMPTY_BYTES, what: expect.stringMatching(/^cannot be read: The store is closed\./) },
  ]);
  expect(findings.list.map(findingText)).toEqual([
    expect.stringMatching(/^headers: the entry cannot be read: The store is closed\./),
  ]);
});

it("an entry that is missing, wrong or too many is put right by what it should be", () => {
  const findings = new Findings();
  const [key, one, other] = [1, 2, 3].map((byte) => Uint8Array.of(byte)) as [Uint8Array, Uint8Array, Uint8Array];
  findings.addWrong("settings", key, undefined, one);
  findings.addWrong("settings", key, one, undefined);
  findings.addWrong("settings", key, one, other);
  const remedy = (value: Uint8Array | undefined) => ({ kind: "restore", entries: [{ key, value }] });
  expect(findings.list).toEqual([
    { table: "settings", key, what: "is not there", remedy: remedy(one) },
    { table: "settings", key, what: "should not be there", remedy: remedy(undefined) },
    { table: "settings", key, what: "is wrong", remedy: remedy(other) },
  ]);
});
