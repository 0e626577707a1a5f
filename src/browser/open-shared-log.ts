/** A page cannot connect to PostgreSQL. Counterpart of `node/sharing/open-shared-log.ts`. */
import { UnsupportedError } from "../errors/hindcast-error.ts";

/** @throws {UnsupportedError} `PACKAGE_MISSING` */
export async function openSharedLog(): Promise<never> {
  throw new UnsupportedError({
    code: "PACKAGE_MISSING",
    what: "A page cannot connect to PostgreSQL.",
    fix: "Follow a node over WebSocket instead, with the option follow.",
  });
}
