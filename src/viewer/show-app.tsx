/** Renders the explorer into its page, once the page is connected. */
import { render } from "preact";
import { App, type MorePage } from "./app.tsx";
import { labels } from "./components/labels.ts";
import { entries } from "./components/remembered.ts";
import { liveHead } from "./rpc/live.ts";

/** @param more - pages beside the explorer's own, whose links stand before the others */
export function showApp(more: readonly MorePage[] = []): void {
  const root = document.getElementById("app");
  if (root !== null) render(<App more={more} />, root);
  // Now, while the answer to the page's first request is on its way. The head is asked for in a request of its own,
  // since the page's may take long.
  labels.start();
  entries.start();
  queueMicrotask(() => liveHead.start());
}
