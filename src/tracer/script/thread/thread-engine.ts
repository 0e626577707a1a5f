/** The engine port over a script thread: passes requests on to the engine in that thread. */
import type {
  BlockContext,
  Engine,
  EngineName,
  EngineSession,
  Message,
  MessageResult,
  SessionRequest,
  TransactionContext,
  TransactionEffects,
} from "../../../evm/engine.ts";
import type { EvmAccount } from "../../../evm/state-port.ts";
import type { Bytes } from "../../../primitives/bytes/bytes.ts";
import type { ScriptBounds } from "../scripts.ts";
import type { BlockSetup, Command } from "./protocol.ts";
import type { ScriptThread } from "./script-thread.ts";
import type { StateSource } from "./state-source.ts";

/** Parts that each session uses. */
interface ThreadEngineParts {
  readonly thread: ScriptThread;
  readonly source: StateSource;
  readonly bounds: ScriptBounds;
}

/**
 * The engine of a script thread, with one session at a time. It does not use the pace of a request, because the thread
 * has the same time limit.
 */
export class ThreadEngine implements Engine {
  readonly name: EngineName;
  readonly #parts: ThreadEngineParts;

  constructor(parts: ThreadEngineParts) {
    this.name = parts.thread.engine;
    this.#parts = parts;
  }

  async open({ state, block, ...request }: SessionRequest): Promise<EngineSession> {
    const { chainId, maxCodeSize, maxInitCodeSize, isImported, precompiles } = request;
    this.#parts.source.session = { state, block };
    const session = new ThreadSession(this.#parts);
    const setup = { block: blockSetup(block), chainId, maxCodeSize, maxInitCodeSize, isImported, precompiles };
    await session.ask({ do: "openSession", session: setup });
    return session;
  }

  async close(): Promise<void> {}
}

/** A session in the thread. Commands without a result are held back and sent with the next one that has a result. */
class ThreadSession implements EngineSession {
  readonly #parts: ThreadEngineParts;
  #queued: Command[] = [];

  constructor(parts: ThreadEngineParts) {
    this.#parts = parts;
  }

  ask(command: Command): Promise<unknown> {
    const { thread, source, bounds } = this.#parts;
    const commands = [...this.#queued, command];
    this.#queued = [];
    return thread.ask(commands, source, bounds);
  }

  enterBlock(block: BlockContext): void {
    if (this.#parts.source.session !== undefined) this.#parts.source.session.block = block;
    this.#queued.push({ do: "enterBlock", block: blockSetup(block) });
  }

  begin({ origin, gasPrice, blobVersionedHashes }: TransactionContext): void {
    this.#queued.push({ do: "begin", transaction: { origin, gasPrice, blobVersionedHashes } });
  }

  warmAddress(address: Bytes): void {
    this.#queued.push({ do: "warmAddress", address });
  }

  warmSlot(address: Bytes, slot: Bytes): void {
    this.#queued.push({ do: "warmSlot", address, slot });
  }

  async getAccount(address: Bytes): Promise<EvmAccount | undefined> {
    return (await this.ask({ do: "getAccount", address })) as EvmAccount | undefined;
  }

  async getCode(codeHash: Bytes): Promise<Bytes> {
    return (await this.ask({ do: "getCode", codeHash })) as Bytes;
  }

  setNonce(address: Bytes, nonce: bigint): void {
    this.#queued.push({ do: "setNonce", address, nonce });
  }

  addBalance(address: Bytes, amount: bigint): void {
    this.#queued.push({ do: "addBalance", address, amount });
  }

  setCode(address: Bytes, code: Bytes): void {
    this.#queued.push({ do: "setCode", address, code });
  }

  checkpoint(): void {
    this.#queued.push({ do: "checkpoint" });
  }

  revert(): void {
    this.#queued.push({ do: "revert" });
  }

  async run(message: Message): Promise<MessageResult> {
    // A copy, because cloning a view of a block's bytes would clone the whole block.
    const data = new Uint8Array(message.data);
    return (await this.ask({ do: "run", message: { ...message, data } })) as MessageResult;
  }

  async end(): Promise<TransactionEffects> {
    const { writes, accesses, seen } = (await this.ask({ do: "end" })) as ClonedEffects;
    return { writes, accesses: () => accesses, seen: () => seen };
  }

  abandon(): void {
    this.#parts.thread.tell([...this.#queued, { do: "abandon" }]);
    this.#queued = [];
  }

  close(): void {
    this.#parts.thread.tell([{ do: "closeSession" }]);
  }
}

type ClonedEffects = Pick<TransactionEffects, "writes"> & {
  readonly accesses: ReturnType<TransactionEffects["accesses"]>;
  readonly seen: ReturnType<TransactionEffects["seen"]>;
};

function blockSetup({ blockHash: _, ...block }: BlockContext): BlockSetup {
  return block;
}
