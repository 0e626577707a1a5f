/** The HTTP pages of a server. */
import { encodeData, encodeQuantity } from "../../primitives/bytes/hex.ts";
import { builtFile } from "../../primitives/platform/built-files.ts";
import type { RpcContext } from "../../rpc/context.ts";
import type { MethodTable } from "../../rpc/method-table.ts";
import type { Page } from "../../server/http/http-server.ts";
import { readStaticFiles } from "../../server/http/static-files.ts";
import { methodPage } from "./method-page.ts";

/** The explorer's files. */
const EXPLORER = builtFile("explorer/");

/** Beginning of the paths of the Beacon API. */
const BEACON_PATH = "/eth/v1/beacon/";
/** Beginning of the paths of sources. */
const SOURCIFY_PATH = "/sourcify/";

/** The node that the pages tell of. */
export interface PageSource {
  readonly context: RpcContext;
  readonly methods: MethodTable;
  /** Whether sources of contracts are served. */
  readonly servesSources: boolean;
}

/** Marks the explorer's page, whose code then draws no control that changes the chain. */
const marked = (html: string): string =>
  html.replace("<head>", '<head>\n    <meta name="hindcast-explorer" content="read-only" />');

/**
 * One for each server. The explorer's files are read once, when it opens; the page of methods is made for each
 * request.
 */
export class Pages {
  readonly #source: PageSource;
  readonly #explorer: ReadonlyMap<string, Page>;

  constructor(source: PageSource, explorer: ReadonlyMap<string, Page>) {
    this.#source = source;
    this.#explorer = explorer;
  }

  /** @param explorer - false for a server without the explorer, which then shows the methods at `/` */
  static async open(source: PageSource, explorer: boolean | "read-only"): Promise<Pages> {
    if (explorer === false) return new Pages(source, new Map());
    return new Pages(source, await readStaticFiles(EXPLORER, explorer === "read-only" ? marked : undefined));
  }

  /** The page at a path: the explorer at `/`, the methods at `/methods`, `/health` for health checks, blobs by the Beacon API, sources by Sourcify's. */
  at(path: string): Page | undefined {
    const page = this.#explorer.get(path);
    if (page !== undefined) return page;
    if (path === "/" || path === "/methods") return this.#methods();
    if (path === "/health") return this.#health();
    if (path.startsWith(BEACON_PATH)) return this.#beacon(path);
    return this.#source.servesSources && path.startsWith(SOURCIFY_PATH) ? this.#sourcify(path) : undefined;
  }

  #sourcify(path: string): Page {
    return {
      contentType: "application/json",
      body: async (request) =>
        (await import("./sourcify.ts")).answerSourcify(this.#source.context, path.slice(SOURCIFY_PATH.length), request),
    };
  }

  #beacon(path: string): Page {
    return {
      contentType: "application/json",
      body: async (request) =>
        (await import("./beacon.ts")).answerBeacon(this.#source.context, path.slice(BEACON_PATH.length), request),
    };
  }

  #methods(): Page {
    const { methods, context } = this.#source;
    const { clientVersion, chainId, blocks } = context;
    const body = async () => ({
      body: methodPage(await methods.all(), { clientVersion, chainId, headNumber: blocks.head.header.number }),
    });
    return { contentType: "text/html; charset=utf-8", body };
  }

  #health(): Page {
    const { clientVersion, chainId, blocks } = this.#source.context;
    const { header, hash } = blocks.head;
    const head = { number: encodeQuantity(header.number), hash: encodeData(hash) };
    const body = { status: "ok", clientVersion, chainId: encodeQuantity(chainId), head };
    return { contentType: "application/json", body: JSON.stringify(body) };
  }
}
