// X6: no space where PostgreSQL keeps its data, its write-ahead log or the service its log. Reads continue
// where they can; nothing acknowledged may be lost.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, openCluster } from './cluster.ts';
import type { Fault, Scene } from './fault.ts';
import { requireAlive } from './kill-faults.ts';

const SYSTEM = { mount: '/bin/mount', umount: '/bin/umount' } as const;
const FULL_FOR = 3000;

/** A file system of its own in memory, which can be filled. */
interface SmallDisk {
  readonly folder: string;
  fill(): void;
  free(): void;
  remove(): void;
}

function mountDisk(megabytes: number): SmallDisk {
  const folder = fs.mkdtempSync(join(tmpdir(), 'records-disk-'));
  execFileSync(SYSTEM.mount, [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=0777`,
    'tmpfs',
    folder,
  ]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = fs.openSync(filler, 'a');
      try {
        for (;;) fs.writeSync(file, Buffer.alloc(64 * 1024));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        fs.closeSync(file);
      }
    },
    free: () => fs.rmSync(filler, { force: true }),
    remove() {
      execFileSync(SYSTEM.umount, [folder]);
      fs.rmdirSync(folder);
    },
  };
}

function cannotMount(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'mounting needs root on Linux';
  try {
    mountDisk(1).remove();
    return undefined;
  } catch {
    return 'no file system can be mounted here';
  }
}

let disk: SmallDisk;

/** Put `pg_wal` of a cluster that does not run elsewhere. */
function moveWal(cluster: string, to: string): void {
  const wal = join(cluster, 'pg_wal');
  fs.cpSync(wal, join(to, 'pg_wal'), { recursive: true });
  const { uid, gid } = fs.statSync(cluster);
  const moved = join(to, 'pg_wal');
  for (const path of [moved, ...fs.readdirSync(moved).map((name) => join(moved, name))]) {
    fs.chownSync(path, uid, gid);
    if (path === moved) fs.chmodSync(path, 0o700);
  }
  fs.rmSync(wal, { recursive: true });
  fs.symlinkSync(moved, wal);
}

let walFolder: string | undefined;

export const fullData: Fault = {
  name: 'X6a',
  title: 'the disk of the data full',
  cycles: 5,
  skipped: cannotMount,
  openCluster() {
    disk = mountDisk(256);
    const folder = fs.mkdtempSync(join(tmpdir(), 'records-wal-'));
    walFolder = folder;
    return openCluster({ parent: disk.folder, prepare: (cluster) => moveWal(cluster, folder) });
  },
  async inflict(scene, cycles) {
    const { site, complaints } = scene;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(1000);
      disk.fill();
      const refused = await refusalsWhile(scene, FULL_FOR);
      if (refused === 0) scene.notes.push('once, there was room left in the files');
      if (!(await site.isWell())) complaints.push('a read failed while the disk was full');
      disk.free();
      await scene.recovered(performance.now());
    }
    requireAlive(scene);
  },
  async tidy() {
    disk.remove();
    if (walFolder !== undefined) fs.rmSync(walFolder, { recursive: true, force: true });
  },
};

async function refusalsWhile({ site, notes }: Scene, milliseconds: number): Promise<number> {
  const before = site.recorder.counts.get(503) ?? 0;
  await sleep(milliseconds);
  const refused = (site.recorder.counts.get(503) ?? 0) - before;
  notes.push(`${refused} × 503 while it was full`);
  return refused;
}

export const fullWal: Fault = {
  name: 'X6b',
  title: 'the disk of the write-ahead log full',
  cycles: 3,
  skipped: cannotMount,
  openCluster() {
    disk = mountDisk(96);
    return openCluster({ prepare: (cluster) => moveWal(cluster, disk.folder) });
  },
  async inflict(scene, cycles) {
    const { site, notes } = scene;
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(1000);
      disk.fill();
      // Data that fits before the next segment of 16 MB is needed still fits.
      const giveUp = Date.now() + WAL_FULL_WITHIN;
      const before = site.cluster.panics().length;
      while (site.cluster.panics().length === before && Date.now() < giveUp) await sleep(50);
      const panicked = site.cluster.panics().length > before;
      notes.push(panicked ? 'PostgreSQL panicked' : 'the log had room left');
      await sleep(500);
      disk.free();
      await restartIfGone(scene, site.cluster);
      await scene.recovered(performance.now());
    }
    requireAlive(scene);
  },
  async tidy() {
    disk.remove();
  },
};

const WAL_FULL_WITHIN = 60_000;

async function restartIfGone({ notes }: Scene, cluster: Cluster): Promise<void> {
  await sleep(200);
  if (!cluster.runs()) notes.push('PostgreSQL had to be started again');
  await cluster.start();
}

export const fullLog: Fault = {
  name: 'X6c',
  title: 'the disk of the log of the service full',
  cycles: 3,
  skipped: cannotMount,
  async prepare(site) {
    disk = mountDisk(1);
    site.place.logFile = join(disk.folder, 'log');
    site.place.settings = { LOG_LEVEL: 'info' };
    site.place.remove = async () => disk.remove();
  },
  async inflict(scene, cycles) {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await sleep(1000);
      disk.fill();
      const before = scene.site.recorder.counts.get(503) ?? 0;
      await sleep(FULL_FOR);
      const refused = (scene.site.recorder.counts.get(503) ?? 0) - before;
      if (refused > 0) scene.complaints.push(`${refused} requests failed while the log was full`);
      disk.free();
      await scene.recovered(performance.now());
    }
    requireAlive(scene);
  },
};
