/** Blocks from answers of testing_buildBlockV1, in the form in which they are imported. */
import { RLP } from "@ethereumjs/rlp";
import { hashRequests } from "../../src/executor/requests.ts";
import type { Bytes } from "../../src/primitives/bytes/bytes.ts";
import { decodeData, type Hex } from "../../src/primitives/bytes/hex.ts";
import { EMPTY_UNCLES_HASH, keccak256 } from "../../src/primitives/hash/hash.ts";
import type { Payload } from "../../src/rpc/wire-types.generated.ts";
import { listRoot } from "../../src/state/trie/list-root.ts";

const integer = (value: Hex): bigint => BigInt(value);

/**
 * RLP of the block of a payload, by the engine API's rules for members that a payload leaves out. The importing node
 * refuses it if they are not those of the block that was built, and its hash must be the payload's.
 */
export function blockOfPayload(
  { executionPayload: payload, executionRequests }: Payload,
  parentBeaconBlockRoot: Hex | undefined,
): Bytes {
  const transactions = payload.transactions.map(decodeData);
  const withdrawals = payload.withdrawals?.map(({ index, validatorIndex, address, amount }) => [
    integer(index),
    integer(validatorIndex),
    decodeData(address),
    integer(amount),
  ]);
  const { blobGasUsed, excessBlobGas, blockAccessList, slotNumber } = payload;
  const header = [
    decodeData(payload.parentHash),
    EMPTY_UNCLES_HASH,
    decodeData(payload.feeRecipient),
    decodeData(payload.stateRoot),
    listRoot(transactions),
    decodeData(payload.receiptsRoot),
    decodeData(payload.logsBloom),
    0n,
    integer(payload.blockNumber),
    integer(payload.gasLimit),
    integer(payload.gasUsed),
    integer(payload.timestamp),
    decodeData(payload.extraData),
    decodeData(payload.prevRandao),
    new Uint8Array(8),
    integer(payload.baseFeePerGas),
    ...(withdrawals === undefined ? [] : [listRoot(withdrawals.map((each) => RLP.encode(each)))]),
    ...(blobGasUsed === undefined ? [] : [integer(blobGasUsed), integer(excessBlobGas as Hex)]),
    ...(parentBeaconBlockRoot === undefined
      ? []
      : [decodeData(parentBeaconBlockRoot), hashRequests(executionRequests.map(decodeData))]),
    ...(blockAccessList === undefined ? [] : [keccak256(decodeData(blockAccessList)), integer(slotNumber as Hex)]),
  ];
  // A legacy transaction is a list in the body, the others are strings (EIP-2718).
  const items = transactions.map((bytes) => ((bytes[0] as number) >= 0xc0 ? RLP.decode(bytes) : bytes));
  return RLP.encode([header, items, [], ...(withdrawals === undefined ? [] : [withdrawals])]);
}
