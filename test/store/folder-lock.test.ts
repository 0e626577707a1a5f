import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { lockFolder } from "../../src/store/backends/folder-lock.ts";
import { LevelBackend } from "../../src/store/backends/level-backend.ts";
import { ChainStore } from "../../src/store/chain-store.ts";
import { aFolder } from "../support/a-folder.ts";
import { slowIt } from "../support/slow-suite.ts";
import { anIdentity } from "./a-block.ts";
import { type StoreProcess, startStoreProcess } from "./a-process.ts";
import { fingerprint } from "./fingerprint.ts";

const processes: StoreProcess[] = [];
afterEach(async () => {
  for (const started of processes.splice(0)) await started.kill();
});

const holding = async (folder: string): Promise<StoreProcess> => {
  const started = await startStoreProcess("hold", folder);
  processes.push(started);
  return started;
};

describe("a data folder in use", () => {
  it("refuses a second process by name, and is left untouched", async () => {
    const dataDir = await aFolder();
    const holder = await holding(dataDir);
    const before = await fingerprint(dataDir);
    const opening = ChainStore.open({ dataDir, identity: anIdentity });
    await expect(opening).rejects.toMatchObject({
      code: "DATA_DIR_LOCKED",
      what: `The data folder is in use by process ${holder.child.pid}.`,
    });
    expect(await fingerprint(dataDir)).toEqual(before);
  });

  it("refuses a second store of the same process, and is left untouched", async () => {
    const dataDir = await aFolder();
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    const before = await fingerprint(dataDir);
    await expect(ChainStore.open({ dataDir, identity: anIdentity })).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await expect(
      ChainStore.open({ dataDir: `${dataDir}/../${dataDir.split("/").pop()}`, identity: anIdentity }),
    ).rejects.toMatchObject({
      code: "DATA_DIR_LOCKED",
      what: "The data folder is in use by another node of this process.",
    });
    expect(await fingerprint(dataDir)).toEqual(before);
    await store.close();
  });

  slowIt("is free as soon as its process was killed", async () => {
    const dataDir = await aFolder();
    const holder = await startStoreProcess("hold", dataDir);
    await holder.kill();
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    await store.close();
  });

  it("is free after a store that could not be opened", async () => {
    const dataDir = await aFolder();
    await (await ChainStore.open({ dataDir, identity: anIdentity })).close();
    await expect(ChainStore.open({ dataDir, identity: { ...anIdentity, chainId: 1n } })).rejects.toMatchObject({
      code: "DATA_DIR_MISMATCH",
    });
    await (await ChainStore.open({ dataDir, identity: anIdentity })).close();
  });

  it("lets only one of many who come at once in", async () => {
    const dataDir = await aFolder();
    const openings = Array.from({ length: 10 }, () => ChainStore.open({ dataDir, identity: anIdentity }));
    const outcomes = await Promise.allSettled(openings);
    const stores = outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value);
    expect(stores).toHaveLength(1);
    const refusals = outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason.code);
    expect(refusals).toEqual(new Array(9).fill("DATA_DIR_LOCKED"));
    await stores[0]?.close();
  });

  it("is still kept by LevelDB's own lock where the socket's is not seen", async () => {
    const dataDir = await aFolder();
    const store = await ChainStore.open({ dataDir, identity: anIdentity });
    await expect(LevelBackend.onDisk(join(dataDir, "chain"))).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await store.close();
  });
});

describe("the lock where sockets are files", () => {
  it("lies outside the folder, refuses the second and is gone when released", async () => {
    const folder = await aFolder();
    const lock = await lockFolder(folder, "darwin");
    expect(await readdir(folder)).toEqual([]);
    await access(await socketFile(folder));
    await expect(lockFolder(folder, "darwin")).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await lock.release();
    await expect(access(await socketFile(folder))).rejects.toMatchObject({ code: "ENOENT" });
    await (await lockFolder(folder, "darwin")).release();
  });

  it("takes over what a killed process left", async () => {
    const folder = await aFolder();
    await leaveSocketBehind(await socketFile(folder));
    await access(await socketFile(folder));
    const lock = await lockFolder(folder, "darwin");
    await expect(lockFolder(folder, "darwin")).rejects.toMatchObject({ code: "DATA_DIR_LOCKED" });
    await lock.release();
  });
});

describe("the lock", () => {
  it("does not keep its process alive", async () => {
    const dataDir = await aFolder();
    const script = `
      const { lockFolder } = await import(${JSON.stringify(new URL("../../src/store/backends/folder-lock.ts", import.meta.url).href)});
      await lockFolder(${JSON.stringify(dataDir)});
    `;
    const loader = new URL("./run-typescript.mjs", import.meta.url).href;
    const child = spawn(process.execPath, ["--import", loader, "--input-type=module", "-e", script], {
      stdio: "inherit",
    });
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });

  it.runIf(process.platform === "linux")(
    "is refused without a process id when its holder does not answer",
    async () => {
      const folder = await aFolder();
      const { dev, ino } = await stat(folder, { bigint: true });
      const silent = createServer();
      await new Promise<void>((resolve) => silent.listen(`\0hindcast-${dev}-${ino}`, resolve));
      await expect(lockFolder(folder, "linux")).rejects.toMatchObject({
        code: "DATA_DIR_LOCKED",
        what: "The data folder is in use by another process.",
      });
      silent.close();
    },
  );
});

async function socketFile(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return join(tmpdir(), `hindcast-${dev}-${ino}.sock`);
}

/** A socket file whose process was killed. */
async function leaveSocketBehind(path: string): Promise<void> {
  const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("up"))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}
