/** An EventSink that keeps only which accounts stand in the traces of what runs: what an index of traces is made of. */
import { type Bytes, bytesKey } from "../primitives/bytes.ts";
import type { EventSink, FrameEnd, FrameError, FrameStart } from "./events.ts";

export class AddressCollector implements EventSink {
  readonly wantsFrames = true;
  readonly wantsLogs = false;
  readonly wantsAccesses = false;
  readonly wantsSteps = false;
  readonly #addresses = new Map<string, Bytes>();

  /** Each account once, in the order met: senders, receivers, created contracts, beneficiaries, what {@link add} was told. */
  get addresses(): readonly Bytes[] {
    return [...this.#addresses.values()];
  }

  add(address: Bytes): void {
    const key = bytesKey(address);
    if (!this.#addresses.has(key)) this.#addresses.set(key, address.slice());
  }

  enterFrame(frame: FrameStart): void {
    this.#addEnds(frame);
  }

  #addEnds({ from, to }: FrameStart): void {
    this.add(from);
    if (to !== undefined) this.add(to);
  }

  exitFrame({ createdAddress }: FrameEnd): void {
    if (createdAddress !== undefined) this.add(createdAddress);
  }

  refuseFrame(frame: FrameStart, _error: FrameError): void {
    this.#addEnds(frame);
  }

  selfDestruct(address: Bytes, beneficiary: Bytes, _balance: bigint): void {
    this.add(address);
    this.add(beneficiary);
  }

  // What it does not want is never emitted.
  log(): void {}
  accessAccount(): void {}
  accessSlot(): void {}
  beginStep(): void {}
  endStep(): void {}
  failStep(): void {}
  refuseStep(): void {}
}
