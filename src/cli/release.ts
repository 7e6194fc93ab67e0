// The release of the service.

import { readFileSync } from 'node:fs';
import { packagePath } from '../package-folder.ts';

export function readRelease(): string {
  const path = packagePath('package.json');
  return JSON.parse(readFileSync(path, 'utf8')).version;
}
