/**
 * The methods by which tests steer a development chain, but for snapshots. They are loaded together, when the first of
 * them is called.
 */
import type { Method } from "./method.ts";
import * as accounts from "./methods/dev/accounts.ts";
import * as history from "./methods/dev/history.ts";
import * as mining from "./methods/dev/mining.ts";
import * as time from "./methods/dev/time.ts";

const groups = [mining, time, accounts, history] as const;

/** These methods, each of which is in the registry, too. */
export const controlMethods: readonly Method[] = groups.flatMap((group) =>
  Object.values<Method | readonly Method[]>(group).flat(),
);
