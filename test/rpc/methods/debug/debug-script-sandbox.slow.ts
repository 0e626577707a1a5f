import { sandboxSuite } from "./sandbox-suite.ts";

sandboxSuite((rows) => rows);
