/** The cost of a transaction: its gas, and its fee with the parts that are burnt, paid to the miner, and for blobs. */
import type { JSX } from "preact";
import { Bar } from "../components/data.tsx";
import { ask } from "../rpc/client.ts";
import type { Hex } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { ether, grouped, gwei } from "../text/format.ts";
import type { WholeTransaction } from "./load.ts";

interface Props {
  readonly whole: WholeTransaction;
}

/** Of the limit. */
export function Gas({ whole: { tx, receipt } }: Props): JSX.Element {
  if (receipt === undefined) return <>limit {grouped(BigInt(tx.gas))}</>;
  const { stateGasUsed = "0x0" } = receipt;
  return (
    <>
      <Bar part={receipt.gasUsed} whole={tx.gas} label="Gas" /> {grouped(BigInt(receipt.gasUsed))}{" "}
      <span class="quiet">
        of {grouped(BigInt(tx.gas))}
        {BigInt(stateGasUsed) === 0n ? "" : `, ${grouped(BigInt(stateGasUsed))} for state`}
      </span>
    </>
  );
}

/** The whole fee. Its parts come when the base fee of the block is known. */
export function Fee({ whole: { tx, receipt } }: Props): JSX.Element | null {
  const hash = receipt?.blockHash ?? "";
  const load = (): Promise<{ readonly baseFeePerGas?: Hex } | null> => ask("eth_getHeaderByHash", hash);
  const { value: header } = useLoaded(load, hash);
  if (receipt === undefined) return null;
  const gas = BigInt(receipt.gasUsed);
  const price = BigInt(receipt.effectiveGasPrice ?? "0x0");
  const forBlobs = BigInt(receipt.blobGasUsed ?? "0x0") * BigInt(receipt.blobGasPrice ?? "0x0");
  const baseFee = header?.baseFeePerGas;
  const parts = [
    ...(baseFee === undefined
      ? []
      : [`${ether(gas * BigInt(baseFee), 8)} burnt`, `${ether(gas * (price - BigInt(baseFee)), 8)} to the miner`]),
    ...(forBlobs === 0n ? [] : [`${ether(forBlobs, 8)} for blobs`]),
    ...(tx.maxFeePerGas === undefined ? [] : [`${ether(gas * (BigInt(tx.maxFeePerGas) - price), 8)} below the limit`]),
  ];
  return (
    <>
      {ether(gas * price + forBlobs, 8)} {parts.length === 0 ? null : <span class="quiet">{parts.join(", ")}</span>}
    </>
  );
}

/** The price that was paid, and the most that the sender would have paid. */
export function GasPrice({ whole: { tx, receipt } }: Props): JSX.Element {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = tx;
  const paid = receipt?.effectiveGasPrice ?? (maxFeePerGas === undefined ? gasPrice : undefined);
  const most =
    maxFeePerGas === undefined ? "" : `at most ${gwei(maxFeePerGas)}, of it ${gwei(maxPriorityFeePerGas ?? "0x0")} tip`;
  return (
    <>
      {paid === undefined ? null : gwei(paid)} <span class="quiet">{most}</span>
    </>
  );
}

/** Blobs with their gas and its price; undefined without blobs. */
export function blobsText({ tx, receipt }: WholeTransaction): string | undefined {
  const count = tx.blobVersionedHashes?.length ?? 0;
  if (count === 0) return undefined;
  const blobs = `${count} ${count === 1 ? "blob" : "blobs"}`;
  if (receipt?.blobGasUsed === undefined)
    return tx.maxFeePerBlobGas === undefined ? blobs : `${blobs}, at most ${gwei(tx.maxFeePerBlobGas)} per blob gas`;
  const price = receipt.blobGasPrice === undefined ? "" : ` at ${gwei(receipt.blobGasPrice)}`;
  const most = tx.maxFeePerBlobGas === undefined ? "" : `, at most ${gwei(tx.maxFeePerBlobGas)}`;
  return `${blobs}, ${grouped(BigInt(receipt.blobGasUsed))} blob gas${price}${most}`;
}
