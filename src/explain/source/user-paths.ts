/** The paths of sources as the user has them. Hardhat 3 gives the compiler others, with versions of packages in them. */
import type { JsonObject } from "./read/json-values.ts";

/**
 * A function from the compiler's path of a source to the user's: `project/contracts/Token.sol` is `contracts/Token.sol`,
 * and `npm/@scope/name@1.2.3/Token.sol` is `@scope/name/Token.sol`. Paths that would become equal stay as they are.
 *
 * @param paths - the compiler's
 * @param names - Hardhat's `userSourceNameMap`, from the user's path to the compiler's; empty for other builds
 */
export function userPaths(paths: readonly string[], names: JsonObject): (path: string) => string {
  if (Object.keys(names).length === 0) return (path) => path;
  const named = new Map(Object.entries(names).map(([user, compiler]) => [compiler, user]));
  const users = new Map(paths.map((path) => [path, named.get(path) ?? userPath(path)]));
  const counts = new Map<string, number>();
  for (const user of users.values()) counts.set(user, (counts.get(user) ?? 0) + 1);
  return (path) => {
    const user = users.get(path);
    return user === undefined || counts.get(user) !== 1 ? path : user;
  };
}

/** True for the path of a source that is not the project's own: of a package of npm, or in Foundry's folder `lib`. */
export function isPackagePath(path: string): boolean {
  return /^(?:npm|lib|hardhat|forge-std)\/|^@|(?:^|\/)node_modules\//.test(path);
}

function userPath(path: string): string {
  return path.replace(/^project\//, "").replace(/^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\//, "$1/");
}
