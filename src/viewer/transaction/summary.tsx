/** The top of a transaction's page: its kind, its sender, and its cost. */
import type { JSX } from "preact";
import { Facts, Pill } from "../components/data.tsx";
import { Address, Copy } from "../components/hashes.tsx";
import { useHead } from "../rpc/live.ts";
import type { Receipt } from "../rpc/types.ts";
import { byteLength, dateTime, ether, grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { blobsText, Fee, Gas, GasPrice } from "./fee.tsx";
import type { WholeTransaction } from "./load.ts";

const TYPES: Readonly<Record<string, string>> = {
  "0x0": "legacy",
  "0x1": "access list",
  "0x2": "dynamic fee",
  "0x3": "blob",
  "0x4": "set code",
};

/** Fees are in ether, prices in gwei. */
export function Summary({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx, receipt } = whole;
  return (
    <header class="page-head">
      <h1>
        <Title whole={whole} /> <Status whole={whole} />
      </h1>
      <p class="whole-hash">
        <code>{tx.hash}</code> <Copy text={tx.hash} what="the transaction's hash" />{" "}
        <a class="small" href={`#/compare/${tx.hash}`}>
          compare
        </a>{" "}
        <a class="small" href={`#/simulate?again=${tx.hash}`}>
          simulate again
        </a>{" "}
        {receipt === undefined ? null : (
          <a class="small" href={`#/what-if/${tx.hash}`}>
            what if
          </a>
        )}
      </p>
      <Facts
        of={{
          From: <Address of={tx.from} />,
          To: <Address of={tx.to ?? receipt?.contractAddress} name={nameOf(whole)} />,
          Value: BigInt(tx.value) === 0n ? undefined : ether(tx.value),
          Block:
            receipt === undefined ? undefined : (
              <a href={`#/block/${receipt.blockHash}`}>{grouped(BigInt(receipt.blockNumber))}</a>
            ),
          Position: receipt === undefined ? undefined : <Position receipt={receipt} />,
          Time: whole.timestamp === undefined ? undefined : dateTime(whole.timestamp),
          Gas: <Gas whole={whole} />,
          Fee: receipt === undefined ? undefined : <Fee whole={whole} />,
          "Gas price": <GasPrice whole={whole} />,
          Blobs: blobsText(whole),
          Nonce: grouped(BigInt(tx.nonce)),
          Type: TYPES[tx.type] ?? tx.type,
          Input: tx.input === "0x" ? undefined : `${grouped(byteLength(tx.input))} bytes`,
        }}
      />
    </header>
  );
}

/** The index in the block, and how many blocks the chain has from there on. */
function Position({ receipt }: { readonly receipt: Receipt }): JSX.Element {
  const head = useHead();
  const { blockNumber, transactionIndex } = receipt;
  const count = head === undefined ? 0n : BigInt(head.number) - BigInt(blockNumber) + 1n;
  return (
    <>
      {Number(transactionIndex)}{" "}
      {count < 1n ? null : (
        <span class="quiet">
          with {grouped(count)} {count === 1n ? "confirmation" : "confirmations"}
        </span>
      )}
    </>
  );
}

/** Name of the called contract, taken from the calls; undefined if not known. */
function nameOf({ calls, tx, receipt }: WholeTransaction): string | undefined {
  const contract = calls[0]?.contract.replace(/@0x[0-9a-fA-F]{40}$/, "");
  if (contract === undefined || contract.startsWith("0x") || contract.startsWith("<")) return undefined;
  return tx.to === null && receipt?.contractAddress === null ? undefined : contract;
}

function Title({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { tx, calls } = whole;
  const called = calls[0]?.function;
  const name = nameOf(whole);
  if (tx.to === null) return <>Creation {name === undefined ? "" : `of ${shown(name, 60)}`}</>;
  if (called === null || called === undefined) return <>{tx.input === "0x" ? "Transfer" : "Transaction"}</>;
  return (
    <>
      {name === undefined ? "" : <span class="quiet">{shown(name, 60)}.</span>}
      {shown(called, 60)}
    </>
  );
}

function Status({ whole: { receipt } }: { readonly whole: WholeTransaction }): JSX.Element {
  if (receipt === undefined) return <Pill tone="wait">waiting</Pill>;
  if (receipt.status === undefined) return <Pill tone="wait">mined</Pill>;
  return receipt.status === "0x0" ? <Pill tone="fail">failed</Pill> : <Pill tone="ok">success</Pill>;
}
