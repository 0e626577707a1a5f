/** What EthereumJS' EVM leaves behind in the Common it is made for. */
import type { Common } from "@ethereumjs/common";

/**
 * Takes back the listener that the constructor of EVM has just added for changes of hardfork. Our Commons never change, and a
 * Common would keep every core alive that was ever made for it.
 */
export function stopListening(common: Common): void {
  const added = common.events.listeners("hardforkChanged").at(-1);
  if (added !== undefined) common.events.off("hardforkChanged", added);
}
