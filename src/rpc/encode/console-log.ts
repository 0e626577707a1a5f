/** Lines that contracts print, as JSON. */
import type { ConsoleLog } from "../../explain/console/console-logs.ts";
import { encodeData, type Hex } from "../../primitives/bytes/hex.ts";

export interface ConsoleLogJson {
  text: string;
  address: Hex;
  /** Null for a call that nobody keeps. */
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
