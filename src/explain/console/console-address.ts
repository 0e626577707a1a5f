/** Where Hardhat's and forge-std's console.sol send what contracts log: "console.log" in ASCII. Nobody lives there. */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";

const ADDRESS_BYTES = 20;
const TEXT = new TextEncoder().encode("console.log");

/** True for the console's address. */
export function isConsoleAddress(address: Bytes): boolean {
  // The last byte tells nearly every other address apart.
  return address[ADDRESS_BYTES - 1] === TEXT.at(-1) && equalBytes(address, CONSOLE_ADDRESS);
}

/** 0x000000000000000000636F6e736F6c652e6c6f67 */
export const CONSOLE_ADDRESS: Bytes = Uint8Array.from({ length: ADDRESS_BYTES }, (_, index) => {
  return TEXT[index - (ADDRESS_BYTES - TEXT.length)] ?? 0;
});
