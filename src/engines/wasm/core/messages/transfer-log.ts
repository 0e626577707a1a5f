// Logs of ether transfers (EIP-7708). They have the form of ERC-20 transfers, from an address without code.

import { copyAddress, copyWord, isZero, reverse, setZero } from "../machine/words";
import { addLog } from "../trace/logs";

/** 0xffff…fffe, the address of these logs, as a word. */
const EMITTER = memory.data<u64>([0xfffffffffffffffe, 0xffffffffffffffff, 0xffffffff, 0]);
/** keccak256("Transfer(address,address,uint256)"), as a word. */
const TRANSFER = memory.data<u64>([0x28f55a4df523b3ef, 0x952ba7f163c4a116, 0x69c2b068fc378daa, 0xddf252ad1be2c89b]);

/** Topics in the layout of the stack, the first one on top. */
const topics = memory.data(96, 16);
const data = memory.data(32, 16);

/** Adds the log of a transfer. A transfer of zero wei or to the sender itself has none. All arguments are words. */
export function addTransferLog(from: usize, to: usize, value: usize): void {
  if (isZero(value)) return;
  setZero(topics);
  setZero(topics + 32);
  copyAddress(topics + 32, from);
  copyAddress(topics, to);
  if (memory.compare(topics, topics + 32, 32) == 0) return;
  copyWord(topics + 64, TRANSFER);
  reverse(data, value);
  addLog(EMITTER, topics + 96, 3, data, 32);
}
