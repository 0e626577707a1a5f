// The EVM's stack (yellow paper §9.4.1). A frame's items lie one behind the other, the bottom one first.

import { Word } from "./word";

/** Most items of a stack. */
export const STACK_LIMIT: u32 = 1024;
/** Bytes of an item, and of a stack with all its items. */
export const ITEM_BYTES: usize = 32;
export const STACK_BYTES: usize = 1024 * 32;

/** A place on a stack: that behind its top item. It has no members of its own. The loop alone moves it. */
@unmanaged
export class Stack {
  @inline get top(): Word {
    return this.item(1);
  }

  @inline get second(): Word {
    return this.item(2);
  }

  @inline get third(): Word {
    return this.item(3);
  }

  @inline get fourth(): Word {
    return this.item(4);
  }

  /** An item, counted from 1 at the top. */
  @inline item(number: usize): Word {
    return this.itemAt(number * ITEM_BYTES);
  }

  /** The item that begins so many bytes below. */
  @inline itemAt(depth: usize): Word {
    return changetype<Word>(changetype<usize>(this) - depth);
  }

  /** The item that is pushed next. */
  @inline get pushed(): Word {
    return changetype<Word>(this);
  }

  /** The stack with so many more bytes of items, or fewer. */
  @inline moved(bytes: usize): Stack {
    return changetype<Stack>(changetype<usize>(this) + bytes);
  }

  /** The stack below its top items. */
  @inline below(items: usize): Stack {
    return changetype<Stack>(changetype<usize>(this) - items * ITEM_BYTES);
  }

  /** Bytes of the items from a place on. */
  @inline bytesFrom(start: Stack): usize {
    return changetype<usize>(this) - changetype<usize>(start);
  }
}
