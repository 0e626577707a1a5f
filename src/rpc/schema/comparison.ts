/** The requests of hindcast_compareHardforks and hindcast_replay. */
import { z } from "zod";
import { findHardfork, HARDFORKS, parseHardfork } from "../../chainspec/hardforks/hardforks.ts";
import { isObject } from "../../primitives/validation/shape.ts";
import type { WhatIfRequest } from "../../services/simulate/what-if/request.ts";
import { callObject } from "./call-object.ts";
import { blockOverrides, byAddress, slots, stateOverrides } from "./overrides.ts";
import { blockId, data, hash } from "./primitives.ts";

const HARDFORK_SHAPE = 'expected the name of a hardfork such as "osaka"';
const HARDFORKS_SHAPE = 'expected two hardforks such as ["osaka", "amsterdam"]';

/** A hardfork in the spelling of any client. */
const hardfork = z
  .string({ error: HARDFORK_SHAPE })
  .superRefine((name, context) => {
    if (findHardfork(name) !== undefined) return;
    context.addIssue({ code: "invalid_value", values: [...HARDFORKS], message: HARDFORK_SHAPE });
  })
  .transform(parseHardfork);

/** Unknown members are refused, since no other client has the method. */
export const comparisonParam = z
  .strictObject({
    calls: z.array(callObject).nullish(),
    block: blockId.nullish(),
    hardforks: z.tuple([hardfork, hardfork], { error: HARDFORKS_SHAPE }).nullish(),
    stateOverrides: stateOverrides.nullish(),
    blockOverrides: blockOverrides.nullish(),
  })
  .transform(({ calls, block, hardforks, stateOverrides: accounts, blockOverrides: overridden }) => ({
    calls: calls ?? undefined,
    block: block ?? undefined,
    hardforks: hardforks ?? undefined,
    overrides: { accounts: accounts ?? undefined, block: overridden ?? undefined },
  }));

/** The request for the transactions of the latest block. */
export const LATEST_BLOCK: z.output<typeof comparisonParam> = {
  calls: undefined,
  block: undefined,
  hardforks: undefined,
  overrides: { accounts: undefined, block: undefined },
};

const CODE_SHAPE = "expected bytecode as DATA, or an artifact with deployedBytecode";

/** Bytecode as DATA; an artifact is read by `explain`, which says what is wrong with it. */
const code = z.union([data, z.record(z.string(), z.unknown())], { error: CODE_SHAPE });

const RANGE_SHAPE = 'expected the first and the last block such as ["0x1", "latest"]';
const PLACE = "expected one of before, after and block";

const inserted = z
  .strictObject({ before: hash.nullish(), after: hash.nullish(), block: blockId.nullish(), call: callObject })
  .refine(({ before, after, block }) => [before, after, block].filter((place) => place != null).length === 1, PLACE)
  .transform(({ before, after, block, call }) => ({
    before: before ?? undefined,
    after: after ?? undefined,
    block: block ?? undefined,
    call,
  }));

const replaced = z
  .strictObject({ transaction: hash, call: callObject, creates: z.boolean().nullish() })
  .transform(({ creates, ...others }) => ({ ...others, creates: creates ?? undefined }));

const transactions = z
  .strictObject({
    drop: z.array(hash).nullish(),
    insert: z.array(inserted).nullish(),
    replace: z.array(replaced).nullish(),
  })
  .transform(({ drop, insert, replace }) => ({
    drop: drop ?? undefined,
    insert: insert ?? undefined,
    replace: replace ?? undefined,
  }));

const MOST_LISTED = 10_000;

/** Unknown members are refused, since no other client has the method. */
export const whatIfParam = z
  .strictObject({
    transaction: hash.nullish(),
    blocks: z.tuple([blockId, blockId], { error: RANGE_SHAPE }).nullish(),
    code: byAddress(code, "an object of codes by address").nullish(),
    storage: byAddress(slots, "an object of slots by address").nullish(),
    transactions: transactions.nullish(),
    limit: z.int().nonnegative().max(MOST_LISTED).nullish(),
  })
  .refine(({ transaction, blocks }) => (transaction == null) !== (blocks == null), {
    error: "expected one of transaction and blocks",
  })
  .transform(({ limit, ...request }) => ({ request: changesOf(request), limit: limit ?? undefined }));

interface Given {
  readonly transaction?: WhatIfRequest["transaction"] | null;
  readonly blocks?: WhatIfRequest["blocks"] | null;
  readonly code?: readonly { readonly key: Uint8Array; readonly value: unknown }[] | null | undefined;
  readonly storage?: readonly { readonly key: Uint8Array; readonly value: z.output<typeof slots> }[] | null | undefined;
  readonly transactions?: WhatIfRequest["transactions"] | null;
}

function changesOf({ transaction, blocks, code: codes, storage, transactions: changes }: Given): WhatIfRequest {
  return {
    transaction: transaction ?? undefined,
    blocks: blocks ?? undefined,
    code: codes?.map(({ key, value }) => ({
      address: key,
      code: isObject(value) ? value : (value as Uint8Array),
    })),
    storage: storage?.map(({ key, value }) => ({ address: key, slots: value })),
    transactions: changes ?? undefined,
  };
}
