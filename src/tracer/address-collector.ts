/** An EventSink that keeps only the addresses in the traces of an execution, for the address index. */
import type { EventSink, FrameEnd, FrameStart, SelfDestruct, SinkWants } from "../evm/event-sink.ts";
import type { FrameError } from "../evm/frames.ts";
import { type Bytes, bytesKey } from "../primitives/bytes/bytes.ts";

/** Collects the addresses of one block, which is built or run again. */
export class AddressCollector implements EventSink {
  get wants(): SinkWants {
    return { frames: "all" };
  }

  readonly #addresses = new Map<string, Bytes>();

  /**
   * Each address once, in order of appearance: senders, recipients, created contracts, beneficiaries, and those passed
   * to {@link add}.
   */
  get addresses(): readonly Bytes[] {
    return [...this.#addresses.values()];
  }

  add(address: Bytes): void {
    const key = bytesKey(address);
    if (!this.#addresses.has(key)) this.#addresses.set(key, address);
  }

  enterFrame({ from, to }: FrameStart): void {
    this.add(from);
    if (to !== undefined) this.add(to);
  }

  exitFrame({ createdAddress }: FrameEnd): void {
    if (createdAddress !== undefined) this.add(createdAddress);
  }

  refuseFrame({ from, to }: FrameStart, _error: FrameError): void {
    this.add(from);
    if (to !== undefined) this.add(to);
  }

  selfDestruct({ address, beneficiary }: SelfDestruct): void {
    this.add(address);
    this.add(beneficiary);
  }
}
