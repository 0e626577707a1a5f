// What a failed transaction did, as a tree with the names of an artifact folder.
import { createNode } from "hindcast";
import { withdrawTooMuch } from "./vault.mjs";

const node = await createNode({ hardfork: "cancun" });
await node.abi.addArtifacts(new URL("out", import.meta.url).pathname);
node.onConsoleLog(({ text }) => console.log(`Printed: ${text}`));
console.log(await node.renderTrace(await withdrawTooMuch(node.provider)));
await node.close();
