// A PostgreSQL of Debian's package, or of the path, in a temporary folder: for tests, and for benchmarks, which Node runs as they are.
import { execFile, execFileSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);
const DEBIANS = "/usr/lib/postgresql";
const PASSWORD = "a-password-nobody-sees";

/**
 * The folder of PostgreSQL's programs; undefined where it is not installed.
 *
 * @returns {Promise<string | undefined>}
 */
export async function postgresPrograms() {
  try {
    const versions = (await readdir(DEBIANS)).sort((left, right) => Number(right) - Number(left));
    if (versions[0] !== undefined) return join(DEBIANS, versions[0], "bin");
  } catch {
    // Other systems have them in the path.
  }
  return run("pg_config", ["--bindir"]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

/** The user to run as: PostgreSQL refuses to run as root. */
function owner() {
  if (process.getuid?.() !== 0) return {};
  /** @param {string} flag */
  const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Rows of a statement, over a connection of its own.
 *
 * @param {string} url
 * @param {string} text
 * @param {readonly unknown[]} values
 * @returns {Promise<Readonly<Record<string, unknown>>[]>}
 */
export async function queryAt(url, text, values = []) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/**
 * A disk of its own for a folder, which can be full: a file system in memory.
 *
 * @param {string} folder
 * @param {number} mebibytes
 * @param {{ readonly uid?: number, readonly gid?: number }} user
 * @returns undefined where this process may not mount one
 */
async function mountDisk(folder, mebibytes, { uid = 0, gid = 0 }) {
  await mkdir(folder);
  /** @param {string} options */
  const mount = (options) => run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  const whole = `size=${mebibytes}m,mode=700,uid=${uid},gid=${gid}`;
  const isMounted = await mount(whole).then(
    () => true,
    () => false,
  );
  if (!isMounted) return undefined;
  return {
    /** Nothing more can be written. */
    fill: async () => {
      for (let spare = 0; ; spare += 256) {
        const { bsize, blocks, bfree } = await statfs(folder);
        const size = (bsize * (blocks - bfree)) / 1024 + spare;
        // Refused if more is used by then.
        const isFull = await mount(`remount,size=${size}k`).then(
          () => true,
          () => false,
        );
        if (isFull) return;
      }
    },
    free: () => mount(`remount,size=${mebibytes}m`).then(() => undefined),
    close: () => run("umount", ["-l", folder]).then(() => undefined),
  };
}

/**
 * Starts a cluster of its own, which listens on this machine alone.
 *
 * @param {Readonly<Record<string, string>>} settings of the server
 * @param {number} [diskMebibytes] of a disk of its own, which can be full
 */
export async function startCluster(settings = {}, diskMebibytes) {
  const programs = await postgresPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  const user = owner();
  const folder = await mkdtemp(join(tmpdir(), "hindcast-postgres-"));
  const passwords = join(folder, "password");
  await writeFile(passwords, PASSWORD);
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of [folder, passwords]) await chown(path, user.uid, user.gid);
    // The folder of all temporary files is root's alone.
    await chmod(tmpdir(), (await stat(tmpdir())).mode | 0o011);
  }
  const data = join(folder, "data");
  const disk = diskMebibytes === undefined ? undefined : await mountDisk(data, diskMebibytes, user);
  const options = { ...user, cwd: folder };
  const access = ["-U", "hindcast", "-A", "scram-sha-256", `--pwfile=${passwords}`];
  await run(join(programs, "initdb"), ["-D", data, ...access, "--no-sync", "-E", "UTF8"], options);
  /** @param {string} place the folder of a server's data */
  const serverOf = async (place) => {
    const port = await freePort();
    const flags = Object.entries({ port, listen_addresses: "127.0.0.1", unix_socket_directories: folder, ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" ");
    /** @param {readonly string[]} args */
    const control = async (...args) => {
      await run(join(programs, "pg_ctl"), ["-D", place, "-w", "-l", join(folder, "log"), ...args], options);
    };
    const url = `postgres://hindcast:${PASSWORD}@127.0.0.1:${port}/postgres`;
    return { url, control, start: () => control("-o", flags, "start") };
  };
  const { url, control, start } = await serverOf(data);
  await start();
  /** @type {(() => Promise<void>)[]} */
  const copies = [];
  return {
    url,
    password: PASSWORD,
    /** @type {(text: string, values?: readonly unknown[]) => ReturnType<typeof queryAt>} */
    query: (text, values) => queryAt(url, text, values),
    start,
    /** @type {(how: "fast" | "immediate") => Promise<void>} `immediate` is a crash */
    stop: (how) => control("-m", how, "stop"),
    /** A hot standby: a copy that follows, is read, and can take the place of the other. It ends with the cluster. */
    standby: async () => {
      const place = join(folder, `standby-${copies.length}`);
      const copying = ["-d", url, "-D", place, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
      await run(join(programs, "pg_basebackup"), copying, options);
      const copy = await serverOf(place);
      copies.push(() => copy.control("-m", "immediate", "stop").catch(() => undefined));
      await copy.start();
      return { url: copy.url, promote: () => copy.control("promote") };
    },
    /** The process that listens. */
    pid: async () => Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]),
    /**
     * Gives files to the user of the server, which reads keys of its own alone.
     *
     * @param {readonly string[]} paths
     */
    ownedByServer: async (paths) => {
      const { uid, gid } = user;
      if (uid === undefined || gid === undefined) return;
      for (const path of paths) {
        await chown(path, uid, gid);
        await chmod(dirname(path), 0o755);
      }
    },
    /** What it has logged. */
    log: () => readFile(join(folder, "log"), "utf8"),
    /** Undefined without one of its own. */
    disk,
    close: async () => {
      for (const stop of copies) await stop();
      await control("-m", "immediate", "stop").catch(() => undefined);
      await disk?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
