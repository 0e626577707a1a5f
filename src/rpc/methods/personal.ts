/** personal_*: accounts with passphrases, as Ganache and earlier versions of geth have them. They live as long as the node. */
import { z } from "zod";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { fromHexDigits } from "../../primitives/platform/encodings.ts";
import { asIs, list } from "../encode/shape.ts";
import { encodeSignedTransaction, signedTransactionSchema } from "../encode/transactions/transaction.ts";
import { FILLING, SIGNING } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import { arrayOf, BOOLEAN } from "../openrpc/json-schema.ts";
import { ADDRESS, HASH, SIGNATURE } from "../openrpc/primitives.ts";
import { callObject } from "../schema/call-object.ts";
import { count } from "../schema/control-params.ts";
import { address, data } from "../schema/primitives.ts";
import { message } from "../schema/typed-data.ts";
import { EXAMPLE } from "./example-chain.ts";

const passphrase = z.string({ error: "expected a passphrase" });
const KEY_SHAPE = "expected a private key of 32 bytes as hex digits, with or without 0x";
/** geth takes keys without 0x, Ganache with it. */
const rawKey = z
  .string({ error: KEY_SHAPE })
  .regex(/^(?:0x)?[0-9a-fA-F]{64}$/, { error: KEY_SHAPE })
  .transform((text) => fromHexDigits(text.slice(-64)));

export const personalSign = method({
  name: "personal_sign",
  summary: "Signs a message of one of the node's accounts, with the prefix of EIP-191. The password is ignored.",
  answeredBy: "writer",
  params: [required("message", message), required("address", address), optional("password", z.string())],
  result: SIGNATURE,
  errors: SIGNING,
  example: { params: ["0x68656c6c6f", EXAMPLE.sender] },
  run: ({ messages }, [bytes, account]) => messages.signMessage(account, bytes),
  encode: encodeData,
});

export const ecRecover = method({
  name: "personal_ecRecover",
  summary: "The address that signed a message with the prefix of EIP-191.",
  params: [required("message", message), required("signature", data)],
  result: ADDRESS,
  example: {
    params: [
      "0x68656c6c6f",
      "0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c",
    ],
  },
  run: ({ messages }, [bytes, signature]) => messages.signerOf(bytes, signature),
  encode: encodeData,
});

export const listAccounts = method({
  name: "personal_listAccounts",
  summary: "Addresses that this node has keys for, including locked ones.",
  answeredBy: "writer",
  params: [],
  result: arrayOf(ADDRESS),
  example: { params: [] },
  run: ({ accounts }) => accounts.list(),
  encode: list(encodeData),
});

export const newAccount = method({
  name: "personal_newAccount",
  summary: "Makes an account with a new key, locked until it is unlocked. Answers its address.",
  writes: true,
  params: [required("passphrase", passphrase)],
  result: ADDRESS,
  run: ({ accounts }, [words]) => accounts.add(words),
  encode: encodeData,
});

export const importRawKey = method({
  name: "personal_importRawKey",
  summary: "Adds an account by its private key, locked until it is unlocked. Answers its address.",
  writes: true,
  params: [required("privateKey", rawKey), required("passphrase", passphrase)],
  result: ADDRESS,
  example: { params: ["1111111111111111111111111111111111111111111111111111111111111111", "secret"] },
  run: ({ accounts }, [key, words]) => accounts.add(words, key),
  encode: encodeData,
});

export const unlockAccount = method({
  name: "personal_unlockAccount",
  summary: "Lets an account sign for some seconds, by default 300; 0 sets no limit. Answers true.",
  writes: true,
  params: [required("address", address), required("passphrase", passphrase), optional("seconds", count)],
  result: BOOLEAN,
  errors: ["UNKNOWN_ACCOUNT", "WRONG_PASSPHRASE"],
  example: { params: ["0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a", "secret", 60] },
  run: ({ accounts }, [account, words, seconds]) => {
    accounts.unlock(account, words, seconds);
    return true;
  },
  encode: asIs,
});

export const lockAccount = method({
  name: "personal_lockAccount",
  summary: "Locks an account. Answers false if the node does not have it.",
  writes: true,
  params: [required("address", address)],
  result: BOOLEAN,
  example: { params: ["0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a"] },
  run: ({ accounts }, [account]) => accounts.lock(account),
  encode: asIs,
});

export const personalSendTransaction = method({
  name: "personal_sendTransaction",
  summary: "Signs and sends a transaction of an account, which may be locked.",
  writes: true,
  params: [required("transaction", callObject), required("passphrase", passphrase)],
  result: HASH,
  errors: [SIGNING, "WRONG_PASSPHRASE", FILLING, "BLOCK_NOT_MINABLE", "BLOCK_REJECTED"],
  run: ({ accounts, submit }, [call, words]) => submit.sendAs(accounts.open(submit.senderOf(call), words), call),
  encode: encodeData,
});

export const personalSignTransaction = method({
  name: "personal_signTransaction",
  summary: "Signs a transaction of an account, which may be locked, and does not send it.",
  answeredBy: "writer",
  params: [required("transaction", callObject), required("passphrase", passphrase)],
  result: signedTransactionSchema,
  errors: [SIGNING, "WRONG_PASSPHRASE", FILLING],
  run: ({ accounts, submit }, [call, words]) =>
    submit.signTransaction(call, accounts.open(submit.senderOf(call), words)),
  encode: encodeSignedTransaction,
});
