/**
 * The explorer: a page that shows what the node knows, by JSON-RPC and one subscription.
 *
 * It runs in a browser, loads nothing but its own files, and imports nothing of the node but the table of instructions. Whatever contracts and
 * chains say is put into the page as text.
 */
import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) render(<App />, root);
