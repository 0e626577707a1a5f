/** Bounds of the servers, and default values of their options. */

/** Of the server for HTTP and WebSocket. */
export const SERVER_DEFAULTS = {
  pageAt: () => undefined,
  host: "127.0.0.1",
  port: 8545,
  allowedHosts: [],
  allowedOrigins: [],
  allowsLocalOrigins: true,
  maxBodyBytes: 10 * 1024 * 1024,
  maxWebSocketBufferBytes: 16 * 1024 * 1024,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxBytesInHand: 64 * 1024 * 1024,
  maxConcurrentRequests: 128,
  stallTimeoutMs: 30_000,
  onError: () => undefined,
} as const;

/** Of the server at a socket file. */
export const IPC_DEFAULTS = {
  maxRequestBytes: 10 * 1024 * 1024,
  maxBufferBytes: 16 * 1024 * 1024,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxBytesInHand: 64 * 1024 * 1024,
  stallTimeoutMs: 30_000,
  maxConcurrentRequests: 128,
  onError: () => undefined,
} as const;

/** Milliseconds in which a request must arrive, and after which an idle connection is closed. */
export const HTTP_TIMEOUTS = { requestTimeout: 300_000, keepAliveTimeout: 72_000 } as const;

/** Bodies of HTTP requests that are received and served at a time, and WebSocket messages that are received, in bodies of the largest size. Those of 64 KiB do not count. */
export const BODIES_TOGETHER = 4;

/**
 * Most bytes of a too large body that are read and dropped, so that the client can read the answer; and the time limit
 * for it.
 */
export const DISCARD_BYTES = 64 * 1024 * 1024;
/** Time for reading the rest of a refused body, in milliseconds, so that the client reads the refusal before the connection ends. */
export const DISCARD_TIMEOUT_MS = 1_000;
