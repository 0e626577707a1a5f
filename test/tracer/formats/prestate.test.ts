/** Which accounts the prestate tracer shows (EIP-161 says which are empty). */
import { expect, it } from "vitest";
import { EMPTY_BYTES } from "../../../src/primitives/bytes/bytes.ts";
import { EMPTY_CODE_HASH } from "../../../src/primitives/hash/hash.ts";
import { atOnce } from "../../../src/primitives/platform/turns.ts";
import { type AccountSnapshot, prestate } from "../../../src/tracer/formats/prestate.ts";
import { TARGET, word } from "../../support/evm.ts";

const NOTHING: AccountSnapshot = { nonce: 0n, balance: 0n, code: EMPTY_BYTES, codeHash: EMPTY_CODE_HASH };
const shown = (account: AccountSnapshot | undefined, options = {}) =>
  atOnce(prestate([{ address: TARGET, slots: [] }], { account: () => account, slot: () => word(0n) }, options));

it.each<[string, Partial<AccountSnapshot>, object]>([
  ["a nonce", { nonce: 1n }, { balance: 0n, nonce: 1n }],
  ["a balance", { balance: 1n }, { balance: 1n }],
  [
    "code",
    { code: Uint8Array.of(0xfe), codeHash: word(9n) },
    { balance: 0n, code: Uint8Array.of(0xfe), codeHash: word(9n) },
  ],
])("shows an account that has nothing but %s", (_, members, expected) => {
  expect(shown({ ...NOTHING, ...members })).toEqual([{ address: TARGET, ...expected }]);
});

it("leaves out empty accounts and those that do not exist, unless they are asked for", () => {
  for (const account of [NOTHING, undefined]) {
    expect(shown(account)).toEqual([]);
    expect(shown(account, { includeEmpty: true })).toEqual([{ address: TARGET, balance: 0n }]);
  }
});

it("gives way between the slots of an account", () => {
  const slots = Array.from({ length: 1_000 }, (_, slot) => word(BigInt(slot)));
  const reader = { account: () => ({ ...NOTHING, balance: 1n }), slot: () => word(1n) };
  const steps = prestate([{ address: TARGET, slots }], reader);
  let count = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) count++;
  expect(count).toBeGreaterThan(1_000);
});
