/** A stored block of which each part is read when it is looked at: most listeners need its hash only. */
import type { Block } from "../../chainspec/header/block.ts";
import type { Header } from "../../chainspec/header/header.ts";
import { StoreError } from "../../errors/hindcast-error.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";

/** The store that its parts are read from. */
export interface BlockSource {
  getHeader(hash: Bytes): Header | undefined;
  getBlock(hash: Bytes): Block | undefined;
}

/** Its parts throw {@link StoreError} `STORE_CORRUPT` if the block is missing. */
export function laterBlock(hash: Bytes, source: BlockSource): Block {
  const whole = (): Block => source.getBlock(hash) ?? raiseMissing(hash);
  let header: Header | undefined;
  return {
    hash,
    get header(): Header {
      header ??= source.getHeader(hash) ?? raiseMissing(hash);
      return header;
    },
    get transactions() {
      return whole().transactions;
    },
    get uncles() {
      return whole().uncles;
    },
    get withdrawals() {
      return whole().withdrawals;
    },
  };
}

function raiseMissing(hash: Bytes): never {
  throw new StoreError({
    code: "STORE_CORRUPT",
    what: `The block ${encodeData(hash)} is missing.`,
    fix: "Restore the folder from a copy, or delete it and import the chain again.",
  });
}
