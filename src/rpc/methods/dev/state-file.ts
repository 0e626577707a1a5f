/** anvil_*, hardhat_*, ganache_*: saving and loading the whole chain as a file. */
import { z } from "zod";
import { encodeData } from "../../../primitives/bytes/hex.ts";
import { asIs } from "../../encode/shape.ts";
import { aliasedMethod, optional, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { data } from "../../schema/primitives.ts";
import { inEveryMode } from "./names.ts";

export const dumpState = aliasedMethod({
  names: inEveryMode("dumpState"),
  summary: "The chain with its blocks, receipts, states, edits and time as a gzipped file.",
  params: [optional("preserveHistoricalStates", z.boolean({ error: "expected true or false; all states are kept" }))],
  run: async ({ control }) => (await control.stateFiles()).dump(),
  encode: encodeData,
});

export const loadState = aliasedMethod({
  names: inEveryMode("loadState"),
  summary: "Replaces the chain by that of an `anvil_dumpState` file, from this node or from Anvil.",
  params: [required("file", data)],
  result: BOOLEAN,
  run: async ({ control }, [bytes]) => {
    await (await control.stateFiles()).load(bytes);
    return true;
  },
  encode: asIs,
});
