/**
 * A house as long as its node is open: all that acts or reads the chain is reached through here, so that after the end it is
 * the node that says so, and not whichever room misses its own things first. And that end, in order.
 */
import { nodeClosed } from "../rpc/provider.ts";
import type { DebugService } from "../services/simulate/debug/debug.ts";
import type { TraceService } from "../services/simulate/trace/trace.ts";
import { type ChainControl, chainControl } from "./arguments/chain.ts";
import { checked } from "./arguments/checked.ts";
import { DEBUG_ARGUMENTS } from "./arguments/debug.ts";
import { TRACE_ARGUMENTS } from "./arguments/trace.ts";
import type { Doors } from "./doors.ts";
import type { House } from "./house.ts";
import { whileReading } from "./while-reading.ts";

export class OpenHouse {
  /** Looks at arguments; may be held by a program beyond the node's end. */
  readonly trace: TraceService;
  /** As {@link trace}. */
  readonly debug: DebugService;
  readonly #rooms: House;
  readonly #control: ChainControl;
  readonly #doors: Doors;
  readonly #branches = new Set<OpenHouse>();
  #closing: Promise<void> | undefined;
  #leaveOrigin: (() => void) | undefined;

  constructor(rooms: House, doors: Doors) {
    this.#rooms = rooms;
    this.#doors = doors;
    const { chain, context } = rooms;
    const requireOpen = (): void => this.#requireOpen();
    this.trace = whileReading(checked(context.traces, TRACE_ARGUMENTS, requireOpen), chain);
    this.debug = whileReading(checked(context.debug, DEBUG_ARGUMENTS, requireOpen), chain);
    this.#control = chainControl(context.control);
  }

  /** @throws {UnsupportedError} `NODE_CLOSED` from the moment on when {@link close} is called */
  get rooms(): House {
    this.#requireOpen();
    return this.#rooms;
  }

  /**
   * What makes and unmakes blocks, which looks at arguments.
   *
   * @throws {UnsupportedError} `NODE_CLOSED`, as {@link rooms}
   */
  get control(): ChainControl {
    this.#requireOpen();
    return this.#control;
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw nodeClosed();
  }

  /**
   * A branch reads this house's store: it ends before that does.
   *
   * @throws {UnsupportedError} `NODE_CLOSED` if that has begun while the branch was made; it is closed then
   */
  async addBranch(branch: OpenHouse): Promise<void> {
    if (this.#closing !== undefined) {
      await branch.close();
      throw nodeClosed();
    }
    branch.#leaveOrigin = () => this.#branches.delete(branch);
    this.#branches.add(branch);
  }

  /** Ends servers, branches, mining and store, once what is being written is written. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const doors = this.#doors.close();
    await Promise.all([...this.#branches].map((branch) => branch.close()));
    await doors;
    await this.#rooms.close();
    this.#leaveOrigin?.();
  }
}
