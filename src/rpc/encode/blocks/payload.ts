/** A built block as engine_getPayload answers it (execution-apis). */
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { Payload } from "../../../services/simulate/call/payload.ts";
import { arrayOf, BOOLEAN, named, object } from "../../openrpc/json-schema.ts";
import { ADDRESS, BLOOM, DATA, HASH, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type { Payload as PayloadJson } from "../../wire-types.generated.ts";
import { encodeWithdrawal, withdrawalSchema } from "./block.ts";

export const payloadSchema = named("Payload", () =>
  object({
    executionPayload: object(
      {
        parentHash: HASH,
        feeRecipient: ADDRESS,
        stateRoot: HASH,
        receiptsRoot: HASH,
        logsBloom: BLOOM,
        prevRandao: WORD,
        blockNumber: QUANTITY,
        gasLimit: QUANTITY,
        gasUsed: QUANTITY,
        timestamp: QUANTITY,
        extraData: DATA,
        baseFeePerGas: QUANTITY,
        blockHash: HASH,
        transactions: arrayOf(DATA),
      },
      {
        withdrawals: arrayOf(withdrawalSchema),
        blobGasUsed: QUANTITY,
        excessBlobGas: QUANTITY,
        blockAccessList: DATA,
        slotNumber: QUANTITY,
      },
    ),
    blockValue: QUANTITY,
    blobsBundle: object({ commitments: arrayOf(DATA), proofs: arrayOf(DATA), blobs: arrayOf(DATA) }),
    executionRequests: arrayOf(DATA),
    shouldOverrideBuilder: BOOLEAN,
  }),
);

/** Commitments, proofs and blobs are those of all transactions, in their order. */
export function encodePayload(payload: Payload): PayloadJson {
  const { sidecars } = payload;
  return {
    executionPayload: encodeExecutionPayload(payload),
    blockValue: encodeQuantity(payload.value),
    blobsBundle: {
      commitments: sidecars.flatMap(({ commitments }) => commitments.map(encodeData)),
      proofs: sidecars.flatMap(({ proofs }) => proofs.map(encodeData)),
      blobs: sidecars.flatMap(({ blobs }) => blobs.map(encodeData)),
    },
    executionRequests: payload.requests.map(encodeData),
    shouldOverrideBuilder: false,
  };
}

function encodeExecutionPayload({ block, blockAccessList }: Payload): PayloadJson["executionPayload"] {
  const { header, transactions, withdrawals } = block;
  return {
    parentHash: encodeData(header.parentHash),
    feeRecipient: encodeData(header.coinbase),
    stateRoot: encodeData(header.stateRoot),
    receiptsRoot: encodeData(header.receiptsRoot),
    logsBloom: encodeData(header.logsBloom),
    prevRandao: encodeData(header.mixHash),
    blockNumber: encodeQuantity(header.number),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    timestamp: encodeQuantity(header.timestamp),
    extraData: encodeData(header.extraData),
    baseFeePerGas: encodeQuantity(header.baseFeePerGas ?? 0n),
    blockHash: encodeData(block.hash),
    transactions: transactions.map((tx) => encodeData(tx.encode())),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals.map(encodeWithdrawal) }),
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: encodeQuantity(header.blobGasUsed) }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: encodeQuantity(header.excessBlobGas) }),
    ...(blockAccessList === undefined ? {} : { blockAccessList: encodeData(blockAccessList) }),
    ...(header.slotNumber === undefined ? {} : { slotNumber: encodeQuantity(header.slotNumber) }),
  };
}
