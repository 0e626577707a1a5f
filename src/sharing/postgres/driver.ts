/** The driver of PostgreSQL: `pg`, which is an optional package. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";

/** The members of a client that are used. */
export interface DriverClient {
  /** Where the driver has its socket. */
  readonly connection?: { readonly stream?: { destroy(): void } };
  connect(): Promise<unknown>;
  query(statement: {
    readonly name?: string;
    readonly text: string;
    readonly values: unknown[];
  }): Promise<{ readonly rows: Readonly<Record<string, unknown>>[]; readonly rowCount: number }>;
  on(event: "error" | "end", listener: () => void): unknown;
  on(event: "notification", listener: (message: { readonly payload?: string }) => void): unknown;
  end(): Promise<void>;
}

/** The members of the package that are used. */
export interface Driver {
  readonly Client: new (options: Readonly<Record<string, unknown>>) => DriverClient;
}

/**
 * Loads the package.
 *
 * @throws {UnsupportedError} `PACKAGE_MISSING` if it is not installed
 */
export async function loadDriver(): Promise<Driver> {
  try {
    const library: object = await import("pg");
    // Node may give a CommonJS package as its default export.
    return ("Client" in library ? library : (library as { readonly default: unknown }).default) as Driver;
  } catch (cause) {
    throw new UnsupportedError({
      code: "PACKAGE_MISSING",
      what: "A chain that is shared over PostgreSQL needs the package pg, which is not installed.",
      fix: "Install it beside Hindcast: npm install pg",
      cause,
    });
  }
}
