/**
 * The running requests of each connection, which end with it. A client may send several without waiting for answers; Node
 * tells only the response whose turn it is that the connection was closed.
 */
import type { Socket } from "node:net";
import type { Work } from "../work.ts";

const running = new WeakMap<Socket, Set<Work>>();

/** Aborts a request when its connection is closed, until the returned function is called. */
export function abortWithConnection(work: Work, socket: Socket): () => void {
  const works = running.get(socket) ?? watched(socket);
  works.add(work);
  if (socket.destroyed) abortAll(works);
  return () => works.delete(work);
}

function watched(socket: Socket): Set<Work> {
  const works = new Set<Work>();
  running.set(socket, works);
  socket.once("close", () => abortAll(works));
  return works;
}

function abortAll(works: ReadonlySet<Work>): void {
  for (const work of works) work.abort(new Error("The client went away."));
}
