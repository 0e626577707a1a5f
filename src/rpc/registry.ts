/**
 * All JSON-RPC methods of the node, in the order of the method table. Types and documents are derived from this list. It
 * is loaded when a method is called that is not among `common-methods.ts`.
 */

import type { Method } from "./method.ts";
import * as coverage from "./methods/coverage.ts";
import * as debugDatabase from "./methods/debug/database.ts";
import * as debugRaw from "./methods/debug/raw.ts";
import * as debugState from "./methods/debug/state.ts";
import * as debugSubscribe from "./methods/debug/subscribe.ts";
import * as debugTrace from "./methods/debug/trace.ts";
import * as devAccounts from "./methods/dev/accounts.ts";
import * as devBlobs from "./methods/dev/blobs.ts";
import * as devHindcast from "./methods/dev/hindcast.ts";
import * as devHistory from "./methods/dev/history.ts";
import * as devMining from "./methods/dev/mining.ts";
import * as devNode from "./methods/dev/node.ts";
import * as devPool from "./methods/dev/pool.ts";
import * as devSending from "./methods/dev/sending.ts";
import * as devSnapshots from "./methods/dev/snapshots.ts";
import * as devStateFile from "./methods/dev/state-file.ts";
import * as devTenderly from "./methods/dev/tenderly.ts";
import * as devTime from "./methods/dev/time.ts";
import * as devTokens from "./methods/dev/tokens.ts";
import * as blocks from "./methods/eth/blocks.ts";
import * as calls from "./methods/eth/call.ts";
import * as chain from "./methods/eth/chain.ts";
import * as fees from "./methods/eth/fees.ts";
import * as filters from "./methods/eth/filters.ts";
import * as signing from "./methods/eth/sign.ts";
import * as simulate from "./methods/eth/simulate.ts";
import * as state from "./methods/eth/state.ts";
import * as subscribing from "./methods/eth/subscribe.ts";
import * as transactions from "./methods/eth/transactions.ts";
import * as work from "./methods/eth/work.ts";
import * as explain from "./methods/explain.ts";
import * as hardforks from "./methods/hardforks.ts";
import * as inspect from "./methods/inspect.ts";
import * as net from "./methods/net.ts";
import * as ots from "./methods/ots.ts";
import * as personal from "./methods/personal.ts";
import * as replay from "./methods/replay.ts";
import * as rpc from "./methods/rpc.ts";
import * as sharing from "./methods/sharing.ts";
import * as testing from "./methods/testing.ts";
import * as trace from "./methods/trace.ts";
import * as txpool from "./methods/txpool.ts";
import * as wallet from "./methods/wallet.ts";
import * as walletCalls from "./methods/wallet-calls.ts";
import * as web3 from "./methods/web3.ts";

const groups = [
  blocks,
  transactions,
  filters,
  subscribing,
  state,
  calls,
  simulate,
  chain,
  work,
  signing,
  personal,
  wallet,
  walletCalls,
  fees,
  trace,
  debugTrace,
  debugSubscribe,
  debugState,
  debugRaw,
  debugDatabase,
  coverage,
  explain,
  hardforks,
  replay,
  inspect,
  ots,
  txpool,
  testing,
  devMining,
  devTime,
  devAccounts,
  devTenderly,
  devTokens,
  devPool,
  devSnapshots,
  devHistory,
  devBlobs,
  devNode,
  devStateFile,
  devSending,
  devHindcast,
  sharing,
  net,
  web3,
  rpc,
] as const;

/** Every method, in table order. */
export const methods: readonly Method[] = groups.flatMap((group) =>
  Object.values<Method | readonly Method[]>(group).flat(),
);
