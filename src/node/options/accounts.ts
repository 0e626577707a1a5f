/** The accounts that options ask for: derived from a mnemonic, or given by their keys. */
import { DEV_BALANCE, type FundedAddress } from "../../chainspec/genesis/dev-genesis.ts";
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { DEV_ACCOUNTS, devAccounts } from "../../keyring/dev-accounts.ts";
import { accountOf, DEV_DERIVATION_PATH, DEV_MNEMONIC, type DevAccount, type Keyring } from "../../keyring/keyring.ts";
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import { decodeData, type Hex } from "../../primitives/bytes/hex.ts";
import { isPrivateKey } from "../../primitives/curves/secp256k1.ts";
import type { NodeOptions } from "./options.ts";

/** @throws {InvalidParamsError} `INVALID_OPTION` for an invalid mnemonic or key, and for a key that is given twice */
export async function openAccounts(options: NodeOptions): Promise<DevAccount[]> {
  const { accounts = DEV_ACCOUNTS, mnemonic = DEV_MNEMONIC, derivationPath = DEV_DERIVATION_PATH } = options;
  if (typeof accounts === "number") {
    const isInTable = mnemonic === DEV_MNEMONIC && derivationPath === DEV_DERIVATION_PATH && accounts <= DEV_ACCOUNTS;
    if (isInTable) return devAccounts(accounts);
    const { deriveAccounts } = await import("../../keyring/derive-accounts.ts");
    return deriveAccounts(mnemonic, accounts, derivationPath);
  }
  const seen = new Set<string>();
  return accounts.map(({ privateKey }, index) => {
    const bytes = decodeData(privateKey as Hex);
    if (!isPrivateKey(bytes)) throw invalid(index, "no key of secp256k1", "Give a number above 0 and below the order.");
    if (seen.has(bytesKey(bytes))) throw invalid(index, "the same key as one before", "Leave one of the two out.");
    seen.add(bytesKey(bytes));
    return accountOf(bytes);
  });
}

/** Balances of the accounts that the keyring began with, and of those that are funded by their address. The last one counts. */
export function fundedAddresses(options: NodeOptions, keyring: Keyring): FundedAddress[] {
  const { accounts, balance = DEV_BALANCE, fundedAccounts = [] } = options;
  const given = Array.isArray(accounts) ? (accounts as Exclude<typeof accounts, number | undefined>) : [];
  const own = keyring.first.map(({ address }, index) => ({ address, balance: given[index]?.balance ?? balance }));
  const others = fundedAccounts.map((account) => ({
    address: decodeData(account.address as Hex),
    balance: account.balance ?? balance,
  }));
  return [...new Map([...own, ...others].map((funded) => [bytesKey(funded.address), funded])).values()];
}

// The key itself is not shown: it may be worth something.
function invalid(index: number, reason: string, fix: string): InvalidParamsError {
  return new InvalidParamsError({
    code: "INVALID_OPTION",
    what: `The option accounts[${index}].privateKey is ${reason}.`,
    fix,
  });
}
