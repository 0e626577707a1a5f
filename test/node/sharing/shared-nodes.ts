/** Writers and readers for tests, and requests to them. */
import { onTestFinished } from "vitest";
import { createNode } from "../../../src/node/create-node.ts";
import type { HindcastNode } from "../../../src/node/hindcast-node.ts";
import type { NodeOptions } from "../../../src/node/options/options.ts";
import { NOW } from "../../support/a-node.ts";
import type { AtEnd } from "../../support/at-end.ts";

export const TOKEN = "a token of the tests";

/** A node that shares its chain, behind a server. */
export interface Shared {
  readonly node: HindcastNode;
  readonly url: string;
  readonly port: number;
}

/** A node that shares its chain. The end of the test closes it. @param atEnd - of a test that runs beside others: its own */
export async function aWriter(options: NodeOptions = {}, port = 0, atEnd: AtEnd = onTestFinished): Promise<Shared> {
  const node = await createNode({ clock: () => NOW, ...options, share: { token: TOKEN, ...options.share } });
  atEnd(() => node.close());
  const server = await node.listen({ port });
  return { node, url: server.url, port: server.port };
}

/** A node that follows. The end of the test closes it. @param atEnd - of a test that runs beside others: its own */
export async function aReader(
  url: string,
  options: NodeOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<HindcastNode> {
  const node = await createNode({ follow: { url, token: TOKEN }, ...options });
  atEnd(() => node.close());
  return node;
}

/** The result of a request, or its error, as a client sees it. */
export async function outcome(node: HindcastNode, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    return { result: await node.provider.send(method, params) };
  } catch (error) {
    const { code, message, data } = error as { code: unknown; message: unknown; data?: unknown };
    return { error: { code, message, data } };
  }
}

/** The result of a request. */
export function ask(node: HindcastNode, method: string, ...params: readonly unknown[]): Promise<unknown> {
  return node.provider.send(method, params);
}

interface Status {
  readonly sequence: string;
  readonly incarnation: string;
  readonly problem: string | null;
}

export async function statusOf(node: HindcastNode): Promise<Status> {
  return (await ask(node, "hindcast_status")) as Status;
}

/** Waits until a reader has all that its writer has. */
export async function caughtUp(reader: HindcastNode, writer: HindcastNode): Promise<void> {
  const wanted = await statusOf(writer);
  for (let waited = 0; ; waited += 5) {
    const { sequence, incarnation, problem } = await statusOf(reader);
    if (incarnation === wanted.incarnation && BigInt(sequence) >= BigInt(wanted.sequence)) return;
    if (waited > 20_000) throw new Error(`the reader is at ${sequence} of ${wanted.sequence}: ${problem}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
