/** personal_*: accounts with passphrases, which may be locked. */
import { Wallet } from "ethers";
import { expect, it, vi } from "vitest";
import { decodeData, encodeData, type Hex } from "../../../src/primitives/bytes/hex.ts";
import { ALICE, aServedNode, BOB } from "../../support/a-node.ts";

const KEY = `0x${"11".repeat(32)}`;
const ADDRESS = new Wallet(KEY).address.toLowerCase() as Hex;

async function anImportedAccount() {
  const served = await aServedNode();
  const { plain } = served;
  expect(await plain.ask("personal_importRawKey", KEY.slice(2), "secret")).toBe(ADDRESS);
  await plain.ask("anvil_setBalance", ADDRESS, "0xde0b6b3a7640000");
  return served;
}

it("an imported account is listed, and locked until it is unlocked", async () => {
  const { plain } = await anImportedAccount();
  expect((await plain.ask<Hex[]>("personal_listAccounts")).at(-1)).toBe(ADDRESS);
  expect(await plain.ask("eth_accounts")).toHaveLength(11);
  const transfer = { from: ADDRESS, to: BOB, value: "0x1" };
  const locked = { code: -32000, message: "authentication needed: passphrase or unlock" };
  expect(await plain.failure("eth_sendTransaction", transfer)).toMatchObject(locked);
  expect(await plain.failure("eth_sign", ADDRESS, "0x00")).toMatchObject(locked);
  const wrong = { code: -32000, message: "could not decrypt key with given password" };
  expect(await plain.failure("personal_unlockAccount", ADDRESS, "guess")).toMatchObject(wrong);
  expect(await plain.ask("personal_unlockAccount", ADDRESS, "secret", 0)).toBe(true);
  await plain.ask("eth_sendTransaction", transfer);
  expect(await plain.ask("personal_lockAccount", ADDRESS)).toBe(true);
  expect(await plain.failure("eth_sendTransaction", transfer)).toMatchObject(locked);
});

it("an unlocked account is locked again when its time is over", async () => {
  const { node } = await anImportedAccount();
  const ask = (method: string, ...params: unknown[]) => node.provider.send(method, params);
  const sign = () => ask("eth_sign", ADDRESS, "0x00");
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await ask("personal_unlockAccount", ADDRESS, "secret", 60);
    vi.advanceTimersByTime(59_000);
    await sign();
    vi.advanceTimersByTime(1_000);
    await expect(sign()).rejects.toThrow("authentication needed");
    await ask("personal_unlockAccount", ADDRESS, "secret");
    vi.advanceTimersByTime(299_000);
    await sign();
  } finally {
    vi.useRealTimers();
  }
});

it("a locked account sends and signs with its passphrase", async () => {
  const { plain } = await anImportedAccount();
  const transfer = { from: ADDRESS, to: BOB, value: "0x1", gas: "0x5208" };
  expect((await plain.failure("personal_sendTransaction", transfer, "guess")).code).toBe(-32000);
  const hash = await plain.ask("personal_sendTransaction", transfer, "secret");
  expect(await plain.ask("eth_getTransactionByHash", hash)).toMatchObject({ from: ADDRESS });
  const { raw } = await plain.ask<{ raw: Hex }>("personal_signTransaction", transfer, "secret");
  const sent = await plain.ask("eth_sendRawTransaction", raw);
  expect(await plain.ask("eth_getTransactionByHash", sent)).toMatchObject({ from: ADDRESS, nonce: "0x1" });
});

it("a new account has a key of its own, and those of the mnemonic an empty passphrase", async () => {
  const { plain } = await aServedNode();
  const [first, second] = [await plain.ask("personal_newAccount", "a"), await plain.ask("personal_newAccount", "a")];
  expect(first).not.toBe(second);
  expect(await plain.ask("personal_unlockAccount", first, "a")).toBe(true);
  expect(await plain.ask("eth_sign", first, "0x00")).toMatch(/^0x[0-9a-f]{130}$/);
  await plain.ask("personal_lockAccount", ALICE);
  expect((await plain.failure("eth_sendTransaction", { from: ALICE })).message).toContain("authentication needed");
  expect(await plain.ask("personal_unlockAccount", ALICE, "", 0)).toBe(true);
  await plain.ask("eth_sendTransaction", { from: ALICE, to: BOB });
});

it("keys that are none, or are there already, are refused, and unknown accounts named", async () => {
  const { plain } = await anImportedAccount();
  expect((await plain.failure("personal_importRawKey", "00".repeat(32), "x")).code).toBe(-32602);
  expect((await plain.failure("personal_importRawKey", KEY, "x")).message).toContain("account already exists");
  expect(await plain.ask("personal_lockAccount", BOB.replace("70", "71"))).toBe(false);
  expect((await plain.failure("personal_unlockAccount", BOB.replace("70", "71"), "")).message).toContain(
    "unknown account",
  );
});

it("personal_ecRecover gives the signer of a message", async () => {
  const { plain } = await aServedNode();
  const message = encodeData(new TextEncoder().encode("hello"));
  const signature = await plain.ask<Hex>("personal_sign", message, ALICE);
  expect(await plain.ask("personal_ecRecover", message, signature)).toBe(ALICE);
  const foreign = (await new Wallet(KEY).signMessage(decodeData(message))) as Hex;
  expect(await plain.ask("personal_ecRecover", message, foreign)).toBe(ADDRESS);
  expect((await plain.failure("personal_ecRecover", message, "0x00")).code).toBe(-32602);
  expect((await plain.failure("personal_ecRecover", message, `0x${"ff".repeat(64)}1b`)).code).toBe(-32602);
});
