/** evm_*, anvil_*, hardhat_*, ganache_*: snapshots. */
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { asIs } from "../../encode/shape.ts";
import { aliasedMethod, inEveryMode, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import { amount } from "../../schema/primitives.ts";

export const snapshot = aliasedMethod({
  names: ["evm_snapshot", ...inEveryMode("snapshot")],
  summary: "Takes a snapshot. Answers its id; ids rise from 0x0.",
  writes: true,
  params: [],
  result: QUANTITY,
  example: { params: [] },
  run: ({ control }) => control.snapshots.takeNumbered(),
  encode: encodeQuantity,
});

export const revert = aliasedMethod({
  names: ["evm_revert", ...inEveryMode("revert")],
  summary: "Goes back to a snapshot and deletes it and all later ones. Answers false if the id is unknown.",
  writes: true,
  params: [required("id", amount)],
  result: BOOLEAN,
  errors: ["SNAPSHOT_NOT_FOUND"],
  example: { params: ["0x0"] },
  run: ({ control }, [id]) => control.snapshots.revertNumbered(id),
  encode: asIs,
});
