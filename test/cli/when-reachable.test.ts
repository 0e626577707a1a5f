/** Nodes that start before what they follow. */
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { whenReachable } from "../../src/cli/when-reachable.ts";
import { InvalidParamsError, RemoteError } from "../../src/errors/hindcast-error.ts";
import { aWriter, TOKEN } from "../node/sharing/shared-nodes.ts";
import { aNodeRun } from "./a-run.ts";

const away = (): RemoteError =>
  new RemoteError({ code: "WRITER_UNREACHABLE", what: "The writer does not answer.", where: "Its address: here." });

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("a reader that starts before its writer waits for it", async () => {
  const port = await aFreePort();
  const env = { HINDCAST_SHARE_TOKEN: TOKEN };
  const starting = aNodeRun(["--follow", `http://127.0.0.1:${port}`], { env });
  const { node } = await aWriter({}, port);
  const reader = await starting;
  await node.mine({ blocks: 3 });
  await expect.poll(() => reader.ask("eth_blockNumber")).toBe("0x3");
});

it("says once for each reason why it waits, and tries until there is an answer", async () => {
  const said: string[] = [];
  let attempts = 0;
  const start = async (): Promise<string> => {
    if (++attempts < 4) throw away();
    return "a node";
  };
  const noticed = (text: string): void => void said.push(text);
  expect(await whenReachable(start, { stop: new AbortController().signal, noticed })).toBe("a node");
  expect([attempts, said]).toEqual([
    4,
    [expect.stringMatching(/does not answer.*Its address: here.*Waiting for it\.$/s)],
  ]);
});

it("ends when it is stopped, and with any other error", async () => {
  const controller = new AbortController();
  const noticed = (): void => controller.abort();
  const start = async (): Promise<never> => Promise.reject(away());
  expect(await whenReachable(start, { stop: controller.signal, noticed })).toBeUndefined();
  const wrong = new InvalidParamsError({ code: "INVALID_OPTION", what: "It is wrong." });
  const { signal } = new AbortController();
  await expect(whenReachable(async () => Promise.reject(wrong), { stop: signal, noticed })).rejects.toBe(wrong);
});
