/** A chain in a PostgreSQL that speaks TLS, with a certificate of an authority of its own. */
import { execFileSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createNode } from "../../src/node/create-node.ts";
import { allTheSame } from "../node/sharing/same-answers.ts";
import { ask } from "../node/sharing/shared-nodes.ts";
import { aFolder } from "../support/a-folder.ts";
import { ALICE, BOB } from "../support/a-node.ts";
import { aCluster, withCluster } from "./a-postgres.ts";
import { aChainName, aLogNode } from "./log-nodes.ts";

const TRANSFER = { from: ALICE, to: BOB, value: "0x1", gas: "0xc350" };

/** The authority's certificate, and the certificate and key of a server named localhost. */
async function certificates(): Promise<{
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}> {
  const folder = await aFolder();
  const file = (name: string): string => join(folder, name);
  const openssl = (args: string, ...more: string[]) =>
    execFileSync("openssl", [...args.split(" "), ...more], { cwd: folder, stdio: "pipe" });
  openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj", "/CN=an authority");
  openssl("req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost");
  await writeFile(file("names"), "subjectAltName=DNS:localhost\n");
  openssl("x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 2 -extfile names");
  return { authority: file("ca.crt"), certificate: file("server.crt"), key: file("server.key") };
}

withCluster(
  "encrypts all connections, and refuses another authority, another name, and a server without TLS",
  async () => {
    const { authority, certificate, key } = await certificates();
    const plain = await aCluster();
    onTestFinished(() => plain.close());
    await plain.ownedByServer([certificate, key]);
    await chmod(key, 0o600);
    const postgres = await aCluster({ ssl: "on", ssl_cert_file: certificate, ssl_key_file: key });
    onTestFinished(() => postgres.close());
    const named = postgres.url.replace("127.0.0.1", "localhost");
    const trusted = `sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`;
    const chain = aChainName();
    const url = `${named}?${trusted}`;
    const writer = await aLogNode({ url, chain, role: "writer" });
    const reader = await aLogNode({ url, chain, role: "reader" });
    await ask(reader, "eth_sendTransaction", TRANSFER);
    await allTheSame(reader, writer);
    const [found] = await postgres.query(
      "select count(*) > 3 as many, bool_and(ssl) as encrypted from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'hindcast'",
    );
    expect(found).toEqual({ many: true, encrypted: true });
    const refused = { code: "SHARED_LOG_REFUSED", message: expect.stringContaining("is not secure") };
    for (const wrong of [
      `${named}?sslmode=verify-full`,
      `${postgres.url}?${trusted}`,
      `${plain.url.replace("127.0.0.1", "localhost")}?${trusted}`,
    ]) {
      await expect(createNode({ shared: { url: wrong, chain } })).rejects.toMatchObject(refused);
    }
  },
);
