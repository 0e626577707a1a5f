/** The description of a shared chain: a writer's, and the parts of a reader that are made of it. */
import type { BuiltGenesis } from "../../chain/read/genesis-block.ts";
import { makeBlock } from "../../chainspec/header/block.ts";
import { decodeHeader, encodeHeader } from "../../chainspec/header/header.ts";
import { type ChainDescription, encodeDescription } from "../../sharing/chain-description.ts";
import { ownStateId } from "../../state/state-id.ts";
import type { ChainIdentity } from "../../store/backends/chain-identity.ts";
import type { NodeBase } from "../fork/chain-bases.ts";
import type { NodeOptions } from "../options/options.ts";
import { followedSpec } from "./followed-spec.ts";

/** Options of the writer on which a reader's answers depend. */
const DESCRIBED = [
  "networkId",
  "slotsInAnEpoch",
  "traceClient",
  "dialect",
  "codeSizeLimit",
  "transactionGasCap",
  "allowBlocksWithSameTimestamp",
] as const satisfies readonly (keyof NodeOptions)[];

/** The options and the chain of a reader, as its writer describes them. */
export function readerParts(
  options: NodeOptions,
  description: ChainDescription,
): { readonly options: NodeOptions; readonly base: NodeBase; readonly identity: ChainIdentity } {
  const { identity } = description;
  return { options: readerOptions(options, description), base: followedBase(description), identity };
}

/** The options of a reader, completed by those of its writer. */
function readerOptions(options: NodeOptions, { options: described }: ChainDescription): NodeOptions {
  return { ...options, ...described, accounts: 0, mining: "manual" };
}

/** The base of a reader's chain. */
function followedBase(description: ChainDescription): NodeBase {
  const header = decodeHeader(description.genesisHeader);
  const withdrawals = header.withdrawalsRoot === undefined ? undefined : [];
  const genesis: BuiltGenesis = {
    block: makeBlock(header, { transactions: [], uncles: [], withdrawals }),
    // The stream has its nodes.
    commit: { stateRoot: ownStateId(header.stateRoot), trieNodes: [], codes: [] },
  };
  return { spec: followedSpec(description), genesis, history: undefined, clockOffset: 0n };
}

/** The description of a chain for its readers. */
export function descriptionOf(options: NodeOptions, { spec, genesis }: NodeBase, identity: ChainIdentity): string {
  const { alloc: _, ...rules } = spec.genesis;
  return encodeDescription({
    genesis: rules,
    identity,
    genesisHeader: encodeHeader(genesis.block.header),
    options: Object.fromEntries(DESCRIBED.map((name) => [name, options[name]])),
  });
}
