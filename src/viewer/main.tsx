/**
 * The explorer: a web page that shows the chain. It uses JSON-RPC and one subscription.
 *
 * It runs in a browser and loads only its own files. From the node's code it imports only the table of instructions.
 * Data of contracts and chains is inserted as text, never as HTML.
 */
import { connect } from "./rpc/connection.ts";
import { httpConnection } from "./rpc/http-connection.ts";
import { showApp } from "./show-app.tsx";

connect(httpConnection);
showApp();
