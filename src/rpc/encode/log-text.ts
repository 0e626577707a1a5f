/** Lists of logs as JSON text in one pass: character for character what the encoder of single logs gives. */
import type { Bytes } from "../../primitives/bytes.ts";
import { encodeData, encodeQuantity } from "../../primitives/hex.ts";
import type { FoundLog } from "../../services/query/log-queries.ts";
import { Fragments } from "./fragments.ts";
import { TextWriter } from "./text-writer.ts";

const PARTS = Fragments.of('{"address":', ',"topics":[', ",", '],"data":');
const ADDRESS = 0;
const TOPICS = 1;
const COMMA = 2;
const DATA = 3;

/** The text of a list. */
export function* logsText(logs: Iterable<FoundLog>): Generator<Bytes> {
  const writer = new TextWriter();
  /** What logs of one transaction share, written once. */
  let place = new Fragments(1);
  let last: FoundLog | undefined;
  writer.text("[");
  for (const found of logs) {
    const { log } = found;
    if (last !== undefined) writer.text(",");
    if (last?.block !== found.block || last.txIndex !== found.txIndex || last.isPending !== found.isPending) {
      place = new Fragments(1);
      place.set(0, placeText(found));
    }
    last = found;
    writer.reserve(0);
    writer.fragment(PARTS, ADDRESS);
    writer.data(log.address);
    writer.fragment(PARTS, TOPICS);
    for (const [index, topic] of log.topics.entries()) {
      if (index > 0) writer.fragment(PARTS, COMMA);
      writer.data(topic);
    }
    writer.fragment(PARTS, DATA);
    writer.data(log.data);
    writer.fragment(place, 0);
    writer.text(`${found.isPending ? "null" : `"0x${found.logIndex.toString(16)}"`},"removed":${found.removed}}`);
    if (writer.isFull) yield writer.takePiece();
  }
  writer.text("]");
  yield writer.takePiece();
}

/** From the block's number to the name of the log's own. */
function placeText({ block, isPending, txHash, txIndex }: FoundLog): string {
  const { hash, header } = block;
  const values = {
    blockNumber: encodeQuantity(header.number),
    transactionHash: encodeData(txHash),
    transactionIndex: encodeQuantity(txIndex),
    blockHash: encodeData(hash),
    blockTimestamp: encodeQuantity(header.timestamp),
  };
  const members = Object.entries(values).map(([name, value]) => `"${name}":${isPending ? "null" : `"${value}"`}`);
  return `,${members.join()},"logIndex":`;
}
