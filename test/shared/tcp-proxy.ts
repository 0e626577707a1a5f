/** A TCP proxy between a node and its PostgreSQL, whose connections can be slow, stand still, or break in the midst of a message. */
import { createServer, type Server, type Socket, connect as toServer } from "node:net";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One for each node. */
export class TcpProxy {
  /** Milliseconds that each piece of data waits. */
  delayMs = 0;
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Bytes that still pass until all connections break; undefined for any number. */
  #left: number | undefined;
  #breaking: { readonly text: string; readonly times: number } = { text: "", times: 0 };
  #isHeld = false;
  readonly #held = new Set<() => void>();
  #cuts = 0;

  /** Listens on a port of its own, on this machine alone. */
  static async before(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#serve(client));
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Times that connections broke. */
  get cuts(): number {
    return this.#cuts;
  }

  /** A URL by way of this proxy. */
  of(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    return through.href;
  }

  #serve(client: Socket): void {
    const server = toServer(this.#target, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => undefined);
      from.once("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      this.#pass(from, to).catch(() => undefined);
    }
  }

  async #pass(from: Socket, to: Socket): Promise<void> {
    for await (const piece of from as AsyncIterable<Uint8Array>) {
      if (this.delayMs > 0) await pause(this.delayMs);
      while (this.#isHeld) await new Promise<void>((resolve) => this.#held.add(resolve));
      if (this.#isBreaking(piece)) {
        this.cut();
        return;
      }
      if (this.#left !== undefined && piece.length > this.#left) {
        // The first bytes arrive: what breaks off is a message.
        await new Promise<void>((resolve) => to.write(piece.subarray(0, this.#left), () => resolve()));
        this.#left = undefined;
        this.cut();
        return;
      }
      if (this.#left !== undefined) this.#left -= piece.length;
      await new Promise<void>((resolve) => to.write(piece, () => resolve()));
    }
    to.end();
  }

  /** Breaks all connections. */
  cut(): void {
    this.#cuts++;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Breaks all connections when so many more bytes have passed, in either direction. */
  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  /** Breaks all connections instead of passing a piece with this text, so many times. */
  cutAt(text: string, times: number): void {
    this.#breaking = { text, times };
  }

  #isBreaking(piece: Uint8Array): boolean {
    const { text, times } = this.#breaking;
    if (times === 0 || !Buffer.from(piece).includes(text)) return false;
    this.#breaking = { text, times: times - 1 };
    return true;
  }

  /** Nothing passes until {@link release}; connections stay. */
  hold(): void {
    this.#isHeld = true;
  }

  /** What was held passes, late. */
  release(): void {
    this.#isHeld = false;
    for (const resolve of this.#held) resolve();
    this.#held.clear();
  }

  /** Passes everything at once again. */
  heal(): void {
    this.delayMs = 0;
    this.#left = undefined;
    this.cutAt("", 0);
    this.release();
  }

  async close(): Promise<void> {
    this.heal();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }
}
