// `migrate`: brings the database to the shape of this release and reports the changes. The service does the same when
// it starts, unless MIGRATIONS=check. `--plan` and `--status` look only.

import { type Command, Option } from 'commander';
import { readConfig } from '../../config.ts';
import type { Database } from '../../postgres/db.ts';
import { controlMigrations, workspaceMigrations } from '../../workspaces/migration-files.ts';
import { loadMissing } from '../../workspaces/migrations.ts';
import { connect } from '../connect.ts';
import { tell } from '../say.ts';
import { describeRelease, readRelease } from '../service/release.ts';
import { SUMMARIES } from './summaries.ts';

interface MigrateArguments {
  readonly plan: boolean;
  readonly status: boolean;
}

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(SUMMARIES.migrate)
    .option('--plan', 'list the files that would be applied to each schema, change nothing', false)
    .addOption(
      new Option(
        '--status',
        'say whether the database has the shape of this release, change nothing',
      )
        .default(false)
        .conflicts('plan'),
    )
    .action(({ plan, status }: MigrateArguments) => {
      if (plan) return look(describePlan);
      return status ? look(describeStatus) : migrate();
    });
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

async function look(describe: (db: Database) => Promise<readonly string[]>): Promise<void> {
  const { db, close } = await connect({ purpose: 'command', asItIs: true });
  try {
    tell(`${(await describe(db)).join('\n')}\n`);
  } finally {
    await close();
  }
}

async function describePlan(db: Database): Promise<readonly string[]> {
  const missing = await loadMissing(db);
  if (missing.length === 0) return ['The database is up to date.'];
  return missing.map(({ schema, files }) => `${schema}: ${files.join(', ')}`);
}

async function describeStatus(db: Database): Promise<readonly string[]> {
  const missing = await loadMissing(db);
  const [control, workspace] = [controlMigrations(), workspaceMigrations()].map(
    (files) => files.at(-1) ?? '',
  );
  const state = missing.length === 0 ? 'has its shape' : `is behind in: ${namesOf(missing)}`;
  return [
    `Version ${describeRelease(readRelease())} needs ${control} and, in each workspace, ${workspace}.`,
    `The database ${state}.`,
  ];
}

/** The names of at most 20 workspaces, and the number of the rest. */
function namesOf(missing: readonly { readonly schema: string }[]): string {
  const most = 20;
  const names = missing.slice(0, most).map(({ schema }) => schema);
  const rest = missing.length - names.length;
  return [...names, ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
}
