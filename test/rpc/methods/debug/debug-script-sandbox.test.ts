import { sandboxSuite } from "./sandbox-suite.ts";

sandboxSuite((rows) => rows.slice(0, 1));
