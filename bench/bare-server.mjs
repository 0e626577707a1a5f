#!/usr/bin/env node
// The least that a JSON-RPC server on node:http can do: it reads the body and answers a constant.
//
//   node bench/bare-server.mjs PORT
import { createServer } from "node:http";

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":"0x7a69"}';
const HEADERS = { "content-type": "application/json", "content-length": ANSWER.length };

createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    Buffer.concat(chunks).toString("utf8");
    response.writeHead(200, HEADERS).end(ANSWER);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
