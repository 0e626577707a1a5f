/** Lists the transactions in the pool, and why each is not mined yet. */
import type { JSX } from "preact";
import { Pill } from "../components/data.tsx";
import { Address, HashLink } from "../components/hashes.tsx";
import { isReadOnly } from "../components/read-only.tsx";
import { Scroll } from "../components/scroll.tsx";
import { Empty } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import type { Transaction } from "../rpc/types.ts";
import { ether, grouped, gwei } from "../text/format.ts";

type BySender = Readonly<Record<string, Readonly<Record<string, Transaction>>>>;

/** The answer of `txpool_content`. */
export interface PoolContent {
  readonly pending: BySender;
  readonly queued: BySender;
}

interface Props {
  readonly content: PoolContent;
  readonly onDone: () => void;
}

/** A transaction can be removed from the pool. */
export function PoolTable({ content, onDone }: Props): JSX.Element {
  const rows = [
    ...listed(content.pending).map((tx) => ({ tx, isPending: true })),
    ...listed(content.queued).map((tx) => ({ tx, isPending: false })),
  ];
  if (rows.length === 0) return <Empty>No transactions are waiting.</Empty>;
  return (
    <Scroll label="Waiting transactions">
      <table class="data stacked">
        <thead>
          <tr>
            <th>State</th>
            <th>Transaction</th>
            <th>From</th>
            <th>To</th>
            <th>Nonce</th>
            <th>Value</th>
            <th>Fee</th>
            {isReadOnly ? null : (
              <th>
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PoolRow key={row.tx.hash} {...row} onDone={onDone} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function listed(senders: BySender): readonly Transaction[] {
  return Object.values(senders).flatMap((byNonce) =>
    Object.values(byNonce).sort((left, right) => Number(BigInt(left.nonce) - BigInt(right.nonce))),
  );
}

function PoolRow(props: {
  readonly tx: Transaction;
  readonly isPending: boolean;
  readonly onDone: () => void;
}): JSX.Element {
  const { tx, isPending, onDone } = props;
  const drop = (): void => void ask("anvil_dropTransaction", tx.hash).then(onDone, onDone);
  return (
    <tr>
      <td>
        <Pill tone={isPending ? "ok" : "warn"}>{isPending ? "ready for a block" : "waits for an earlier nonce"}</Pill>
      </td>
      <td>
        <HashLink of={tx.hash} to="tx" />
      </td>
      <td>
        <Address of={tx.from} />
      </td>
      <td>
        <Address of={tx.to} />
      </td>
      <td>{grouped(BigInt(tx.nonce))}</td>
      <td>{ether(tx.value, 6)}</td>
      <td>{gwei(tx.maxFeePerGas ?? tx.gasPrice ?? "0x0")}</td>
      {isReadOnly ? null : (
        <td>
          <button type="button" class="small" onClick={drop}>
            Drop
          </button>
        </td>
      )}
    </tr>
  );
}
