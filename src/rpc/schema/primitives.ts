/**
 * Schemas of the wire primitives: each checks the text form and gives a bigint or bytes.
 *
 * Their messages state the expected shape with an example. Path and received value are added where the error is made.
 */
import { z } from "zod";
import type { BlockId, BlockTag } from "../../chain/blocks/block-id.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { decodeData, encodeData, encodeQuantity, isQuantity, parseData } from "../../primitives/bytes/hex.ts";
import { MAX_UINT64, MAX_UINT256 } from "../../primitives/bytes/limits.ts";
import { quickReader, REFUSED } from "../../primitives/validation/quick-reader.ts";
import { wordingOf } from "../../primitives/validation/schema-issue.ts";

/** QUANTITY: `0x` and hex digits without leading zeros. Gives a bigint below 2^256. */
export const quantity = z
  .string({ error: ({ input }) => quantityShape(input) })
  .superRefine((text, context) => {
    const problem = quantityProblem(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: `${quantityShape(text)}${problem}` });
  })
  .transform((text) => BigInt(text))
  .meta({ title: "QUANTITY", pattern: "^0x(0|[1-9a-f][0-9a-f]*)$" });

/** The expected shape; its example is the value that the caller probably meant. */
function quantityShape(input: unknown): string {
  return `expected a QUANTITY such as "${asQuantity(input) ?? "0x3b9aca00"}"`;
}

/** True for the message of a schema that refused a value which is no QUANTITY or block number. */
export function asksForQuantity(message: string): boolean {
  return /^expected a (?:QUANTITY|block number) such as /.test(message);
}

/** True for the message of a schema that refused a value which is no DATA of any length. */
export function asksForData(message: string): boolean {
  return message.startsWith("expected DATA such as ");
}

/** The QUANTITY of a decimal or zero-padded number, which are the most frequent mistakes. */
function asQuantity(input: unknown): string | undefined {
  const isNumber = typeof input === "bigint" || Number.isSafeInteger(input);
  const text = isNumber ? String(input) : input;
  if (typeof text !== "string" || !/^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) return undefined;
  return encodeQuantity(BigInt(text));
}

/** Characters of a QUANTITY of 256 bits. */
const QUANTITY_LENGTH = 66;

function quantityProblem(text: string): string | undefined {
  // A text of megabytes is refused by its beginning.
  const beginning = text.slice(0, QUANTITY_LENGTH + 1);
  if (isQuantity(beginning)) return text.length > QUANTITY_LENGTH ? " of at most 256 bits" : undefined;
  if (/^0x0+[0-9a-fA-F]+$/.test(beginning)) return " (no leading zeros)";
  return "";
}

/** QUANTITY below 2^64: gas, nonces, times. */
export const uint64 = quantity.refine((value) => value <= MAX_UINT64, { message: "expected a QUANTITY below 2^64" });

/** QUANTITY that fits a JS number: indexes, counts. */
export const index = quantity
  .refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER), { message: "expected a QUANTITY below 2^53" })
  .transform(Number);

const INTEGER_SHAPE = 'expected an integer such as 10 or a QUANTITY such as "0xa"';

/** A count or offset: a plain integer or a QUANTITY. */
export const integerOrQuantity = z.union(
  [z.int({ error: INTEGER_SHAPE }).nonnegative({ error: INTEGER_SHAPE }), index],
  {
    error: INTEGER_SHAPE,
  },
);

const COUNT_SHAPE = 'expected a count such as "0xa", "10" or 10';

/** A count as geth's `HexOrDecimal64` reads it: an integer, a decimal string, or hex with or without leading zeros. */
export const countOrDecimal = z
  .union(
    [
      z.int({ error: COUNT_SHAPE }).nonnegative({ error: COUNT_SHAPE }),
      z.string().regex(/^(?:\d{1,20}|0x[0-9a-fA-F]{1,16})$/, { error: COUNT_SHAPE }),
    ],
    { error: COUNT_SHAPE },
  )
  .transform(BigInt)
  .refine((value) => value <= MAX_UINT64, { message: "expected a count below 2^64" });

const AMOUNT_SHAPE = 'expected a number such as "0xa", "10" or 10, below 2^256';

/** A number below 2^256 in any form: wei, a nonce, an id. */
export const amount = z
  .union(
    [
      z.int({ error: AMOUNT_SHAPE }).nonnegative({ error: AMOUNT_SHAPE }),
      z.string().regex(/^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/, { error: AMOUNT_SHAPE }),
    ],
    { error: AMOUNT_SHAPE },
  )
  .transform(BigInt)
  .refine((value) => value <= MAX_UINT256, { message: "expected a number below 2^256" });

/** DATA of any length. */
export const data = sizedData(undefined);
/** DATA of 32 bytes. */
export const hash = sizedData(32);
/** DATA of 20 bytes. */
export const address = sizedData(20);

/** DATA of so many bytes, or of any length. */
export function sizedData(bytes: number | undefined) {
  const shape = (input: unknown): string => (bytes === undefined ? dataShape(input) : sizedShape(input, bytes));
  return z
    .string({ error: ({ input }) => shape(input) })
    .transform((text, context): Bytes => {
      const read = bytes === undefined || text.length === 2 + 2 * bytes ? parseData(text) : undefined;
      if (read !== undefined) return read;
      context.addIssue({ code: "custom", message: shape(text) });
      return z.NEVER;
    })
    .meta({ title: "DATA", pattern: bytes === undefined ? "^0x([0-9a-f]{2})*$" : `^0x[0-9a-f]{${2 * bytes}}$` });
}

/** Characters of a text of a wrong length from which its form is guessed. */
const GUESSED_LENGTH = 1_000;
/** Strings up to this length are shown as DATA in the message, encoded as UTF-8. */
const MAX_EXAMPLE_TEXT = 32;

function dataShape(input: unknown): string {
  if (typeof input !== "string") return 'expected DATA such as "0x00ff" (two digits a byte)';
  if (/^0x[0-9a-f]*$/i.test(input)) {
    return 'expected DATA such as "0x00ff" (two digits a byte, here an odd number)';
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(input)) return 'expected DATA with "0x" in front, such as "0x00ff"';
  if (input === "" || input.length > MAX_EXAMPLE_TEXT) return 'expected DATA such as "0x00ff" (two digits a byte)';
  return `expected DATA such as "${encodeData(new TextEncoder().encode(input))}" (two digits a byte)`;
}

function sizedShape(input: unknown, bytes: number): string {
  const isHex = typeof input === "string" && /^0x[0-9a-f]*$/i.test(input.slice(0, GUESSED_LENGTH));
  const digits = `"0x" and ${2 * bytes} hex digits${isHex ? `, here ${input.length - 2}` : ""}`;
  if (bytes !== 20) return `expected DATA of ${bytes} bytes (${digits})`;
  return `expected an address (${digits}) such as "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"`;
}

/** A storage slot: up to 32 bytes of hex, because clients send both `0x0` and the padded form. Gives 32 bytes. */
export const storageSlot = z
  .string({ error: 'expected a storage slot such as "0x0": hex of at most 32 bytes' })
  .refine((text) => /^0x[0-9a-fA-F]{0,64}$/.test(text), {
    message: 'expected a storage slot such as "0x0": hex of at most 32 bytes',
  })
  .transform((text) => decodeData(`0x${text.slice(2).padStart(64, "0")}`))
  .meta({ title: "slot", pattern: "^0x[0-9a-f]{0,64}$" });

const TAGS = ["earliest", "latest", "pending", "safe", "finalized"] as const satisfies readonly BlockTag[];

function blockIdShape(input: unknown): string {
  const tags = TAGS.map((tag) => `"${tag}"`).join(", ");
  return `expected a block number such as "${asQuantity(input) ?? "0x10"}" or one of ${tags}`;
}

/** QUANTITY or TAG. */
export const blockNumberOrTag = z
  .string({ error: ({ input }) => blockIdShape(input) })
  .superRefine((text, context) => {
    if ((TAGS as readonly string[]).includes(text)) return;
    if (quantityProblem(text) !== undefined) {
      context.addIssue({ code: "invalid_value", values: [...TAGS], message: blockIdShape(text) });
    } else if (text.length > 18) context.addIssue({ code: "custom", message: "expected a block number below 2^64" });
  })
  .transform((text): BlockId => (text.startsWith("0x") ? { number: BigInt(text) } : { tag: text as BlockTag }))
  .meta({ title: "block number or tag" });

/** A block by its hash, side blocks included. */
export const blockHash = hash.transform((value): BlockId => ({ hash: value, requireCanonical: false }));
const objectId = z
  .strictObject({
    blockHash: hash.optional(),
    blockNumber: blockNumberOrTag.optional(),
    requireCanonical: z.boolean().optional(),
  })
  .refine((id) => (id.blockHash === undefined) !== (id.blockNumber === undefined), {
    message: "expected either blockHash or blockNumber",
  })
  .refine((id) => id.blockNumber === undefined || id.requireCanonical === undefined, {
    message: "expected requireCanonical beside blockHash only (EIP-1898)",
    path: ["requireCanonical"],
  })
  .transform((id): BlockId => {
    if (id.blockHash === undefined) return id.blockNumber as BlockId;
    return { hash: id.blockHash, requireCanonical: id.requireCanonical ?? false };
  });

/** QUANTITY, TAG, block hash, or an EIP-1898 object. */
export const blockId = z.unknown().transform((value, context): BlockId => {
  const isHash = typeof value === "string" && value.length === 66;
  const schema = isHash ? blockHash : typeof value === "object" && value !== null ? objectId : blockNumberOrTag;
  const read = quickReader(schema)(value);
  if (read !== REFUSED) return read as BlockId;
  const parsed = schema.safeParse(value, { error: wordingOf });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
  return z.NEVER;
});
