/** The parts of a node that exist only where its chain is shared. */
import type { ChainIdentity } from "../../store/backends/chain-identity.ts";
import type { NodeBase } from "../fork/chain-bases.ts";
import type { NodeOptions } from "../options/options.ts";
import type { NodeSharing } from "./node-sharing.ts";

/** Parts that only a shared chain, or one that follows another, has. */
export interface OpenedSharing {
  /** Completed by what the chain is, where it comes from elsewhere. */
  readonly options: NodeOptions;
  readonly sharing?: NodeSharing;
  readonly base?: NodeBase;
  readonly identity?: ChainIdentity;
  /** Of a node that writes: says what its chain is. */
  readonly describe?: (base: NodeBase, identity: ChainIdentity) => void;
}
