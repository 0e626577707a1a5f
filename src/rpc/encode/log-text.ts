/** Lists of logs as JSON text in one pass: character for character what the encoder of single logs gives. */
import type { Bytes } from "../../primitives/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/hex.ts";
import type { FoundLog } from "../../services/query/log-queries.ts";
import { Fragments } from "./fragments.ts";
import { TextWriter } from "./text-writer.ts";

const PARTS = Fragments.of(
  '{"address":',
  ',"topics":[',
  ",",
  '],"data":',
  ',"transactionHash":',
  ',"transactionIndex":"0x',
  ',"logIndex":"0x',
);
const ADDRESS = 0;
const TOPICS = 1;
const COMMA = 2;
const DATA = 3;
const TRANSACTION_HASH = 4;
const TRANSACTION_INDEX = 5;
const LOG_INDEX = 6;

/** What logs of one block share: before and behind what they share with those of their transaction. */
const BEFORE = 0;
const BEHIND = 1;
const PENDING =
  ',"blockNumber":null,"transactionHash":null,"transactionIndex":null,"blockHash":null,"blockTimestamp":null,"logIndex":null';

/** The text of a list. */
export function* logsText(logs: Iterable<FoundLog>): Generator<Bytes> {
  const writer = new TextWriter();
  let block: FoundLog["block"] | undefined;
  let place = new Fragments(2);
  let separator = "[";
  for (const found of logs) {
    writer.text(separator);
    separator = ",";
    if (found.block !== block) {
      block = found.block;
      place = placeOf(block);
    }
    writeLog(writer, found.log);
    if (found.isPending) writer.text(PENDING);
    else writePlace(writer, found, place);
    writer.text(`,"removed":${found.removed}}`);
    if (writer.isFull) yield writer.takePiece();
  }
  writer.text(separator === "[" ? "[]" : "]");
  yield writer.takePiece();
}

function placeOf({ hash, header: { number, timestamp } }: FoundLog["block"]): Fragments {
  return Fragments.of(
    `,"blockNumber":"${encodeQuantity(number)}"`,
    `,"blockHash":"${encodeData(hash)}","blockTimestamp":"${encodeQuantity(timestamp)}"`,
  );
}

function writeLog(writer: TextWriter, { address, topics, data }: FoundLog["log"]): void {
  writer.reserve(0);
  writer.fragment(PARTS, ADDRESS);
  writer.data(address);
  writer.fragment(PARTS, TOPICS);
  for (let index = 0; index < topics.length; index++) {
    if (index > 0) writer.fragment(PARTS, COMMA);
    writer.data(topics[index] as Bytes);
  }
  writer.fragment(PARTS, DATA);
  writer.data(data);
}

function writePlace(writer: TextWriter, { txHash, txIndex, logIndex }: FoundLog, place: Fragments): void {
  writer.fragment(place, BEFORE);
  writer.fragment(PARTS, TRANSACTION_HASH);
  writer.data(txHash);
  writer.fragment(PARTS, TRANSACTION_INDEX);
  writer.text(`${txIndex.toString(16)}"`);
  writer.fragment(place, BEHIND);
  writer.fragment(PARTS, LOG_INDEX);
  writer.text(`${logIndex.toString(16)}"`);
}
