// The units of deploy/ as systemd reads them.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = '/usr/bin/systemd-analyze';
const UNITS = ['workspace-records.service', 'backup.service', 'backup.timer'];

test.skipIf(!existsSync(PROGRAM))('systemd understands every line of the units', () => {
  const files = UNITS.map((name) => join(import.meta.dirname, '..', '..', 'deploy', name));
  const { status, stderr } = spawnSync(PROGRAM, ['verify', ...files], { encoding: 'utf8' });
  // A line that systemd ignores is reported, and is no failure to it.
  const about = stderr.split('\n').filter((line) => UNITS.some((name) => line.includes(name)));
  expect([status, about]).toEqual([0, []]);
});
