/** anvil_*, hardhat_*, ganache_*, tenderly_*, evm_*: edits of accounts between blocks, and impersonation. */
import { z } from "zod";
import { undone } from "../../encode/dev-answers.ts";
import { asIs, nothing } from "../../encode/shape.ts";
import { aliasedMethod, inEveryMode, required } from "../../method.ts";
import { BOOLEAN, NULL } from "../../openrpc/json-schema.ts";
import { enabled, looseData, signature, storedWord, word } from "../../schema/control-params.ts";
import { address, amount, countOrDecimal } from "../../schema/primitives.ts";
import { EXAMPLE } from "../example-chain.ts";

export const setBalance = aliasedMethod({
  names: [...inEveryMode("setBalance"), "tenderly_setBalance"],
  summary: "Sets an account's balance, in wei.",
  writes: true,
  params: [required("address", address), required("balance", amount)],
  result: NULL,
  example: { params: [EXAMPLE.recipient, "0xde0b6b3a7640000"] },
  run: ({ control }, [account, balance]) => control.accounts.setBalance(account, balance),
  encode: nothing,
});

export const evmSetAccountBalance = aliasedMethod({
  names: ["evm_setAccountBalance"],
  summary: "Sets an account's balance, in wei (Ganache).",
  writes: true,
  params: [required("address", address), required("balance", amount)],
  result: BOOLEAN,
  example: { params: [EXAMPLE.recipient, "0xde0b6b3a7640000"] },
  run: async ({ control }, [account, balance]) => {
    await control.accounts.setBalance(account, balance);
    return true;
  },
  encode: asIs,
});

export const addBalance = aliasedMethod({
  names: [...inEveryMode("addBalance"), "tenderly_addBalance"],
  summary: "Adds wei to an account's balance.",
  writes: true,
  params: [required("address", address), required("amount", amount)],
  result: NULL,
  example: { params: [EXAMPLE.recipient, "0x1"] },
  run: ({ control }, [account, wei]) => control.accounts.addBalance(account, wei),
  encode: nothing,
});

export const setNonce = aliasedMethod({
  names: [...inEveryMode("setNonce"), "evm_setAccountNonce"],
  summary: "Sets an account's nonce.",
  writes: true,
  params: [required("address", address), required("nonce", countOrDecimal)],
  result: NULL,
  example: { params: [EXAMPLE.other, "0x5"] },
  run: ({ control }, [account, nonce]) => control.accounts.setNonce(account, nonce),
  encode: nothing,
});

export const setCode = aliasedMethod({
  names: [...inEveryMode("setCode"), "tenderly_setCode"],
  summary: "Sets an account's code.",
  writes: true,
  params: [required("address", address), required("code", looseData)],
  result: NULL,
  example: { params: [EXAMPLE.other, "0x00"] },
  run: ({ control }, [account, code]) => control.accounts.setCode(account, code),
  encode: nothing,
});

export const evmSetAccountCode = aliasedMethod({
  names: ["evm_setAccountCode"],
  summary: "Sets an account's code (Ganache).",
  writes: true,
  params: [required("address", address), required("code", looseData)],
  result: BOOLEAN,
  example: { params: [EXAMPLE.other, "0x"] },
  run: async ({ control }, [account, code]) => {
    await control.accounts.setCode(account, code);
    return true;
  },
  encode: asIs,
});

export const setStorageAt = aliasedMethod({
  names: [...inEveryMode("setStorageAt"), "tenderly_setStorageAt", "evm_setAccountStorageAt"],
  summary: "Sets a storage slot. Answers true.",
  writes: true,
  params: [required("address", address), required("slot", word), storedWord("value")],
  result: BOOLEAN,
  example: { params: [EXAMPLE.other, "0x0", EXAMPLE.word] },
  run: async ({ control }, [account, slot, value]) => {
    await control.accounts.setStorageAt(account, slot, value);
    return true;
  },
  encode: asIs,
});

export const impersonateAccount = aliasedMethod({
  names: inEveryMode("impersonateAccount"),
  summary: "Lets an address send transactions without a key.",
  writes: true,
  params: [required("address", address)],
  result: NULL,
  example: { params: [EXAMPLE.contract] },
  run: ({ control }, [account]) => control.accounts.impersonate(account),
  encode: nothing,
});

export const stopImpersonatingAccount = aliasedMethod({
  names: inEveryMode("stopImpersonatingAccount"),
  summary: "Ends the impersonation of an address.",
  writes: true,
  params: [required("address", address)],
  result: NULL,
  example: { params: [EXAMPLE.contract] },
  run: ({ control }, [account]) => control.accounts.stopImpersonating(account),
  encode: undone,
});

export const autoImpersonateAccount = aliasedMethod({
  names: inEveryMode("autoImpersonateAccount"),
  summary: "Lets every address send transactions without a key, or ends that.",
  writes: true,
  params: [required("enabled", enabled)],
  result: NULL,
  example: { params: [false] },
  run: ({ control }, [value]) => control.accounts.setAutoImpersonate(value),
  encode: nothing,
});

export const impersonateSignature = aliasedMethod({
  names: inEveryMode("impersonateSignature"),
  summary: "Lets a signature recover to an address after the head, in ecrecover and as a sender.",
  writes: true,
  params: [required("signature", signature), required("address", address)],
  result: NULL,
  run: ({ control }, [bytes, signer]) => control.impersonateSignature(bytes, signer),
  encode: nothing,
});

const passphrase = z.string({ error: "expected a passphrase" });

export const evmAddAccount = aliasedMethod({
  names: ["evm_addAccount"],
  summary: "Lets an address send transactions without a key. Answers false if it already may (Ganache).",
  writes: true,
  params: [required("address", address), required("passphrase", passphrase)],
  result: BOOLEAN,
  example: { params: [EXAMPLE.contract, ""] },
  run: ({ accounts }, [account, words]) => accounts.addAddress(account, words),
  encode: asIs,
});

export const evmRemoveAccount = aliasedMethod({
  names: ["evm_removeAccount"],
  summary: "Undoes `evm_addAccount`. Answers whether there was such an address (Ganache).",
  writes: true,
  params: [required("address", address), required("passphrase", passphrase)],
  result: BOOLEAN,
  errors: ["WRONG_PASSPHRASE"],
  example: { params: [EXAMPLE.contract, ""] },
  run: ({ accounts }, [account, words]) => accounts.removeAddress(account, words),
  encode: asIs,
});
