/** What Remix asks of an "External HTTP Provider", as its page does: deploy, call, step through a transaction. */
import { expect, it } from "vitest";
import { aNode } from "../support/a-node.ts";
import { assemble, deploying } from "../support/assembler.ts";

const ORIGIN = "https://remix.ethereum.org";
/** The options of Remix' debugger. */
const TRACE_OPTIONS = { disableStorage: true, disableMemory: false, disableStack: false, fullStorage: false };
/** Stores 7 in slot 0 and returns it. */
const CODE = deploying(assemble("7 0 SSTORE 7 0 MSTORE 32 0 RETURN"));

it("deploys, calls and debugs for a page of Remix that --allow-origin names", async () => {
  const node = await aNode();
  const { url } = await node.listen({ port: 0, allowedOrigins: [ORIGIN] });
  const preflight = await fetch(url, {
    method: "OPTIONS",
    headers: {
      origin: ORIGIN,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
      "access-control-request-private-network": "true",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe(ORIGIN);

  // biome-ignore lint/suspicious/noExplicitAny: answers of any method
  const ask = async (method: string, ...params: readonly unknown[]): Promise<any> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { origin: ORIGIN, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    expect(error).toBeUndefined();
    return result;
  };
  expect(await ask("net_version")).toBe(String(Number(await ask("eth_chainId"))));
  expect(await ask("net_listening")).toBe(true);
  const [from] = await ask("eth_accounts");
  expect(BigInt(await ask("eth_getBalance", from, "latest"))).toBeGreaterThan(0n);
  expect(await ask("eth_gasPrice")).toMatch(/^0x/);
  expect((await ask("eth_getBlockByNumber", "latest", false)).gasLimit).toMatch(/^0x/);

  const data = `0x${Buffer.from(CODE).toString("hex")}`;
  const gas = await ask("eth_estimateGas", { from, data });
  const created = await ask("eth_sendTransaction", { from, data, gas });
  const { contractAddress: to } = await ask("eth_getTransactionReceipt", created);
  expect(await ask("eth_getCode", to, "latest")).not.toBe("0x");
  expect(BigInt(await ask("eth_call", { from, to, data: "0x" }, "latest"))).toBe(7n);

  const sent = await ask("eth_sendTransaction", { from, to, data: "0x", gas: "0x186a0" });
  const tx = await ask("eth_getTransactionByHash", sent);
  const { structLogs } = await ask("debug_traceTransaction", sent, TRACE_OPTIONS);
  expect(structLogs.map(({ op }: { op: string }) => op)).toContain("SSTORE");
  expect(structLogs.every(({ stack }: { stack?: unknown }) => Array.isArray(stack))).toBe(true);
  const slots = await ask("debug_storageRangeAt", tx.blockHash, Number(tx.transactionIndex), to, "0x00", 100);
  expect(slots).toEqual({ storage: {}, nextKey: null });
  expect(BigInt(await ask("eth_getStorageAt", to, "0x0", "latest"))).toBe(7n);
  expect(await ask("personal_sign", "0x1234", from, "")).toMatch(/^0x[0-9a-f]{130}$/);
});
