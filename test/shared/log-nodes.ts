/** Nodes of one chain in PostgreSQL. */
import { onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import type { HindcastNode } from "../../src/node/hindcast-node.ts";
import type { NodeOptions, SharedOptions } from "../../src/node/options/options.ts";
import { ask } from "../node/sharing/shared-nodes.ts";
import { NOW } from "../support/a-node.ts";

let count = 0;

/** A name that no other test uses. */
export const aChainName = (): string => `chain ${process.pid} ${count++} ${performance.now()}`;

/** Milliseconds of leases in tests. */
export const LEASE_MS = 1_000;

/** A node behind a server. The end of the test closes it. */
export async function aLogNode(shared: SharedOptions, options: NodeOptions = {}): Promise<HindcastNode> {
  const own = shared.role === "reader" ? {} : { clock: () => NOW };
  const node = await createNode({ ...own, ...options, shared: { leaseMs: LEASE_MS, ...shared } });
  onTestFinished(() => node.close());
  await node.listen({ port: 0 });
  return node;
}

export interface LogStatus {
  readonly role: string;
  readonly sequence: string;
  readonly epoch: string | null;
  readonly writer: string | null;
  readonly problem: string | null;
}

export async function logStatus(node: HindcastNode): Promise<LogStatus> {
  return (await ask(node, "hindcast_status")) as LogStatus;
}
