/**
 * The address to which console.sol of Hardhat and forge-std sends log messages: "console.log" in ASCII. It has no code.
 */
import { type Bytes, equalBytes } from "../../primitives/bytes/bytes.ts";

const ADDRESS_BYTES = 20;
const TEXT = new TextEncoder().encode("console.log");

/** True for the console's address. */
export function isConsoleAddress(address: Bytes): boolean {
  // Compared first, because the last byte differs in nearly all other addresses.
  return address[ADDRESS_BYTES - 1] === TEXT.at(-1) && equalBytes(address, CONSOLE_ADDRESS);
}

/** 0x000000000000000000636F6e736F6c652e6c6f67 */
export const CONSOLE_ADDRESS: Bytes = Uint8Array.from({ length: ADDRESS_BYTES }, (_, index) => {
  return TEXT[index - (ADDRESS_BYTES - TEXT.length)] ?? 0;
});
