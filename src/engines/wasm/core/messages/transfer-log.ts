// Logs of ether transfers (EIP-7708). They have the form of ERC-20 transfers, from an address without code.

import { addLog } from "../trace/logs";
import { ITEM_BYTES, Stack } from "../words/stack";
import { Word } from "../words/word";

/** 0xffff…fffe, the address of these logs. */
const EMITTER: Word = changetype<Word>(memory.data<u64>([0xfffffffffffffffe, 0xffffffffffffffff, 0xffffffff, 0]));
/** keccak256("Transfer(address,address,uint256)"). */
const TRANSFER: Word = changetype<Word>(
  memory.data<u64>([0x28f55a4df523b3ef, 0x952ba7f163c4a116, 0x69c2b068fc378daa, 0xddf252ad1be2c89b]),
);

/** Room for the topics, as items of a stack with the first one on top. */
const items = memory.data(96, 16);
const data = memory.data(32, 16);

/** Adds the log of a transfer. A transfer of zero wei or to the sender itself has none. */
export function addTransferLog(from: Word, to: Word, value: Word): void {
  if (value.isZero) return;
  const topics = changetype<Stack>(items + 3 * ITEM_BYTES);
  topics.top.set(TRANSFER);
  topics.second.setAddress(from);
  topics.third.setAddress(to);
  if (topics.second.isEqual(topics.third)) return;
  value.write(data);
  addLog(EMITTER, topics, 3, data, 32);
}
