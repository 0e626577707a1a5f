/**
 * Opens connections that stay open: WebSockets, and socket files (JSON with or without newlines, as geth writes it).
 */
import { connect } from "node:net";
import { homedir } from "node:os";
import { JsonSplitter } from "../../server/sockets/json-splitter.ts";
import { redactText, secretsOf } from "./redact.ts";
import type { Connect } from "./socket-transport.ts";
import { MAX_REPLY_BYTES } from "./transport.ts";

/** Connects to a `ws` or `wss` URL. */
export function webSocketTo(url: string, headers: Readonly<Record<string, string>>): Connect {
  const secrets = secretsOf(url, headers);
  const safe = (error: Error): Error => new Error(redactText(error.message || "the WebSocket failed", secrets));
  return async ({ onMessage, onBytes, onClose }) => {
    const { WebSocket } = await import("ws");
    const socket = new WebSocket(url, { headers, maxPayload: MAX_REPLY_BYTES });
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", (error) => reject(safe(error)));
    });
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary && onBytes !== undefined) onBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      else onMessage(String(data));
    });
    socket.on("error", (error) => onClose(safe(error)));
    socket.on("close", () => onClose(new Error("the WebSocket was closed")));
    return { send: (text) => socket.send(text), close: () => socket.terminate() };
  };
}

/** Connects to a socket file. */
export function socketFileAt(path: string): Connect {
  const file = path.startsWith("~/") ? homedir() + path.slice(1) : path;
  return async ({ onMessage, onClose }) => {
    const socket = connect(file);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    const splitter = new JsonSplitter(MAX_REPLY_BYTES);
    socket.on("data", (chunk: Buffer) => {
      const { values, tooLong } = splitter.push(chunk);
      for (const value of values) onMessage(value);
      if (tooLong) socket.destroy(new Error("a message is too long"));
    });
    socket.on("error", onClose);
    socket.on("close", () => onClose(new Error("the socket was closed")));
    return { send: (text) => socket.write(`${text}\n`), close: () => socket.destroy() };
  };
}
