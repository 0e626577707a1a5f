/** Lists the authorizations of a set-code transaction: who delegates to which code, and what became of it. */
import type { JSX } from "preact";
import { useContracts } from "../../abi/contracts.ts";
import { Panel, Pill, SaveButtons } from "../../components/data.tsx";
import { Address } from "../../components/hashes.tsx";
import { Scroll } from "../../components/scroll.tsx";
import { Empty, Problem } from "../../components/states.tsx";
import type { Transaction } from "../../rpc/types.ts";
import { useLoaded } from "../../rpc/use-loaded.ts";
import { grouped } from "../../text/format.ts";
import { type JudgedAuthorization, judgeAuthorizations } from "./authorizations.ts";

interface Props {
  readonly tx: Transaction;
  /** Undefined while it waits. */
  readonly blockHash: string | undefined;
}

/** An authorization lasts also if the transaction fails. */
export function AuthorizationsTab({ tx, blockHash }: Props): JSX.Element {
  const { value, error } = useLoaded(() => judgeAuthorizations(tx), tx.hash, blockHash);
  const contracts = useContracts(tx.authorizationList?.map(({ address }) => address) ?? []);
  if (error !== undefined) return <Problem title="The authorizations cannot be checked" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  return (
    <Panel title="Authorizations" actions={<SaveButtons name="authorizations" rows={value.map(rowOf)} />}>
      <Scroll label="Authorizations">
        <table class="data stacked">
          <thead>
            <tr>
              <th>Account</th>
              <th>Delegates to</th>
              <th>Nonce</th>
              <th>Chain</th>
              <th>Outcome</th>
            </tr>
          </thead>
          <tbody>
            {value.map(({ authorization, authority, refusal }, index) => (
              <tr key={index}>
                <td>{authority === undefined ? <span class="quiet">nobody</span> : <Address of={authority} />}</td>
                <td>
                  {BigInt(authorization.address) === 0n ? (
                    "nothing: ends its delegation"
                  ) : (
                    <Address of={authorization.address} name={contracts.get(authorization.address)?.name} />
                  )}
                </td>
                <td>{grouped(BigInt(authorization.nonce))}</td>
                <td>{BigInt(authorization.chainId) === 0n ? "any" : String(BigInt(authorization.chainId))}</td>
                <td>
                  <Outcome refusal={blockHash === undefined ? undefined : refusal} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  );
}

function Outcome({ refusal }: { readonly refusal: string | undefined }): JSX.Element {
  if (refusal === undefined) return <Pill tone="wait">not known</Pill>;
  if (refusal === "") return <Pill tone="ok">applied</Pill>;
  return (
    <>
      <Pill tone="fail">skipped</Pill> <span class="quiet">{refusal}</span>
    </>
  );
}

function rowOf({ authorization, authority, refusal }: JudgedAuthorization) {
  const { address, nonce, chainId } = authorization;
  return {
    account: authority ?? "",
    delegatesTo: address,
    nonce: String(BigInt(nonce)),
    chainId: String(BigInt(chainId)),
    outcome: refusal === undefined ? "not known" : refusal === "" ? "applied" : `skipped: ${refusal}`,
  };
}
