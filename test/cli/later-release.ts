// A later release for tests: a copy of the built package with more migrations.

import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMAND, type Outcome, startProgram } from './command-process.ts';

const ROOT = join(COMMAND, '..', '..', '..');

export interface LaterRelease {
  /** Of the copy; tests may put more into it. */
  readonly folder: string;
  run(environment: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Outcome>;
  remove(): void;
}

/** `files`: the text of each file below `migrations`. */
export function makeLaterRelease(files: Readonly<Record<string, string>>): LaterRelease {
  const folder = mkdtempSync(join(tmpdir(), 'later-release-'));
  for (const part of ['dist/cli', 'definitions', 'migrations', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    writeFileSync(join(folder, 'migrations', path), text);
  }
  const command = [process.execPath, join(folder, 'dist', 'cli', 'index.js')] as const;
  return {
    folder,
    run: (environment, ...args) => startProgram([...command, ...args], environment, folder).outcome,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** A column, rows that get a value in it, a trigger, and a table of the control schema. */
export const LATER_FILES = {
  'control/900-later.sql': 'create table {{control}}.later (id integer primary key);',
  'workspace/900-later.sql': `-- Teams have a colour.
alter table {{workspace}}._teams add column colour text;
update {{workspace}}._teams set colour = 'none';
alter table {{workspace}}._teams alter column colour set default 'new';

create trigger note_change after insert or update or delete on {{workspace}}._teams
  for each statement execute function {{control}}.note_people_change();
`,
};
