/** The state of the node: its name and dialect, its chain, a fork's origin, its limits, and its development accounts. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Facts, Panel, Pill } from "../components/data.tsx";
import { Address } from "../components/hashes.tsx";
import { isReadOnly } from "../components/read-only.tsx";
import { Scroll } from "../components/scroll.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import { ask } from "../rpc/client.ts";
import { connection } from "../rpc/connection.ts";
import { useHeadChanges } from "../rpc/live.ts";
import type { Hex, NodeCapabilities, NodeInfo, NodeMetadata, SharingStatus } from "../rpc/types.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { ether, grouped, gwei, short } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { ChooseArtifacts } from "./drop-artifacts.tsx";
import { SharedChain } from "./shared-chain.tsx";

interface NodeState {
  readonly info: NodeInfo;
  readonly metadata: NodeMetadata | undefined;
  readonly sharing: SharingStatus;
  /** Undefined if the node does not list them. */
  readonly capabilities: NodeCapabilities | undefined;
  readonly block: { readonly gasLimit: Hex; readonly baseFeePerGas?: Hex };
  /** Undefined at a node that cannot reach its writer. */
  readonly mining: string | undefined;
  readonly accounts: readonly AccountState[];
}

interface AccountState {
  readonly address: string;
  readonly balance: Hex;
  readonly nonce: Hex;
}

/** Most accounts that are listed. */
const MOST_ACCOUNTS = 50;

/** The page `#/node`. */
export function NodePage(): JSX.Element {
  const { value, error } = useLoaded(loadState, "node", useHeadChanges());
  useEffect(() => {
    document.title = "Node · Hindcast";
  }, []);
  if (error !== undefined) return <PageProblem title="The node's state cannot be shown" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { info, block, mining, capabilities, accounts } = value;
  return (
    <article>
      <header class="page-head">
        <h1>Node {isReadOnly ? <Pill tone="wait">read-only explorer</Pill> : null}</h1>
        <Facts
          of={{
            Version: shown(info.clientVersion, 80),
            Dialect: shown(info.dialect, 40),
            Chain: info.chainId,
            Hardfork: shown(info.hardFork, 40),
            Mining: mining,
            "Gas limit": grouped(BigInt(block.gasLimit)),
            "Base fee": block.baseFeePerGas === undefined ? undefined : gwei(block.baseFeePerGas),
            "Oldest state": capabilities === undefined ? undefined : oldest(capabilities.state),
            "Oldest logs": capabilities === undefined ? undefined : oldest(capabilities.logs),
          }}
        />
        {connection().url === undefined ? null : (
          <p>
            <a href="/methods">All methods of JSON-RPC</a>
          </p>
        )}
      </header>
      <ChooseArtifacts address={undefined} />
      <SharedChain status={value.sharing} />
      <Fork metadata={value.metadata} />
      <Panel title="Development accounts">
        {accounts.length === 0 ? <Empty>None.</Empty> : <Accounts accounts={accounts} />}
      </Panel>
    </article>
  );
}

function oldest({ disabled, oldestBlock }: NodeCapabilities["state"]): string {
  return disabled ? "none" : `block ${grouped(BigInt(oldestBlock))}`;
}

function Fork({ metadata }: { readonly metadata: NodeMetadata | undefined }): JSX.Element | null {
  const forkedNetwork = metadata?.forkedNetwork;
  if (!forkedNetwork) return null;
  const { chainId, forkBlockNumber, forkBlockHash } = forkedNetwork;
  return (
    <Panel title="Fork">
      <Facts
        of={{
          "Of chain": chainId,
          "At block": (
            <a href={`#/block/${forkBlockNumber}`}>
              {grouped(BigInt(forkBlockNumber))} <code class="quiet">{shown(forkBlockHash, 80)}</code>
            </a>
          ),
        }}
      />
    </Panel>
  );
}

function Accounts({ accounts }: { readonly accounts: readonly AccountState[] }): JSX.Element {
  return (
    <Scroll label="Development accounts">
      <table class="data">
        <thead>
          <tr>
            <th>Account</th>
            <th>Address</th>
            <th>Balance</th>
            <th>Nonce</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ address, balance, nonce }) => (
            <tr key={address}>
              <td>
                <Address of={address} />
              </td>
              <td>
                <code title={address}>{short(address)}</code>
              </td>
              <td>{ether(balance, 4)}</td>
              <td>{grouped(BigInt(nonce))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

async function loadState(): Promise<NodeState> {
  const sharing = await ask<SharingStatus>("hindcast_status");
  const [info, metadata, capabilities, block, mining, addresses] = await Promise.all([
    ask<NodeInfo>("hindcast_nodeInfo"),
    ofWriter(sharing, ask<NodeMetadata>("hardhat_metadata")),
    ask<NodeCapabilities>("eth_capabilities").catch(() => undefined),
    ask<NodeState["block"]>("eth_getHeaderByNumber", "latest"),
    ofWriter(sharing, miningMode()),
    ofWriter(sharing, ask<readonly string[]>("eth_accounts")),
  ]);
  const accounts = await Promise.all(
    (addresses ?? []).slice(0, MOST_ACCOUNTS).map(async (address) => {
      const [balance, nonce] = await Promise.all([
        ask<Hex>("eth_getBalance", address, "latest"),
        ask<Hex>("eth_getTransactionCount", address, "latest"),
      ]);
      return { address, balance, nonce };
    }),
  );
  return { info, metadata, sharing, capabilities, block, mining, accounts };
}

async function miningMode(): Promise<string> {
  const [isAutomine, interval] = await Promise.all([
    ask<boolean>("anvil_getAutomine"),
    ask<number | null>("anvil_getIntervalMining"),
  ]);
  if (isAutomine) return "with each transaction";
  return interval ? `every ${interval} s` : "on demand";
}

/** What a node that follows has its writer answer; undefined where that one does not. */
function ofWriter<T>({ role }: SharingStatus, answer: Promise<T>): Promise<T | undefined> {
  return role === "alone" || role === "writer" ? answer : answer.catch(() => undefined);
}
