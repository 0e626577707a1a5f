/**
 * The explorer: a web page that shows the chain. It uses JSON-RPC and one subscription.
 *
 * It runs in a browser and loads only its own files. From the node's code it imports only the table of instructions.
 * Data of contracts and chains is inserted as text, never as HTML.
 */
import { render } from "preact";
import { App } from "./app.tsx";
import { labels } from "./components/labels.ts";
import { entries } from "./components/remembered.ts";
import { liveHead } from "./rpc/live.ts";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
// Now, while the answer to the page's first request is on its way. The head is asked for in a request of its own,
// since the page's may take long.
labels.start();
entries.start();
queueMicrotask(() => liveHead.start());
