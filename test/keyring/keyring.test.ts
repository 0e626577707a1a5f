import { describe, expect, it } from "vitest";
import { InvalidParamsError } from "../../src/errors/hindcast-error.ts";
import { deriveAccounts } from "../../src/keyring/derive-accounts.ts";
import { DEV_ACCOUNTS, devAccounts } from "../../src/keyring/dev-accounts.ts";
import { accountOf, DEV_MNEMONIC, type DevAccount, Keyring } from "../../src/keyring/keyring.ts";
import { encodeData } from "../../src/primitives/bytes/hex.ts";

describe("deriveAccounts", () => {
  it("gives the accounts that Anvil and Hardhat give for their mnemonic", () => {
    const [first, second] = deriveAccounts(DEV_MNEMONIC, 2);
    expect(encodeData(first?.address as Uint8Array)).toBe("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
    expect(encodeData(first?.privateKey as Uint8Array)).toBe(
      "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    );
    expect(encodeData(second?.address as Uint8Array)).toBe("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
  });

  it("gives what the table of default accounts has", () => {
    expect(devAccounts(DEV_ACCOUNTS)).toEqual(deriveAccounts(DEV_MNEMONIC, DEV_ACCOUNTS));
  });

  it("refuses a mnemonic whose checksum is wrong", () => {
    expect(() => deriveAccounts("test test test", 1)).toThrow(InvalidParamsError);
  });
});

describe("Keyring", () => {
  it("impersonates single addresses, or all", () => {
    const keyring = new Keyring([]);
    const address = new Uint8Array(20).fill(7);
    keyring.impersonate(address);
    expect(keyring.isImpersonated(address)).toBe(true);
    keyring.stopImpersonating(address);
    expect(keyring.isImpersonated(address)).toBe(false);
    keyring.setAutoImpersonate(true);
    expect(keyring.isImpersonated(address)).toBe(true);
  });

  it("lists senders: its accounts, then impersonated addresses, each once", () => {
    const own = accountOf(new Uint8Array(32).fill(1));
    const keyring = new Keyring([own]);
    const [second, third] = [new Uint8Array(20).fill(2), new Uint8Array(20).fill(3)];
    for (const address of [third, own.address, second, third]) keyring.impersonate(address);
    expect(keyring.senders).toEqual([own.address, third, second]);
    expect(keyring.branch().senders).toEqual([own.address, third, second]);
    for (const address of [third, own.address]) keyring.stopImpersonating(address);
    expect(keyring.senders).toEqual([own.address, second]);
  });

  it("adds an address without a key, which may send while it is unlocked", () => {
    const keyring = new Keyring([]);
    const address = new Uint8Array(20).fill(2);
    expect([keyring.addWithoutKey(address, "words"), keyring.addWithoutKey(address, "words")]).toEqual([true, false]);
    expect([keyring.senders, keyring.isImpersonated(address)]).toEqual([[address], false]);
    expect([keyring.opensWith(address, ""), keyring.opensWith(address, "words")]).toEqual([false, true]);
    keyring.unlock(address, Number.POSITIVE_INFINITY);
    expect([keyring.isImpersonated(address), keyring.branch().isImpersonated(address)]).toEqual([true, true]);
    keyring.lock(address);
    expect(keyring.isImpersonated(address)).toBe(false);
    expect([keyring.remove(address), keyring.remove(address)]).toEqual([true, false]);
    expect(keyring.senders).toEqual([]);
  });

  it("removes accounts with keys, in branches too", () => {
    const [first, second] = [1, 2].map((byte) => accountOf(new Uint8Array(32).fill(byte))) as [DevAccount, DevAccount];
    const keyring = new Keyring([first, second]);
    expect(keyring.remove(first.address)).toBe(true);
    for (const each of [keyring, keyring.branch()]) {
      expect([each.accounts, each.getAccount(first.address)]).toEqual([[second], undefined]);
    }
  });
});
