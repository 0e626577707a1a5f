/** The transaction that a script traces, and the `ctx` that its `result` receives. */
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";

/** The transaction as scripts see it. */
export interface ScriptTransaction {
  readonly from: Bytes;
  /** Recipient, or the address of the new contract. */
  readonly to: Bytes;
  readonly isCreation: boolean;
  readonly input: Bytes;
  /** wei */
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly intrinsicGas: bigint;
  /** wei per gas */
  readonly gasPrice: bigint;
  readonly blockNumber: bigint;
  readonly coinbase: Bytes;
  readonly place?: { readonly blockHash: Bytes; readonly txHash: Bytes; readonly txIndex: number } | undefined;
}

/** Result of the transaction. */
export interface ScriptOutcome {
  readonly gasUsed: bigint;
  readonly output: Bytes;
  readonly error: string | undefined;
}

/** The members of `ctx`. */
export function resultContext(transaction: ScriptTransaction, { gasUsed, output, error }: ScriptOutcome): unknown {
  const { from, to, isCreation, input, value, gasLimit, place, ...tx } = transaction;
  return {
    type: isCreation ? "CREATE" : "CALL",
    from: encodeData(from),
    to: encodeData(to),
    input: encodeData(input),
    gas: Number(gasLimit),
    gasUsed: Number(gasUsed),
    gasPrice: encodeQuantity(tx.gasPrice),
    intrinsicGas: Number(tx.intrinsicGas),
    value: encodeQuantity(value),
    block: Number(tx.blockNumber),
    coinbase: encodeData(tx.coinbase),
    output: encodeData(output),
    ...(error === undefined ? {} : { error }),
    ...(place === undefined
      ? {}
      : { blockHash: encodeData(place.blockHash), txHash: encodeData(place.txHash), txIndex: place.txIndex }),
  };
}
