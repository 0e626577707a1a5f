/** A page cannot be connected to. Counterpart of `node/servers.ts`. */
import { UnsupportedError } from "../errors/hindcast-error.ts";
import type { Served } from "../node/servers.ts";

/** The parts that a server in Node takes. */
export type { Served };

function noServer(): UnsupportedError {
  return new UnsupportedError({
    code: "UNSUPPORTED",
    what: "A node in a browser has no server: nothing can connect to a page.",
    fix: "Serve other threads with node.serveOn(port).",
  });
}

/** @throws {UnsupportedError} `UNSUPPORTED` */
export async function httpServer(): Promise<never> {
  throw noServer();
}

/** @throws {UnsupportedError} `UNSUPPORTED` */
export async function ipcServer(): Promise<never> {
  throw noServer();
}
