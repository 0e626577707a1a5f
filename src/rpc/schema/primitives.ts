/**
 * The wire primitives as schemas: each checks the text form and gives the value the house works with (bigint, bytes).
 *
 * The message of each says the expected shape with an example; path and received value are added where errors are made.
 */
import type { BlockId, BlockTag } from "../../chain/block-id.ts";
import { decodeData, isData, isQuantity } from "../../primitives/hex.ts";
import { MAX_UINT64 } from "../../primitives/limits.ts";
import { anything, boolean, either, natural, Problem, text, textLike } from "../../primitives/schema.ts";
import { strictObject } from "../../primitives/schema-objects.ts";

const QUANTITY_EXAMPLE = 'a QUANTITY such as "0x3b9aca00"';

/** QUANTITY: `0x` and hex digits without leading zeros. Gives a bigint below 2^256. */
export const quantity = text(
  `expected ${QUANTITY_EXAMPLE}`,
  (digits) => {
    const problem = quantityProblem(digits);
    return problem === undefined ? BigInt(digits) : new Problem(`expected ${QUANTITY_EXAMPLE}${problem}`);
  },
  { title: "QUANTITY", pattern: "^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$" },
);

function quantityProblem(digits: string): string | undefined {
  if (isQuantity(digits)) return digits.length > 66 ? " of at most 256 bits" : undefined;
  if (/^0x0+[0-9a-fA-F]+$/.test(digits)) return " (no leading zeros)";
  return "";
}

/** QUANTITY below 2^64: gas, nonces, times. */
export const uint64 = quantity.where((value) => value <= MAX_UINT64, "expected a QUANTITY below 2^64");

/** QUANTITY that fits a JS number: indexes, counts. */
export const index = quantity
  .where((value) => value <= BigInt(Number.MAX_SAFE_INTEGER), "expected a QUANTITY below 2^53")
  .to(Number);

export const INTEGER_SHAPE = 'expected an integer such as 10 or a QUANTITY such as "0xa"';

/** A count or offset: a plain integer or a QUANTITY. */
export const integerOrQuantity = either([natural(INTEGER_SHAPE), index], INTEGER_SHAPE);

const COUNT_SHAPE = 'expected a count such as "0xa", "10" or 10';

/** A count as geth's `HexOrDecimal64` reads it: an integer, a decimal string, or hex with or without leading zeros. */
export const countOrDecimal = either(
  [natural(COUNT_SHAPE), textLike(/^(?:\d{1,20}|0x[0-9a-fA-F]{1,16})$/)],
  COUNT_SHAPE,
).to(BigInt);

/** DATA of any length. */
export const data = sizedData(undefined);
/** DATA of 32 bytes. */
export const hash = sizedData(32);
/** DATA of 20 bytes. */
export const address = sizedData(20);

function sizedData(bytes: number | undefined) {
  const shape = bytes === undefined ? 'DATA such as "0x00ff" (two digits a byte)' : `DATA of ${bytes} bytes`;
  return text(
    `expected ${shape}`,
    (digits) =>
      isData(digits) && (bytes === undefined || digits.length === 2 + 2 * bytes)
        ? decodeData(digits)
        : new Problem(`expected ${shape}`),
    { title: "DATA", pattern: bytes === undefined ? "^0x([0-9a-fA-F]{2})*$" : `^0x[0-9a-fA-F]{${2 * bytes}}$` },
  );
}

/** A storage slot: up to 32 bytes of hex, as clients send both `0x0` and the padded form. Gives 32 bytes. */
export const storageSlot = textLike(/^0x[0-9a-fA-F]{0,64}$/, {
  shape: "expected a storage slot: hex of at most 32 bytes",
  title: "slot",
}).to((digits) => decodeData(`0x${digits.slice(2).padStart(64, "0")}`));

const TAGS = ["earliest", "latest", "pending", "safe", "finalized"] as const satisfies readonly BlockTag[];
const BLOCK_ID_SHAPE = `expected a QUANTITY or one of ${TAGS.map((tag) => `"${tag}"`).join(", ")}`;

/** QUANTITY or TAG. */
export const blockNumberOrTag = text(
  BLOCK_ID_SHAPE,
  (name): BlockId | Problem => {
    if ((TAGS as readonly string[]).includes(name)) return { tag: name as BlockTag };
    const problem = quantityProblem(name);
    if (problem !== undefined) return new Problem(BLOCK_ID_SHAPE + problem);
    return name.length > 18 ? new Problem("expected a block number below 2^64") : { number: BigInt(name) };
  },
  { title: "block number or tag" },
);

/** A block by its hash, side blocks included. */
export const blockHash = hash.to((value): BlockId => ({ hash: value, requireCanonical: false }));
const objectId = strictObject({
  blockHash: hash.optional(),
  blockNumber: blockNumberOrTag.optional(),
  requireCanonical: boolean().optional(),
})
  .where(
    (id) => (id.blockHash === undefined) !== (id.blockNumber === undefined),
    "expected either blockHash or blockNumber",
  )
  .to((id): BlockId => {
    if (id.blockHash === undefined) return id.blockNumber as BlockId;
    return { hash: id.blockHash, requireCanonical: id.requireCanonical ?? false };
  });

/** QUANTITY, TAG, block hash, or an EIP-1898 object. */
export const blockId = anything.to((value): BlockId | Problem => {
  if (typeof value === "string") return (value.length === 66 ? blockHash : blockNumberOrTag).read(value);
  if (typeof value !== "object" || value === null) return blockNumberOrTag.read(value);
  const id = objectId.read(value);
  // Shown with all of its members, also where one is too many.
  return id instanceof Problem ? new Problem(id.message, id.path) : id;
});
