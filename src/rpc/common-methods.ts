/**
 * The methods that nearly every program calls, which are loaded with the library; the others are loaded when first called.
 * Snapshots are among them: they are often all that a suite takes of the methods for tests, and loading those takes 4 ms.
 */
import type { Method } from "./method.ts";
import * as snapshots from "./methods/dev/snapshots.ts";
import * as blocks from "./methods/eth/blocks.ts";
import * as calls from "./methods/eth/call.ts";
import * as chain from "./methods/eth/chain.ts";
import * as fees from "./methods/eth/fees.ts";
import * as filters from "./methods/eth/filters.ts";
import * as state from "./methods/eth/state.ts";
import * as transactions from "./methods/eth/transactions.ts";
import * as net from "./methods/net.ts";
import * as web3 from "./methods/web3.ts";

const groups = [blocks, calls, chain, fees, filters, state, transactions, snapshots, net, web3] as const;

/** These methods, each of which is in the registry, too. */
export const commonMethods: readonly Method[] = groups.flatMap((group) =>
  Object.values<Method | readonly Method[]>(group).flat(),
);
