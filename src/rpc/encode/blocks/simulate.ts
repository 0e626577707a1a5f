/** Blocks of eth_simulateV1 as JSON: the members of a block and the results of its calls. */
import { effectiveGasPrice } from "../../../chainspec/transaction/transaction.ts";
import { ACCESS_LIST_TYPE } from "../../../chainspec/transaction/transaction-fields.ts";
import { encodeData, encodeQuantity, type Hex } from "../../../primitives/bytes/hex.ts";
import { failureOf } from "../../../services/simulate/call/failure.ts";
import type {
  SimulatedBlock,
  SimulatedCallResult,
  SimulatedTransaction,
} from "../../../services/simulate/simulate-v1/block.ts";
import { arrayOf, INTEGER, named, object, TEXT } from "../../openrpc/json-schema.ts";
import { DATA, QUANTITY } from "../../openrpc/primitives.ts";
import type { SimulatedBlock as SimulatedBlockJson, SimulatedCall, Transaction } from "../../wire-types.generated.ts";
import { encodeShownDimensions, GAS_DIMENSIONS } from "../gas-dimensions.ts";
import { encodeAccessList, encodeTypedMembers } from "../transactions/transaction.ts";
import { afterNumber, BLOCK_MEMBERS, encodeWithdrawal, OPTIONAL_BLOCK_MEMBERS, TRANSACTIONS } from "./block.ts";
import { encodeLogs, logSchema } from "./log.ts";

export const simulatedCallSchema = named("SimulatedCall", () =>
  object(
    { returnData: DATA, logs: arrayOf(logSchema), gasUsed: QUANTITY, maxUsedGas: QUANTITY, status: QUANTITY },
    { ...GAS_DIMENSIONS, error: object({ message: TEXT, code: INTEGER }, { data: DATA }) },
  ),
);

export const simulatedBlockSchema = named("SimulatedBlock", () =>
  object({ ...BLOCK_MEMBERS, transactions: TRANSACTIONS, calls: arrayOf(simulatedCallSchema) }, OPTIONAL_BLOCK_MEMBERS),
);

/** Code of a failure other than a revert (execution-apis). */
const VM_ERROR_CODE = -32015;

/** A simulated block with transaction hashes or whole transactions. */
export function encodeSimulatedBlock(block: SimulatedBlock, fullTransactions: boolean): SimulatedBlockJson {
  const { header, transactions, withdrawals } = block;
  return {
    number: encodeQuantity(header.number),
    ...afterNumber(header),
    size: encodeQuantity(block.size),
    uncles: [],
    transactions: fullTransactions
      ? transactions.map((tx, index) => encodeSimulatedTransaction(tx, block, index))
      : transactions.map(({ hash }) => encodeData(hash)),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals.map(encodeWithdrawal) }),
    calls: block.calls.map((_, index) => encodeCall(block, index)),
  };
}

function encodeCall(block: SimulatedBlock, txIndex: number): SimulatedCall {
  const { outcome, logs, bound } = block.calls[txIndex] as SimulatedCallResult;
  const { hash: txHash } = block.transactions[txIndex] as SimulatedTransaction;
  const { error } = outcome;
  return {
    returnData: error === undefined ? encodeData(outcome.output) : "0x",
    logs: encodeLogs(
      logs.map(({ log, index }) => ({
        log,
        block,
        isPending: false,
        txHash,
        txIndex,
        logIndex: index,
        removed: false,
      })),
    ),
    gasUsed: encodeQuantity(outcome.gasUsed),
    maxUsedGas: encodeQuantity(outcome.gasUsedBeforeRefund),
    ...encodeShownDimensions(outcome.dimensions),
    status: error === undefined ? "0x1" : "0x0",
    ...(error === undefined ? {} : { error: encodeFailure(failureOf(error, { ...outcome, bound })) }),
  };
}

function encodeFailure({
  code,
  rpcMessage,
  rpcCode,
  data,
}: ReturnType<typeof failureOf>): NonNullable<SimulatedCall["error"]> {
  if (code !== "EXECUTION_REVERTED") return { message: rpcMessage, code: VM_ERROR_CODE };
  return { message: rpcMessage, code: rpcCode, data: data as Hex };
}

function encodeSimulatedTransaction(tx: SimulatedTransaction, block: SimulatedBlock, index: number): Transaction {
  const { header } = block;
  return {
    blockHash: encodeData(block.hash),
    blockNumber: encodeQuantity(header.number),
    blockTimestamp: encodeQuantity(header.timestamp),
    from: encodeData(tx.sender),
    gas: encodeQuantity(tx.gasLimit),
    gasPrice: encodeQuantity(effectiveGasPrice(tx, header.baseFeePerGas)),
    hash: encodeData(tx.hash),
    input: encodeData(tx.data),
    nonce: encodeQuantity(tx.nonce),
    to: tx.to === undefined ? null : encodeData(tx.to),
    transactionIndex: encodeQuantity(index),
    value: encodeQuantity(tx.value),
    type: encodeQuantity(tx.type),
    ...(tx.type >= ACCESS_LIST_TYPE
      ? { chainId: encodeQuantity(tx.chainId), accessList: encodeAccessList(tx.accessList), yParity: "0x0" }
      : {}),
    ...encodeTypedMembers(tx),
    v: "0x0",
    r: "0x0",
    s: "0x0",
  };
}
