// No dependency needs its install script. `allowScripts` of package.json denies each, so that npm runs none and warns of
// none.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

test('every package with an install script is denied it', () => {
  const packages = Object.entries<{ hasInstallScript?: boolean }>(
    read('package-lock.json').packages,
  );
  const names = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  const denied = Object.fromEntries(names.map((name) => [name, false]));
  expect(names.length).toBeGreaterThan(0);
  expect(read('package.json').allowScripts).toEqual(denied);
});
