/** eth_*: signing without sending, and filling in transactions for others to sign. */
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { encodeFilledTransaction, filledTransactionSchema } from "../../encode/transactions/filled-transaction.ts";
import { encodeRawTransaction } from "../../encode/transactions/transaction.ts";
import { FILLING, SIGNING } from "../../errors.ts";
import { aliasedMethod, method, required } from "../../method.ts";
import { DATA, SIGNATURE } from "../../openrpc/primitives.ts";
import { callObject } from "../../schema/call-object.ts";
import { address, data } from "../../schema/primitives.ts";
import { typedData } from "../../schema/typed-data.ts";
import { EXAMPLE } from "../example-chain.ts";

export const sign = method({
  name: "eth_sign",
  summary: "Signs a message of one of the node's accounts, with the prefix of EIP-191.",
  answeredBy: "writer",
  params: [required("address", address), required("message", data)],
  result: SIGNATURE,
  errors: SIGNING,
  example: { params: [EXAMPLE.sender, "0x68656c6c6f"] },
  run: ({ messages }, [account, bytes]) => messages.signMessage(account, bytes),
  encode: encodeData,
});

export const signTypedData = aliasedMethod({
  names: ["eth_signTypedData_v4", "eth_signTypedData_v3", "eth_signTypedData"],
  summary: "Signs typed structured data (EIP-712), given as an object or as its JSON.",
  answeredBy: "writer",
  params: [required("address", address), required("typedData", typedData)],
  result: SIGNATURE,
  errors: [SIGNING, "TYPED_DATA_INVALID"],
  example: {
    params: [
      EXAMPLE.sender,
      {
        types: { Order: [{ name: "amount", type: "uint256" }] },
        primaryType: "Order",
        domain: { name: "Shop", chainId: 31337 },
        message: { amount: "7" },
      },
    ],
  },
  run: ({ messages }, [account, structured]) => messages.signTypedData(account, structured),
  encode: encodeData,
});

export const signTransaction = method({
  name: "eth_signTransaction",
  summary: "The signed bytes of a transaction of one of the node's accounts, which is not sent.",
  answeredBy: "writer",
  params: [required("transaction", callObject)],
  result: DATA,
  errors: [SIGNING, FILLING],
  example: { params: [{ ...EXAMPLE.call, gas: "0x186a0", nonce: "0x1" }] },
  run: async ({ submit }, [call]) => ({ tx: await submit.signTransaction(call) }),
  encode: encodeRawTransaction,
});

export const fillTransaction = method({
  name: "eth_fillTransaction",
  summary: "A transaction with nonce, fees and gas filled in, to be signed elsewhere.",
  answeredBy: "writer",
  params: [required("transaction", callObject)],
  result: filledTransactionSchema,
  errors: [SIGNING, FILLING],
  example: { params: [EXAMPLE.transfer] },
  run: ({ submit }, [call]) => submit.fill(call),
  encode: encodeFilledTransaction,
});
