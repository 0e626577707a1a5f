/** Connections of a browser to upstream nodes. Counterpart of `remote/transport/connections.ts`. */
import { UnsupportedError } from "../../errors/hindcast-error.ts";
import { redactText, secretsOf } from "../../remote/transport/redact.ts";
import type { Connect } from "../../remote/transport/socket-transport.ts";

/**
 * Connects to a `ws` or `wss` URL.
 *
 * @throws {UnsupportedError} `UNSUPPORTED` for headers, which browsers do not send over WebSocket
 */
export function webSocketTo(url: string, headers: Readonly<Record<string, string>>): Connect {
  if (Object.keys(headers).length > 0) {
    throw new UnsupportedError({
      code: "UNSUPPORTED",
      what: "A browser sends no headers with a WebSocket.",
      fix: "Leave fork.headers out, or name an https URL.",
    });
  }
  const safe = redactText("the WebSocket failed", secretsOf(url, headers));
  return async ({ onMessage, onClose }) => {
    const socket = new WebSocket(url);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error(safe));
    });
    socket.onmessage = ({ data }) => onMessage(String(data));
    socket.onerror = () => onClose(new Error(safe));
    socket.onclose = () => onClose(new Error("the WebSocket was closed"));
    return { send: (text) => socket.send(text), close: () => socket.close() };
  };
}

/** @throws {UnsupportedError} `UNSUPPORTED` */
export function socketFileAt(path: string): Connect {
  throw new UnsupportedError({
    code: "UNSUPPORTED",
    what: "A browser has no socket files.",
    where: `Path: ${path}.`,
    fix: "Name an https or wss URL, or pass an EIP-1193 provider as fork.provider.",
  });
}
