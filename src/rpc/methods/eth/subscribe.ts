/** eth_subscribe and eth_unsubscribe, for connections that outlive a request. */
import { z } from "zod";
import { encodeQuantity } from "../../../primitives/bytes/hex.ts";
import { asIs } from "../../encode/shape.ts";
import { LOGS, SUBSCRIBING } from "../../errors.ts";
import { method, optional, required } from "../../method.ts";
import { BOOLEAN } from "../../openrpc/json-schema.ts";
import { QUANTITY } from "../../openrpc/primitives.ts";
import { quantity } from "../../schema/primitives.ts";
import { readTopic, subscriptionKind } from "../../schema/subscription.ts";

export const subscribe = method({
  name: "eth_subscribe",
  summary:
    "Subscribes to newHeads, logs, newPendingTransactions, transactionReceipts or syncing, over WebSocket or in process.",
  writes: true,
  answeredBy: "reader",
  params: [required("kind", subscriptionKind), optional("argument", z.unknown())],
  result: QUANTITY,
  errors: [LOGS, SUBSCRIBING],
  example: { params: ["newHeads"], result: "0x9ce59a13059e417087c02d3236a0b1cc" },
  run: ({ subscriptions }, [kind, argument], call) => subscriptions.subscribe(readTopic(kind, argument), call),
  encode: encodeQuantity,
});

export const unsubscribe = method({
  name: "eth_unsubscribe",
  summary: "Ends a subscription of this connection.",
  writes: true,
  answeredBy: "reader",
  params: [required("subscription", quantity)],
  result: BOOLEAN,
  errors: SUBSCRIBING,
  example: { params: ["0x9ce59a13059e417087c02d3236a0b1cc"] },
  run: ({ subscriptions }, [id], call) => subscriptions.unsubscribe(id, call),
  encode: asIs,
});
