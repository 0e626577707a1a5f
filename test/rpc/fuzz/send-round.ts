/** Sends random messages through every door of a server, and judges the answers. */
import { isUtf8 } from "node:buffer";
import type { FuzzServer } from "./fuzz-server.ts";
import type { Message } from "./messages.ts";
import { isAnswered, wrongWith } from "./verdict.ts";
import { type Door, httpDoor, inTime, ipcDoor, webSocketDoor } from "./wire.ts";

/** Messages and their answers, so far. */
export interface Round {
  /** What was wrong with answers, in words. */
  readonly wrong: string[];
  /** How long each answer took, in milliseconds. */
  readonly latencies: number[];
}

/** Sends messages over HTTP at both addresses, two WebSockets, and a socket file where the server has one, all at once. */
export async function sendRound(server: FuzzServer, messages: readonly Message[]): Promise<Round> {
  const paths = ["/", "/v4/ethereum/non-archival/mainnet"];
  const http = paths.map((path) => httpDoor(server.port, path));
  const others = [await webSocketDoor(server.port), await webSocketDoor(server.port)];
  if (server.ipcPath !== undefined) others.push(await ipcDoor(server.ipcPath));
  // What is no UTF-8 closes a WebSocket, and what is no JSON leaves nothing to tell where the next message begins.
  const queues = {
    any: messages.filter(({ bytes }) => isUtf8(bytes)),
    http: messages.filter(({ bytes }) => !isUtf8(bytes)),
  };
  const round: Round = { wrong: [], latencies: [] };
  const work = async (door: Door, isHttp: boolean): Promise<void> => {
    for (;;) {
      const next = (isHttp ? queues.http.pop() : undefined) ?? queues.any.pop();
      if (next === undefined) return;
      if (door.takes?.(next.bytes) === false) queues.http.push(next);
      else await judge(door, next, round);
    }
  };
  try {
    await Promise.all(others.map((door) => work(door, false)).concat(http.map((door) => work(door, true))));
    // What the others could not take, and came after the last look.
    await Promise.all(http.map((door) => work(door, true)));
  } finally {
    for (const door of [...http, ...others]) door.close();
  }
  return round;
}

async function judge(door: Door, { bytes }: Message, { wrong, latencies }: Round): Promise<void> {
  const shown = (): string => Buffer.from(bytes).toString().slice(0, 3_000);
  try {
    const sentAt = performance.now();
    const answer = await inTime(door.send(bytes, isAnswered(bytes)), shown);
    if (answer !== undefined) latencies.push(performance.now() - sentAt);
    const problem = wrongWith(bytes, answer);
    if (problem !== undefined) wrong.push(`${problem}\n  to ${shown()}\n  was answered ${answer?.slice(0, 1_000)}`);
  } catch (error) {
    wrong.push(`${String(error)}\n  to ${shown()}`);
  }
}
