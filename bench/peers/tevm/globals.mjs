// What of Node's globals Tevm needs in a page. Imported first.
import { Buffer } from "buffer/";

globalThis.Buffer ??= Buffer;
globalThis.process ??= { env: {}, nextTick: queueMicrotask.bind(globalThis) };
