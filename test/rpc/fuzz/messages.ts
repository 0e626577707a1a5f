/** Messages: valid requests, altered ones, batches of both, and texts that are not JSON. */
import fc from "fast-check";
import type { OpenRpcDocument } from "../../../src/rpc/openrpc/document-shape.ts";
import type { Corpus, RpcRequest } from "./corpus.ts";
import { fromSchema } from "./from-schema.ts";
import { mutate, mutation } from "./mutation.ts";

/** One body or WebSocket message. */
export interface Message {
  readonly bytes: Uint8Array;
  /** Number of requests in it; 1 if it is not a batch. */
  readonly count: number;
}

/** Those that put an end to what others need are asked less often. */
const RARE = /_(reset|loadState|dumpState)$|^rpc\.discover$/;
const MAX_BATCH = 30;

/** Messages made from the document of the methods and from recorded requests. */
export function messages(document: OpenRpcDocument, corpus: Corpus): fc.Arbitrary<Message> {
  const often = corpus.requests.filter(({ method }) => !RARE.test(method));
  const recorded = fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...often) },
    { weight: 1, arbitrary: fc.constantFrom(...corpus.requests) },
  );
  const request = fc.oneof(
    { weight: 3, arbitrary: recorded },
    { weight: 5, arbitrary: bySchema(document, corpus) },
    { weight: 7, arbitrary: fc.tuple(recorded, fc.array(mutation, { minLength: 1, maxLength: 3 })).map(withOddParams) },
    { weight: 1, arbitrary: fc.tuple(oddName(document), recorded).map(([method, { params }]) => ({ method, params })) },
  );
  const envelope = fc
    .tuple(request, id)
    .map(([{ method, params }, own]) => ({ jsonrpc: "2.0", ...own, method, params }));
  const oddEnvelope = fc.tuple(envelope, mutation).map(([value, change]) => mutate(value, change));
  const single = fc.oneof({ weight: 9, arbitrary: envelope }, { weight: 1, arbitrary: oddEnvelope });
  const batch = fc.array(fc.oneof({ weight: 12, arbitrary: single }, fc.jsonValue({ maxDepth: 2 })), {
    maxLength: MAX_BATCH,
    size: "max",
  });
  const json = fc.oneof(
    { weight: 80, arbitrary: single.map((value) => message(JSON.stringify(value) ?? "", 1)) },
    { weight: 12, arbitrary: batch.map((values) => message(JSON.stringify(values), Math.max(1, values.length))) },
    { weight: 1, arbitrary: envelope.map((value) => message(JSON.stringify(Array(65).fill(value)), 65)) },
  );
  return fc.oneof({ weight: 14, arbitrary: json }, { weight: 1, arbitrary: garbage(single) });
}

const message = (text: string, count: number): Message => ({ bytes: Buffer.from(text), count });

/** Most have one; a request without is a notification. */
const id = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(fc.nat(), fc.string()).map((value) => ({ id: value })) },
  fc.constantFrom({}, { id: null }, { id: -1 }, { id: 1.5 }, { id: 2 ** 60 }),
);

function bySchema(document: OpenRpcDocument, corpus: Corpus): fc.Arbitrary<RpcRequest> {
  const context = { ...corpus, named: document.components.schemas };
  const requests = document.methods
    .filter(({ name }) => !RARE.test(name))
    .map(({ name: method, params }) => {
      const values = fc.tuple(...params.map(({ schema }) => fromSchema(schema, context)));
      const required = params.filter((param) => param.required).length;
      const some = fc.tuple(values, fc.integer({ min: required, max: params.length }));
      return some.map(([list, length]) => ({ method, params: list.slice(0, length) }));
    });
  return fc.oneof(...requests);
}

function withOddParams([{ method, params }, changes]: [RpcRequest, Parameters<typeof mutate>[1][]]): RpcRequest {
  return { method, params: changes.reduce<unknown>(mutate, params) as readonly unknown[] };
}

function oddName(document: OpenRpcDocument): fc.Arbitrary<string> {
  const known = fc.constantFrom(...document.methods.map(({ name }) => name));
  return fc.oneof(
    fc.string(),
    fc.constantFrom("", "__proto__", "constructor", "toString", "eth_", "engine_newPayloadV4", "x".repeat(5_000)),
    fc.tuple(known, fc.nat(30)).map(([name, at]) => name.slice(0, at) + name.slice(at + 1)),
    known.map((name) => name.toUpperCase()),
  );
}

/** Bytes that are no JSON, or only just. */
function garbage(single: fc.Arbitrary<unknown>): fc.Arbitrary<Message> {
  const text = single.map((value) => JSON.stringify(value) ?? "");
  const broken = fc.tuple(text, fc.nat(2_000), fc.string()).map(([whole, at, between]) => {
    const cut = at % (whole.length + 1);
    return Buffer.from(whole.slice(0, cut) + between + (at % 2 === 0 ? "" : whole.slice(cut)));
  });
  const odd = fc.constantFrom(
    ...[
      "",
      " ",
      "null",
      "1",
      '"x"',
      "[]",
      "[[]]",
      "{}",
      "[1,2]",
      "\ufeff{}",
      "{}{}",
      "[".repeat(100_000),
      "NaN",
      "1e999",
    ],
    ...['{"a":'.repeat(20_000), '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_chainId"}', `"${"x".repeat(500_000)}"`],
    ...[
      `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x${"0".repeat(900_000)}"]}`,
      `[${"1,".repeat(60)}1]`,
    ],
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    broken,
    odd.map((each) => Buffer.from(each)),
    fc.tuple(text, fc.nat(2_000), fc.nat(255)).map(([whole, at, byte]) => {
      const copy = Buffer.from(whole);
      if (copy.length > 0) copy[at % copy.length] = byte;
      return copy;
    }),
  );
  return bytes.map((each) => ({ bytes: each, count: 1 }));
}
