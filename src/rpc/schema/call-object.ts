/** The call object of eth_call, eth_sendTransaction, trace_call and others. Unknown members are ignored, as in geth. */
import { z } from "zod";
import type { CallRequest } from "../../chainspec/transaction/call-request.ts";
import type { AccessListEntry, Authorization } from "../../chainspec/transaction/transaction-fields.ts";
import { equalBytes } from "../../primitives/bytes/bytes.ts";
import { namedMembers } from "./named-members.ts";
import { address, data, hash, quantity, uint64 } from "./primitives.ts";

/** An access list (EIP-2930). An entry may lack its slots. */
export const accessList = z
  .array(namedMembers(z.object({ address, storageKeys: z.array(hash).nullish() })))
  .transform((list) =>
    list.map(
      ({ address: account, storageKeys }): AccessListEntry => ({ address: account, storageKeys: storageKeys ?? [] }),
    ),
  );

const PARITY_SHAPE = 'expected the parity of the signature: yParity "0x0" or "0x1"';

/**
 * An authorization within the bounds of EIP-7702. One that is within them but signs nothing is not refused: the
 * transaction that has it skips it. Signers that state `v` as in old signatures have the parity in it.
 */
const authorization = namedMembers(
  z.object({
    chainId: quantity,
    address,
    nonce: uint64,
    yParity: quantity.refine((value) => value < 256n, { message: "expected a QUANTITY below 2^8" }).nullish(),
    v: quantity.nullish(),
    r: quantity,
    s: quantity,
  }),
).transform(({ v, yParity, ...rest }, context): Authorization => {
  const parity = yParity ?? (v == null ? undefined : parityOf(v));
  if (parity !== undefined) return { ...rest, yParity: parity };
  const message = v == null ? PARITY_SHAPE : `${PARITY_SHAPE}, or v "0x1b" or "0x1c" in its place`;
  context.addIssue({ code: "custom", path: [v == null ? "yParity" : "v"], message });
  return z.NEVER;
});

/** Undefined for a `v` that is none of an authorization: neither the parity itself nor 27 more. */
function parityOf(v: bigint): bigint | undefined {
  if (v === 27n || v === 28n) return v - 27n;
  return v > 1n ? undefined : v;
}

const members = z.object({
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
  blobVersionedHashes: z.array(hash).nullish(),
  authorizationList: z.array(authorization).nullish(),
  blobs: z.array(data).nullish(),
  commitments: z.array(data).nullish(),
  proofs: z.array(data).nullish(),
});

/** Members with blobs, or that prove them. */
const BLOB_MEMBERS = ["blobs", "commitments", "proofs"] as const;

/** The members that all methods share. `data` and `input` are one member by two names, and must not differ. */
export const callObject = members
  .superRefine((call, context) => {
    if (call.data != null && call.input != null && !equalBytes(call.data, call.input)) {
      context.addIssue({
        code: "custom",
        path: ["data"],
        message: 'expected "data" and "input" to be equal when both are set; use "input"',
      });
    }
    if (call.gasPrice != null && (call.maxFeePerGas != null || call.maxPriorityFeePerGas != null)) {
      context.addIssue({
        code: "custom",
        path: ["gasPrice"],
        message:
          "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified: expected one way to state the fee",
        params: { isTip: call.maxFeePerGas == null },
      });
    }
  })
  .transform(
    (call): CallRequest => ({
      from: call.from ?? undefined,
      to: call.to ?? undefined,
      gasLimit: call.gas ?? undefined,
      gasPrice: call.gasPrice ?? undefined,
      maxFeePerGas: call.maxFeePerGas ?? undefined,
      maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? undefined,
      value: call.value ?? undefined,
      nonce: call.nonce ?? undefined,
      data: call.input ?? call.data ?? undefined,
      accessList: call.accessList ?? undefined,
      chainId: call.chainId ?? undefined,
      type: call.type ?? undefined,
      maxFeePerBlobGas: call.maxFeePerBlobGas ?? undefined,
      blobVersionedHashes: call.blobVersionedHashes ?? undefined,
      authorizations: call.authorizationList ?? undefined,
      blobMember: BLOB_MEMBERS.find((name) => call[name] != null),
    }),
  );

/** Calls that run one on top of the other; at least one. */
export const callObjects = z
  .array(callObject, { error: "expected an array of calls" })
  .min(1, { error: "expected at least one call" });
