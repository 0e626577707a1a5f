/**
 * Params of wallet_sendCalls and the methods beside it (EIP-5792). Unknown members are ignored, but for those that are nearly
 * known.
 */
import { z } from "zod";
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import type { CallBatch } from "../../services/submit/call-batches.ts";
import { namedMembers } from "./named-members.ts";
import { address, data, quantity } from "./primitives.ts";

/** Longest id of a batch, in bytes (EIP-5792). */
const MAX_ID_BYTES = 4_096;

const ID_SHAPE = `expected the id of a batch: text of at most ${MAX_ID_BYTES} bytes`;

/** An id that the caller chose. EIP-5792 bounds its length in bytes. */
export const batchId = z
  .string({ error: ID_SHAPE })
  .min(1, { error: ID_SHAPE })
  .refine((id) => new TextEncoder().encode(id).length <= MAX_ID_BYTES, { error: ID_SHAPE });

/** Chains whose capabilities are asked for. */
export const chainIds = z.array(quantity, { error: 'expected chain ids such as ["0x7a69"]' });

const capabilities = z.record(z.string(), z.unknown(), {
  error: "expected an object with a member for each capability",
});

const VERSION_SHAPE = 'expected a version of EIP-5792 such as "2.0.0"';

const call = namedMembers(
  z.object(
    { to: address.nullish(), data: data.nullish(), value: quantity.nullish(), capabilities: capabilities.nullish() },
    { error: "expected a call with to, data and value" },
  ),
);

/** A batch, and what its sender wants of the wallet for the batch and for each call. */
export const sentCalls = namedMembers(
  z.object(
    {
      version: z
        .string({ error: VERSION_SHAPE })
        .regex(/^[12](\.\d+){0,2}$/, { error: VERSION_SHAPE })
        .nullish(),
      id: batchId.nullish(),
      from: address.nullish(),
      chainId: quantity.nullish(),
      atomicRequired: z.boolean({ error: "expected true or false" }).nullish(),
      calls: z.array(call, { error: "expected a list of calls" }).min(1, { error: "expected at least one call" }),
      capabilities: capabilities.nullish(),
    },
    { error: "expected an object with calls" },
  ),
).transform(({ id, from, chainId, atomicRequired, calls, capabilities: wanted }) => ({
  id: id ?? undefined,
  chainId: chainId ?? undefined,
  mustBeAtomic: atomicRequired ?? false,
  calls: calls.map(({ to, data: input, value }) => ({
    from: from ?? undefined,
    to: to ?? undefined,
    data: input ?? undefined,
    value: value ?? undefined,
  })),
  capabilities: [wanted, ...calls.map((each) => each.capabilities)].map((each) => each ?? {}),
})) satisfies z.ZodType<CallBatch>;

/**
 * Refuses capabilities that the sender does not mark as optional: this wallet has none that a batch can ask for.
 *
 * @throws {UnsupportedError} `UNSUPPORTED_CAPABILITY`
 */
export function checkCapabilities(wanted: readonly Readonly<Record<string, unknown>>[]): void {
  for (const [name, value] of wanted.flatMap((each) => Object.entries(each))) {
    if (typeof value === "object" && value !== null && "optional" in value && value.optional === true) continue;
    throw new UnsupportedError({
      code: "UNSUPPORTED_CAPABILITY",
      what: `Unsupported non-optional capability: ${name}.`,
      fix: `Leave it out, or mark it: { "${name}": { "optional": true } }.`,
    });
  }
}
