/** The HTTP pages of a server. */
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import type { RpcContext } from "../../rpc/context.ts";
import { methods } from "../../rpc/registry.ts";
import type { Page } from "../../server/http/http-server.ts";
import { methodPage } from "./method-page.ts";

/** The page at a path: the list of methods at `/`, the health check at `/health`, undefined for others. */
export function pageAt(path: string, { clientVersion, chainId, blocks }: RpcContext): Page | undefined {
  const { header, hash } = blocks.head;
  if (path === "/") {
    const body = methodPage(methods, { clientVersion, chainId, headNumber: header.number });
    return { contentType: "text/html; charset=utf-8", body };
  }
  if (path !== "/health") return undefined;
  const head = { number: encodeQuantity(header.number), hash: encodeData(hash) };
  const body = { status: "ok", clientVersion, chainId: encodeQuantity(chainId), head };
  return { contentType: "application/json", body: JSON.stringify(body) };
}
