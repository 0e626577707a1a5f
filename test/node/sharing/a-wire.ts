/** A connection to a writer that can be cut, and led to another writer. */
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../../support/at-end.ts";

/** A port that passes connections on. */
export interface Wire {
  readonly url: string;
  /** Passes them on to this port from now on. */
  to(port: number): void;
  /** Cuts all, and accepts no others. */
  cut(): void;
}

/** The end of the test closes it. @param atEnd - of a test that runs beside others: its own */
export async function aWire(atEnd: AtEnd = onTestFinished): Promise<Wire> {
  let target: number | undefined;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (target === undefined) return void near.destroy();
    const far = connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    target = undefined;
    for (const socket of open) socket.destroy();
  };
  atEnd(() => {
    cut();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    to: (next) => {
      target = next;
    },
    cut,
  };
}
