/**
 * The playground: the explorer with a node of its own, which runs in a worker of the page. No server takes part.
 *
 * It is built to static files, which may stand in any folder of any site.
 */
import { connect } from "../viewer/rpc/connection.ts";
import { liveHead } from "../viewer/rpc/live.ts";
import { showApp } from "../viewer/show-app.tsx";
import { watchArtifacts } from "./contracts.ts";
import { linked, openLinkedChain, watchLinks } from "./link.ts";
import { startNode } from "./worker-connection.ts";

const { connection, provider } = startNode();
connect(connection);
// For the browser's console, as the first page says.
Object.assign(globalThis, { hindcast: provider });
watchArtifacts();
addEventListener("beforeunload", (event) => {
  // Once there are blocks, a reload loses something: browsers ask.
  if (liveHead.last !== undefined && BigInt(liveHead.last.number) > 0n) event.preventDefault();
});
// Before anything is drawn, so that the first answers are of this chain.
await openLinkedChain();
watchLinks();
if (location.hash === "" || linked.problem !== undefined) history.replaceState(history.state, "", "#/start");
showApp([{ name: "start", label: "Start", load: async () => (await import("./start-page.tsx")).StartPage }]);
