/** Entry file of the threads that {@link openScripts} starts. */
import { serveScripts } from "../tracer/script/thread/serve-scripts.ts";
import { openEngine } from "./engines.ts";

serveScripts(openEngine);
