/** The result of `hindcast_stateChanges`. */
import { arrayOf, BOOLEAN, INTEGER, type JsonSchema, object, orNull, ref, TEXT } from "../json-schema.ts";
import { ADDRESS } from "./primitives.ts";

const ASSET = {
  kind: { type: "string", enum: ["ether", "erc20", "erc721", "erc1155"] },
  token: orNull(ADDRESS),
  tokenId: orNull(ref("Quantity")),
};
const TRACE_ADDRESS = arrayOf(INTEGER);
const WRITE = object({
  before: TEXT,
  after: TEXT,
  isUndone: BOOLEAN,
  traceAddress: TRACE_ADDRESS,
  function: orNull(TEXT),
  file: orNull(TEXT),
  line: orNull(INTEGER),
  column: orNull(INTEGER),
  isApproximate: BOOLEAN,
});

/** Schemas by name. */
export const STATE_CHANGES: Readonly<Record<string, JsonSchema>> = {
  StateChanges: object({
    storage: arrayOf(
      object({
        account: ADDRESS,
        contract: orNull(TEXT),
        name: orNull(TEXT),
        unnamedBecause: orNull(TEXT),
        type: orNull(TEXT),
        slot: ref("Data"),
        isTransient: BOOLEAN,
        before: TEXT,
        after: TEXT,
        writes: arrayOf(WRITE),
      }),
    ),
    moves: arrayOf(
      object({ ...ASSET, from: ADDRESS, to: ADDRESS, amount: ref("Quantity"), traceAddress: TRACE_ADDRESS }),
    ),
    assets: arrayOf(object({ ...ASSET, account: ADDRESS, amount: TEXT })),
    text: TEXT,
    notes: arrayOf(TEXT),
  }),
};
