/** The call object of eth_call, eth_sendTransaction, trace_call and kin. Unknown members are ignored, as in geth. */
import type { AccessListEntry, Authorization } from "../../chainspec/transaction.ts";
import type { CallRequest } from "../../executor/call-request.ts";
import { equalBytes } from "../../primitives/bytes.ts";
import { listOf, Problem } from "../../primitives/schema.ts";
import { object } from "../../primitives/schema-objects.ts";
import { address, data, hash, quantity, uint64 } from "./primitives.ts";

export const accessList = listOf(
  object({ address, storageKeys: listOf(hash).nullish() }).to(
    ({ address: account, storageKeys }): AccessListEntry => ({ address: account, storageKeys: storageKeys ?? [] }),
  ),
);

const authorization = object({
  chainId: quantity,
  address,
  nonce: quantity,
  yParity: quantity.optional(),
  v: quantity.optional(),
  r: quantity,
  s: quantity,
}).to(({ v, yParity, ...rest }): Authorization => ({ ...rest, yParity: yParity ?? v ?? 0n }));

const members = object({
  from: address.nullish(),
  to: address.nullish(),
  gas: uint64.nullish(),
  gasPrice: quantity.nullish(),
  maxFeePerGas: quantity.nullish(),
  maxPriorityFeePerGas: quantity.nullish(),
  value: quantity.nullish(),
  nonce: uint64.nullish(),
  data: data.nullish(),
  input: data.nullish(),
  accessList: accessList.nullish(),
  chainId: quantity.nullish(),
  type: quantity.nullish(),
  maxFeePerBlobGas: quantity.nullish(),
  blobVersionedHashes: listOf(hash).nullish(),
  authorizationList: listOf(authorization).nullish(),
});

export const callObject = members.to((call): CallRequest | Problem => {
  if (call.data !== undefined && call.input !== undefined && !equalBytes(call.data, call.input)) {
    return new Problem('expected "data" and "input" to be equal when both are set; use "input"', ["data"]);
  }
  if (call.gasPrice !== undefined && (call.maxFeePerGas !== undefined || call.maxPriorityFeePerGas !== undefined)) {
    const message =
      "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified: expected one way to state the fee";
    return new Problem(message, ["gasPrice"]);
  }
  return {
    from: call.from,
    to: call.to,
    gasLimit: call.gas,
    gasPrice: call.gasPrice,
    maxFeePerGas: call.maxFeePerGas,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas,
    value: call.value,
    nonce: call.nonce,
    data: call.input ?? call.data,
    accessList: call.accessList,
    chainId: call.chainId,
    type: call.type,
    maxFeePerBlobGas: call.maxFeePerBlobGas,
    blobVersionedHashes: call.blobVersionedHashes,
    authorizations: call.authorizationList,
  };
});
