/**
 * eth_createAccessList: a list of the accounts and slots that a call accesses, so that all of them are warm (EIP-2930).
 */

import type { BlockViews } from "../../../chain/block-views.ts";
import { recoverAuthority } from "../../../chainspec/transaction/authorization.ts";
import type { CallRequest } from "../../../chainspec/transaction/call-request.ts";
import type { AccessListEntry } from "../../../chainspec/transaction/transaction-fields.ts";
import type { ExecutionClock } from "../../../executor/clock.ts";
import type { Executor } from "../../../executor/executor.ts";
import type { FeePolicy } from "../../../executor/transaction-checks.ts";
import { createAddress } from "../../../primitives/address.ts";
import { type Bytes, bytesKey } from "../../../primitives/bytes/bytes.ts";
import { ZERO_ADDRESS } from "../../../primitives/hash/hash.ts";
import { gethErrorText } from "../../../tracer/formats/geth-errors.ts";
import { Recorder } from "../../../tracer/recorder.ts";
import type { CallOptions } from "./call.ts";
import { adapted, type CallHabits } from "./call-habits.ts";
import { boundReached, textAtBound } from "./gas-bound.ts";
import { overrideView, precompilesOf, type SimulationView } from "./overridden-view.ts";
import { boundCall, type CallOutcome, runCall, type SimulationLimits } from "./simulation.ts";

/** A complete list, and the result of the call with it. */
export interface CreatedAccessList {
  readonly accessList: readonly AccessListEntry[];
  readonly gasUsed: bigint;
  /**
   * Reason of a failure in geth's words, with the bound that the gas was at. A call that fails has a list too: its accesses
   * up to the failure.
   */
  readonly error: string | undefined;
}

/** Sources of blocks and states, and the habits of calls. */
export interface AccessListParts {
  readonly executor: Executor;
  readonly views: BlockViews;
  readonly limits: SimulationLimits;
  /** Default: the protocol's rules. */
  readonly fees?: FeePolicy | undefined;
  /** Default: those of geth. */
  readonly habits?: CallHabits | undefined;
}

/** Serves `eth_createAccessList`, and `node/contract-probe.ts`, which finds the slots of tokens with it. */
export class AccessListService {
  readonly #executor: Executor;
  readonly #views: BlockViews;
  readonly #limits: SimulationLimits;
  readonly #fees: FeePolicy | undefined;
  readonly #habits: CallHabits | undefined;

  constructor({ executor, views, limits, fees, habits }: AccessListParts) {
    this.#executor = executor;
    this.#views = views;
    this.#limits = limits;
    this.#fees = fees;
    this.#habits = habits;
  }

  /**
   * Runs the call with the list of its last run until the list no longer changes, because the gas left can change what
   * a contract does.
   *
   * The sender, the recipient, precompiles and the authorities of EIP-7702 are warm anyway and only listed for their
   * slots. A call without a price is free; geth charges its suggested price instead.
   *
   * @throws {TransactionRejectedError} if the call cannot start
   * @throws {LimitError} at the time limit, or if the caller aborts
   */
  async create({ call: given, id, overrides = {}, signal }: CallOptions): Promise<CreatedAccessList> {
    const call = adapted(this.#habits, given);
    const view = await overrideView(this.#executor.spec, await this.#views.require(id), overrides);
    const clock = this.#executor.clock(
      {
        timeoutMs: this.#limits.callTimeoutMs,
        signal,
      },
      "--call-timeout",
    );
    const excluded = await this.#warmAnyway(call, view);
    let list = new AccessList(excluded);
    for (const { address, storageKeys } of call.accessList ?? []) list.add(address, storageKeys);
    for (;;) {
      const { outcome, recorder } = await this.#run({ ...call, accessList: list.entries() }, view, clock);
      const next = new AccessList(excluded);
      for (const { address, storageKeys } of list.entries()) next.add(address, storageKeys);
      for (const { address, slots } of recorder.accesses) next.add(address, slots);
      if (next.size === list.size) {
        return { accessList: list.entries(), gasUsed: outcome.gasUsed, error: errorText(outcome) };
      }
      list = next;
    }
  }

  async #warmAnyway(call: CallRequest, view: SimulationView): Promise<ReadonlySet<string>> {
    const from = call.from ?? ZERO_ADDRESS;
    const nonce = call.nonce ?? (await view.reader.getAccount(from))?.nonce ?? 0n;
    const { spec } = this.#executor;
    const signers = spec.signersAt(view.context.number + 1n);
    const authorities = (call.authorizations ?? []).map((entry) => recoverAuthority(entry, spec.chainId, signers));
    const others = [from, call.to ?? createAddress(from, nonce), ...authorities].filter(
      (address) => address !== undefined,
    );
    return new Set([...precompilesOf(view.rules.hardfork).keys(), ...others.map(bytesKey)]);
  }

  async #run(
    call: CallRequest,
    view: SimulationView,
    clock: ExecutionClock,
  ): Promise<{ outcome: CallOutcome; recorder: Recorder }> {
    const recorder = new Recorder({ frames: "none", accesses: true, refusedAccesses: true });
    const outcome = await runCall({
      executor: this.#executor,
      view,
      state: view.reader,
      ...boundCall(call, view, this.#limits),
      limits: clock,
      fees: this.#fees,
      recorder,
    });
    return { outcome, recorder };
  }
}

function errorText(outcome: CallOutcome): string | undefined {
  const { error, detail } = outcome;
  return error && textAtBound(gethErrorText(error, detail), boundReached(error, outcome));
}

/** A list that only grows: if one list was made from another and both have the same size, they are equal. */
class AccessList {
  readonly #excluded: ReadonlySet<string>;
  readonly #entries = new Map<string, { readonly address: Bytes; readonly slots: Map<string, Bytes> }>();

  constructor(excluded: ReadonlySet<string>) {
    this.#excluded = excluded;
  }

  /** Number of accounts and slots. */
  get size(): number {
    let size = this.#entries.size;
    for (const { slots } of this.#entries.values()) size += slots.size;
    return size;
  }

  add(address: Bytes, slots: readonly Bytes[]): void {
    const key = bytesKey(address);
    if (slots.length === 0 && this.#excluded.has(key)) return;
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { address, slots: new Map() };
      this.#entries.set(key, entry);
    }
    for (const slot of slots) entry.slots.set(bytesKey(slot), slot);
  }

  entries(): AccessListEntry[] {
    return Array.from(this.#entries.values(), ({ address, slots }) => ({ address, storageKeys: [...slots.values()] }));
  }
}
