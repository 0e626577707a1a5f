/** Lists of logs as JSON text in one pass. The text equals that of the encoder of single logs. */
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import type { FoundLog } from "../../../services/query/log-queries.ts";
import { Fragments } from "../stream/fragments.ts";
import { RepeatedData } from "../stream/repeated-data.ts";
import { TextWriter } from "../stream/text-writer.ts";

const PARTS = Fragments.of(
  '{"address":',
  ',"topics":[',
  ",",
  '],"data":',
  ',"logIndex":',
  ',"removed":false}',
  ',"removed":true}',
);
const ADDRESS = 0;
const TOPICS = 1;
const COMMA = 2;
const DATA = 3;
const LOG_INDEX = 4;
const STANDS = 5;
const REMOVED = 6;

const PENDING =
  ',"blockNumber":null,"transactionHash":null,"transactionIndex":null,"blockHash":null,"blockTimestamp":null,"logIndex":null';

/** A list of logs as JSON text. */
export function* logsText(logs: Iterable<FoundLog>): Generator<Bytes> {
  const list = new LogList();
  for (const found of logs) {
    list.add(found);
    if (list.writer.isFull) yield list.writer.takePiece();
  }
  list.end();
  yield list.writer.written;
}

class LogList {
  readonly writer = new TextWriter();
  /** Consecutive logs often have the same address and topics. */
  readonly #address = new RepeatedData();
  readonly #topic = new RepeatedData();
  /** Members that all logs of one transaction share: transaction and block. */
  readonly #place = new TextWriter();
  #block: FoundLog["block"] | undefined;
  #txIndex = -1;
  #isEmpty = true;

  add(found: FoundLog): void {
    const { writer } = this;
    writer.reserve(0);
    if (this.#isEmpty) writer.text("[");
    else writer.fragment(PARTS, COMMA);
    this.#isEmpty = false;
    if (found.given !== undefined) {
      writer.text(JSON.stringify(found.given));
      return;
    }
    this.#writeLog(found.log);
    if (found.isPending) writer.text(PENDING);
    else this.#writePlace(found);
    writer.fragment(PARTS, found.removed ? REMOVED : STANDS);
  }

  end(): void {
    this.writer.text(this.#isEmpty ? "[]" : "]");
  }

  #writeLog({ address, topics, data }: FoundLog["log"]): void {
    const { writer } = this;
    writer.fragment(PARTS, ADDRESS);
    this.#address.write(writer, address);
    writer.fragment(PARTS, TOPICS);
    for (let index = 0; index < topics.length; index++) {
      if (index === 0) this.#topic.write(writer, topics[0] as Bytes);
      else {
        writer.fragment(PARTS, COMMA);
        writer.data(topics[index] as Bytes);
      }
    }
    writer.fragment(PARTS, DATA);
    writer.data(data);
  }

  #writePlace(found: FoundLog): void {
    const { writer } = this;
    if (found.block !== this.#block || found.txIndex !== this.#txIndex) this.#moveTo(found);
    writer.copyFrom(this.#place, 0, this.#place.at);
    writer.fragment(PARTS, LOG_INDEX);
    writer.smallQuantity(found.logIndex);
  }

  #moveTo({ block, txHash, txIndex }: FoundLog): void {
    this.#block = block;
    this.#txIndex = txIndex;
    const { hash, header } = block;
    const place = this.#place;
    place.at = 0;
    place.text(`,"blockNumber":"${encodeQuantity(header.number)}","transactionHash":`);
    place.data(txHash);
    place.text(`,"transactionIndex":"0x${txIndex.toString(16)}","blockHash":`);
    place.data(hash);
    place.text(`,"blockTimestamp":"${encodeQuantity(header.timestamp)}"`);
  }
}
