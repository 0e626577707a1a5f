/** anvil_*, hardhat_*, ganache_*: saving and loading the whole chain as a file. */
import { z } from "zod";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { after } from "../../../primitives/maybe-promise.ts";
import { asIs } from "../../encode/shape.ts";
import { dataText } from "../../encode/stream/text.ts";
import { aliasedMethod, inEveryMode, optional, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { DATA } from "../../openrpc/primitives.ts";
import { data } from "../../schema/primitives.ts";

export const dumpState = aliasedMethod({
  names: inEveryMode("dumpState"),
  summary: "The chain with its blocks, receipts, states, edits and time as a gzipped file.",
  answeredBy: "writer",
  params: [optional("preserveHistoricalStates", z.boolean({ error: "expected true or false; all states are stored" }))],
  result: DATA,
  errors: ["UNSUPPORTED"],
  load: ({ control }) => control.stateFiles(),
  run: ({ control }) => after(control.stateFiles(), (files) => files.dump()),
  encode: encodeData,
  encodeText: dataText,
});

export const loadState = aliasedMethod({
  names: inEveryMode("loadState"),
  summary:
    "Replaces the chain by that of an `anvil_dumpState` file, from this node or Anvil; or merges the accounts of Anvil's.",
  writes: true,
  params: [
    required("file", data),
    optional("merge", z.boolean({ error: "expected true or false; true merges the accounts of Anvil's file" })),
  ],
  result: BOOLEAN,
  errors: [
    "STATE_FILE_INVALID",
    "STATE_FILE_MISMATCH",
    "UNPACKED_TOO_LARGE",
    "JSON_TOO_DEEP",
    "JSON_TOO_MANY_VALUES",
    "JSON_VALUE_TOO_LONG",
    "TOO_MANY_ITEMS",
  ],
  load: ({ control }) => control.stateFiles(),
  run: ({ control }, [bytes, merge]) =>
    after(control.stateFiles(), async (files) => {
      await files.load(bytes, { merge });
      return true;
    }),
  encode: asIs,
});
