// `migrate`: brings the database to the shape of this release and reports the changes. The service does the same when
// it starts, unless MIGRATIONS=check.

import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { connect } from './connect.ts';
import { tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';

export function addMigrateCommand(program: Command): void {
  program.command('migrate').description(SUMMARIES.migrate).action(migrate);
}

async function migrate(): Promise<void> {
  const { migrated, notes, close } = await connect({
    purpose: 'command',
    mayCreate: true,
    config: { ...readConfig(), migrate: true },
  });
  await close();
  const lines = migrated.map((schema) => `migrated ${schema}`);
  const done = lines.length === 0 ? ['The database is up to date.'] : lines;
  tell(`${[...done, ...notes.map((note) => `Note: ${note}`)].join('\n')}\n`);
}
