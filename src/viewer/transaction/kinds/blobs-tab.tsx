/** Lists the blobs of a transaction: their hashes, and their bytes while the node has them. */
import type { JSX } from "preact";
import { Panel } from "../../components/data.tsx";
import { Copy } from "../../components/hashes.tsx";
import { Empty, Problem } from "../../components/states.tsx";
import { ask } from "../../rpc/client.ts";
import type { Transaction } from "../../rpc/types.ts";
import { useLoaded } from "../../rpc/use-loaded.ts";
import { byteLength, grouped } from "../../text/format.ts";
import { save } from "../../text/save.ts";
import { shown } from "../../text/shown.ts";

/** Digits of a blob that are shown; all of it can be saved. */
const SHOWN_DIGITS = 514;

/** By `anvil_getBlobsByTransactionHash`. A blob has 131,072 bytes, so they are loaded when the tab is opened. */
export function BlobsTab({ tx }: { readonly tx: Transaction }): JSX.Element {
  const load = (): Promise<readonly string[] | null> => ask("anvil_getBlobsByTransactionHash", tx.hash);
  const { value, error } = useLoaded(load, tx.hash);
  if (error !== undefined) return <Problem title="The blobs cannot be read" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const hashes = tx.blobVersionedHashes ?? [];
  return (
    <>
      {value === null ? (
        <Empty>The node does not keep the bytes of these blobs: blocks hold only their hashes.</Empty>
      ) : null}
      {hashes.map((hash, index) => (
        <Blob key={index} index={index} hash={hash} blob={value?.[index]} />
      ))}
    </>
  );
}

function Blob(props: {
  readonly index: number;
  readonly hash: string;
  readonly blob: string | undefined;
}): JSX.Element {
  const { index, hash, blob } = props;
  return (
    <Panel
      title={`Blob ${index}`}
      actions={
        blob === undefined ? null : (
          <button type="button" class="small" onClick={() => save(`blob-${hash.slice(0, 10)}.txt`, "text/plain", blob)}>
            Save
          </button>
        )
      }
    >
      <p class="whole-hash">
        <code>{hash}</code> <Copy text={hash} what="the versioned hash" />
      </p>
      {blob === undefined ? null : (
        <details>
          <summary>
            {grouped(byteLength(blob))} bytes, {grouped(lengthUsed(blob))} before the last zeros
          </summary>
          <pre class="json">{shown(blob.slice(0, SHOWN_DIGITS), SHOWN_DIGITS)}…</pre>
        </details>
      )}
    </Panel>
  );
}

/** Bytes up to the last one that is not zero. */
function lengthUsed(blob: string): number {
  return Math.ceil((blob.replace(/0+$/, "").length - 2) / 2);
}
