// Where the files are that come with the service: definitions, migrations, examples. The sources are one folder below
// the package's, the bundle of scripts/build.mjs two.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['..', join('..', '..')].map((above) => join(import.meta.dirname, above));
const PACKAGE_FOLDER = FOLDERS.find((folder) => existsSync(join(folder, 'package.json'))) ?? '.';

/** The path of a file or folder of the package. */
export function packagePath(...parts: readonly string[]): string {
  return join(PACKAGE_FOLDER, ...parts);
}

/** The version of the service, its interface, its client and its database (docs/versions.md), from the package. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version;
}
