/** Names of the members of genesis.json, which are read without regard to case, as by geth's decoder. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import { nearestName } from "../../primitives/validation/nearest-name.ts";

/** Members of the file. All are optional. */
export const GENESIS_MEMBERS = [
  ...["config", "alloc", "nonce", "timestamp", "extraData", "gasLimit", "difficulty", "mixHash", "coinbase"],
  ...["parentHash", "number", "gasUsed", "baseFeePerGas", "baseFee", "excessBlobGas", "blobGasUsed"],
  ...["parentBeaconBlockRoot", "slotNumber"],
] as const;

/** Members of an account. */
export const ACCOUNT_MEMBERS = ["nonce", "balance", "code", "storage"] as const;

type Values<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/**
 * The values of an object by the known names.
 *
 * @param path - of the object, with a point at its end; empty for the whole file
 * @throws {InvalidParamsError} `INVALID_GENESIS` for what is nearly a known name: it would change the genesis hash
 */
export function genesisMembers<Name extends string>(
  object: Readonly<Record<string, unknown>>,
  names: readonly Name[],
  path: string,
): Values<Name> {
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const values: Partial<Record<Name, unknown>> = {};
  for (const [given, value] of Object.entries(object)) {
    const name = known.get(given.toLowerCase());
    if (name !== undefined) values[name] = value;
    else refuseNearlyKnown(given, names, path);
  }
  return values;
}

function refuseNearlyKnown(given: string, names: readonly string[], path: string): void {
  const near = nearestName(given, names);
  if (near === undefined) return;
  throw new InvalidParamsError({
    code: "INVALID_GENESIS",
    what: `genesis.json: ${path}${given} is not a member of a genesis.`,
    fix: `Did you mean ${near}?`,
  });
}
