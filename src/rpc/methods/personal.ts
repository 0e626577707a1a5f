/** personal_* */

import { z } from "zod";
import { encodeData } from "../../primitives/bytes/hex.ts";
import { method, optional, required } from "../method.ts";
import { ref } from "../openrpc/json-schema.ts";
import { address } from "../schema/primitives.ts";
import { message } from "../schema/typed-data.ts";

export const personalSign = method({
  name: "personal_sign",
  summary: "Signs a message of one of the node's accounts, with the prefix of EIP-191. The password is ignored.",
  params: [required("message", message), required("address", address), optional("password", z.string())],
  result: ref("Signature"),
  run: ({ messages }, [bytes, account]) => messages.signMessage(account, bytes),
  encode: encodeData,
});
