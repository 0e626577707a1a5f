// Events for recorders, and logs, which have the same form.

import { ByteBuffer } from "../machine/byte-buffer";
import { Word } from "../words/word";

/** An event. Its data follow. Addresses, slot keys and topics are big-endian, amounts little-endian. The host reads it. */
@unmanaged
export class Event {
  type: u8;
  /** A frame's kind, or the number of topics. */
  kind: u8;
  depth: u16;
  /** Bytes of the whole event, a multiple of eight. */
  size: u32;
  /** Gas of a frame at its beginning; gas used at its end. */
  gas: i64;
  dataLength: u32;
  /** Index of the step that starts a frame, plus one; index after a frame's last step. */
  step: u32;
  error: i32;
  flags: u32;
  /** A frame's end: address of the code's object, and detail of the failure. */
  code: u32;
  detail: u32;
  private firstLow: v128;
  private firstHigh: v128;
  private secondLow: v128;
  private secondHigh: v128;
  private thirdLow: v128;
  private thirdHigh: v128;

  /** Three times 32 bytes: two addresses, or address and key, and of a creation's end the created address. */
  @inline get first(): usize {
    return changetype<usize>(this) + offsetof<Event>("firstLow");
  }

  @inline get second(): usize {
    return changetype<usize>(this) + offsetof<Event>("secondLow");
  }

  @inline get third(): usize {
    return changetype<usize>(this) + offsetof<Event>("thirdLow");
  }

  /** The amount in place of the third. */
  @inline get amount(): Word {
    return changetype<Word>(this.third);
  }

  /** Of the end of a creation that failed, in place of the second. */
  @inline get initCodeSize(): Word {
    return changetype<Word>(this.second);
  }

  @inline get data(): usize {
    return changetype<usize>(this) + offsetof<Event>();
  }
}

/** Adds an event with space for its data. All other members are zero. */
export function addEvent(buffer: ByteBuffer, type: u32, dataLength: usize): Event {
  const size = (offsetof<Event>() + dataLength + 7) & ~7;
  const event = changetype<Event>(buffer.add(size));
  memory.fill(changetype<usize>(event), 0, offsetof<Event>());
  event.type = <u8>type;
  event.size = <u32>size;
  event.dataLength = <u32>dataLength;
  return event;
}
