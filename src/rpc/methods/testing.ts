/** testing_*: building a block without a consensus client. */
import { encodePayload, payloadSchema } from "../encode/blocks/payload.ts";
import { NO_STATE, REJECTIONS, STOPPED } from "../errors.ts";
import { method, optional, required } from "../method.ts";
import { extraData, payloadAttributes, rawTransactions } from "../schema/payload.ts";
import { hash } from "../schema/primitives.ts";
import { EXAMPLE } from "./example-chain.ts";

export const buildBlock = method({
  name: "testing_buildBlockV1",
  summary: "Builds a block on a parent from given transactions or the pool's. The chain does not change.",
  answeredBy: "writer",
  params: [
    required("parentBlockHash", hash),
    required("payloadAttributes", payloadAttributes),
    optional("transactions", rawTransactions),
    optional("extraData", extraData),
  ],
  result: payloadSchema,
  errors: [
    "BLOCK_NOT_MINABLE",
    "BLOCK_REJECTED",
    NO_STATE,
    "UNSUPPORTED",
    "UNDECODABLE_TRANSACTION",
    "TOO_MANY_ITEMS",
    REJECTIONS,
    STOPPED,
  ],
  example: {
    params: [
      EXAMPLE.blockHash,
      {
        timestamp: "0x6553f200",
        prevRandao: EXAMPLE.word,
        suggestedFeeRecipient: EXAMPLE.other,
        withdrawals: [],
        parentBeaconBlockRoot: EXAMPLE.word,
      },
      [],
    ],
  },
  run: ({ payloads }, [parentHash, attributes, transactions, extra]) =>
    payloads.build({ parentHash, attributes, transactions, extraData: extra }),
  encode: encodePayload,
});
