// A fresh process of Node that measures once and prints the times as JSON.
import { measureAll } from "./browser-program.mjs";

const times = await measureAll(() => import("../dist/bundle/index.js"));
process.stdout.write(JSON.stringify(times));
