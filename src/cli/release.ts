// Which release of the service this is.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readRelease(): string {
  const path = join(import.meta.dirname, '..', '..', 'package.json');
  return JSON.parse(readFileSync(path, 'utf8')).version;
}
