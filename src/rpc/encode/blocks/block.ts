/** Blocks and uncles as JSON. */

import type { BlockView } from "../../../chain/block-views.ts";
import { blockSize, type Block as ChainBlock, makeBlock, type Withdrawal } from "../../../chainspec/header/block.ts";
import { type Header, hashHeader } from "../../../chainspec/header/header.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { FoundUncle } from "../../../services/query/block-queries.ts";
import { anyOf, arrayOf, named, object, orNull } from "../../openrpc/json-schema.ts";
import { ADDRESS, BLOOM, DATA, HASH, NONCE, QUANTITY, WORD } from "../../openrpc/primitives.ts";
import type {
  BadBlock,
  Block,
  Header as HeaderJson,
  Uncle,
  Withdrawal as WithdrawalJson,
} from "../../wire-types.generated.ts";
import type { ResponseShape } from "../shape.ts";
import { encodeTransaction, transactionSchema } from "../transactions/transaction.ts";

export const withdrawalSchema = named("Withdrawal", () =>
  object({ index: QUANTITY, validatorIndex: QUANTITY, address: ADDRESS, amount: QUANTITY }),
);

/** Members of a header; some are null in a pending block. */
const HEADER_MEMBERS = {
  number: orNull(QUANTITY),
  hash: orNull(HASH),
  parentHash: HASH,
  nonce: orNull(NONCE),
  sha3Uncles: HASH,
  logsBloom: orNull(BLOOM),
  transactionsRoot: HASH,
  stateRoot: HASH,
  receiptsRoot: HASH,
  miner: ADDRESS,
  difficulty: QUANTITY,
  extraData: DATA,
  gasLimit: QUANTITY,
  gasUsed: QUANTITY,
  timestamp: QUANTITY,
  mixHash: WORD,
};

const OPTIONAL_HEADER_MEMBERS = {
  baseFeePerGas: QUANTITY,
  withdrawalsRoot: HASH,
  blobGasUsed: QUANTITY,
  excessBlobGas: QUANTITY,
  parentBeaconBlockRoot: WORD,
  requestsHash: HASH,
  blockAccessListHash: HASH,
  slotNumber: QUANTITY,
};

/** Required members of every block. */
export const BLOCK_MEMBERS = { ...HEADER_MEMBERS, size: QUANTITY, uncles: arrayOf(HASH) };

/** Members that only some blocks have. */
export const OPTIONAL_BLOCK_MEMBERS = {
  ...OPTIONAL_HEADER_MEMBERS,
  withdrawals: arrayOf(withdrawalSchema),
  totalDifficulty: QUANTITY,
};

/** Transaction hashes, or whole transactions. */
export const TRANSACTIONS = anyOf(arrayOf(HASH), arrayOf(transactionSchema));

export const headerSchema = named("Header", () => object(HEADER_MEMBERS, OPTIONAL_HEADER_MEMBERS));

export const blockSchema = named("Block", () =>
  object({ ...BLOCK_MEMBERS, transactions: TRANSACTIONS }, OPTIONAL_BLOCK_MEMBERS),
);

export const badBlockSchema = named("BadBlock", () => object({ block: blockSchema, hash: HASH, rlp: DATA }));

export const uncleSchema = named("Uncle", () =>
  object({ ...BLOCK_MEMBERS, totalDifficulty: QUANTITY, transactions: arrayOf(HASH) }),
);

/** Members that the header's hardfork does not have are left out. */
export function encodeHeaderJson(header: Header): HeaderJson {
  return { number: encodeQuantity(header.number), ...afterNumber(header) };
}

/** The header of a block. Of the forked chain: as the upstream node sent it, because the chain may have further members. */
export function encodeHeaderOf({ header, given }: ChainBlock): HeaderJson {
  if (given === undefined) return encodeHeaderJson(header);
  const { transactions: _, uncles: __, withdrawals: ___, size: ____, ...members } = given;
  return members as unknown as HeaderJson;
}

/** The members after the number. A literal that begins with a spread takes V8 a microsecond for each further member. */
export function afterNumber(header: Header) {
  return {
    hash: encodeData(hashHeader(header)),
    ...commonMembers(header),
    ...(header.baseFeePerGas === undefined ? {} : { baseFeePerGas: encodeQuantity(header.baseFeePerGas) }),
    ...(header.withdrawalsRoot === undefined ? {} : { withdrawalsRoot: encodeData(header.withdrawalsRoot) }),
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: encodeQuantity(header.blobGasUsed) }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: encodeQuantity(header.excessBlobGas) }),
    ...(header.parentBeaconBlockRoot === undefined
      ? {}
      : { parentBeaconBlockRoot: encodeData(header.parentBeaconBlockRoot) }),
    ...(header.requestsHash === undefined ? {} : { requestsHash: encodeData(header.requestsHash) }),
    ...(header.blockAccessListHash === undefined
      ? {}
      : { blockAccessListHash: encodeData(header.blockAccessListHash) }),
    ...(header.slotNumber === undefined ? {} : { slotNumber: encodeQuantity(header.slotNumber) }),
  };
}

/** Members of every header, after number and hash. */
function commonMembers(header: Header) {
  return {
    parentHash: encodeData(header.parentHash),
    nonce: encodeData(header.nonce),
    sha3Uncles: encodeData(header.unclesHash),
    logsBloom: encodeData(header.logsBloom),
    transactionsRoot: encodeData(header.transactionsRoot),
    stateRoot: encodeData(header.stateRoot),
    receiptsRoot: encodeData(header.receiptsRoot),
    miner: encodeData(header.coinbase),
    difficulty: encodeQuantity(header.difficulty),
    extraData: encodeData(header.extraData),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    timestamp: encodeQuantity(header.timestamp),
    mixHash: encodeData(header.mixHash),
  };
}

/**
 * A block with transaction hashes or whole transactions.
 *
 * In the `parity` shape, number, hash, nonce and bloom of a pending block are null, and every block has a total
 * difficulty. In the `standard` shape a pending block is as in geth: hash and nonce are null, everything else is filled
 * in as far as known.
 */
export function encodeBlockJson(view: BlockView, fullTransactions: boolean, shape: ResponseShape): Block {
  const { block, isPending } = view;
  if (block.given !== undefined) return foreignBlock(view, fullTransactions, shape);
  return {
    number: encodeQuantity(block.header.number),
    ...afterNumber(block.header),
    ...(isPending ? pendingMembers(shape) : {}),
    ...(shape === "parity" ? { totalDifficulty: encodeQuantity(view.totalDifficulty) } : {}),
    size: encodeQuantity(blockSize(block)),
    uncles: block.uncles.map((uncle) => encodeData(hashHeader(uncle))),
    transactions: fullTransactions
      ? block.transactions.map((tx, index) => encodeTransaction({ tx, view, index }, shape))
      : block.transactions.map((tx) => encodeData(tx.hash)),
    ...(block.withdrawals === undefined ? {} : { withdrawals: block.withdrawals.map(encodeWithdrawal) }),
  };
}

/** A block of the forked chain, as the upstream node sent it. */
function foreignBlock(view: BlockView, fullTransactions: boolean, shape: ResponseShape): Block {
  const { block } = view;
  const further = shape === "parity" ? { totalDifficulty: encodeQuantity(view.totalDifficulty) } : {};
  const transactions = fullTransactions
    ? block.transactions.map((tx, index) => encodeTransaction({ tx, view, index }, shape))
    : block.transactions.map((tx) => encodeData(tx.hash));
  return { ...further, ...block.given, transactions } as unknown as Block;
}

/** A refused block with all its transactions. */
export function encodeBadBlock(
  bad: { readonly view: BlockView; readonly bytes: Bytes },
  shape: ResponseShape,
): BadBlock {
  const { view, bytes } = bad;
  return { block: encodeBlockJson(view, true, shape), hash: encodeData(view.block.hash), rlp: encodeData(bytes) };
}

function pendingMembers(shape: ResponseShape): Partial<Block> {
  const unsealed = { hash: null, nonce: null };
  return shape === "parity" ? { ...unsealed, number: null, logsBloom: null } : unsealed;
}

/** An uncle: its header and its size as a block without a body; no transactions. */
export function encodeUncle({ header, totalDifficulty, given }: FoundUncle): Uncle {
  if (given !== undefined) return given as unknown as Uncle;
  const asBlock = makeBlock(header, { transactions: [], uncles: [], withdrawals: undefined });
  return {
    number: encodeQuantity(header.number),
    hash: encodeData(hashHeader(header)),
    ...commonMembers(header),
    totalDifficulty: encodeQuantity(totalDifficulty),
    size: encodeQuantity(blockSize(asBlock)),
    uncles: [],
    transactions: [],
  };
}

/** The amount is in Gwei (EIP-4895). */
export function encodeWithdrawal(withdrawal: Withdrawal): WithdrawalJson {
  return {
    index: encodeQuantity(withdrawal.index),
    validatorIndex: encodeQuantity(withdrawal.validatorIndex),
    address: encodeData(withdrawal.address),
    amount: encodeQuantity(withdrawal.amount),
  };
}
