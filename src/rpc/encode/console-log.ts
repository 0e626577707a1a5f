/** Lines printed by `console.log` in contracts, as JSON. */
import type { ConsoleLog } from "../../explain/console/console-logs.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";

/** The `message` event of type `hindcast_consoleLog`. */
export interface ConsoleLogJson {
  text: string;
  address: Hex;
  /** Null if the call was only simulated. */
  transactionHash: Hex | null;
}

/** The data of the provider's `message` event of type `hindcast_consoleLog`. */
export function encodeConsoleLog({ text, address, transactionHash }: ConsoleLog): ConsoleLogJson {
  return {
    text,
    address: encodeData(address),
    transactionHash: transactionHash === undefined ? null : encodeData(transactionHash),
  };
}
