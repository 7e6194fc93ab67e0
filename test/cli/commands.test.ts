// All commands at once: how they name the workspace, and that the list of them loads none.

import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addApplyCommand } from '../../src/cli/commands/apply.ts';
import { addCallCommand } from '../../src/cli/commands/call-command.ts';
import { addDefinitionCommand } from '../../src/cli/commands/definition-commands.ts';
import { addEraseCommand } from '../../src/cli/commands/erase-command.ts';
import { addExportCommand } from '../../src/cli/commands/export-objects.ts';
import { addChangesCommand } from '../../src/cli/commands/follow-changes.ts';
import { addImportCommand } from '../../src/cli/commands/import.ts';
import { addKeysCommand } from '../../src/cli/commands/keys.ts';
import { addMigrateCommand } from '../../src/cli/commands/migrate.ts';
import { addSecretsCommand } from '../../src/cli/commands/secrets-command.ts';
import { addSessionsCommand, addSignInLinkCommand } from '../../src/cli/commands/sign-in-link.ts';
import { addStartCommand } from '../../src/cli/commands/start.ts';
import { SUMMARIES } from '../../src/cli/commands/summaries.ts';
import { addTypesCommand } from '../../src/cli/commands/types.ts';
import { addWorkspacesCommand } from '../../src/cli/commands/workspace-commands.ts';

const ALL = [
  addStartCommand,
  addWorkspacesCommand,
  addDefinitionCommand,
  addApplyCommand,
  addKeysCommand,
  addSignInLinkCommand,
  addSessionsCommand,
  addImportCommand,
  addExportCommand,
  addCallCommand,
  addChangesCommand,
  addEraseCommand,
  addTypesCommand,
  addSecretsCommand,
  addMigrateCommand,
];

function program(): Command {
  const all = new Command();
  for (const add of ALL) add(all);
  return all;
}

test('the list has every command with its summary', () => {
  const listed = program().commands.map((command) => [command.name(), command.description()]);
  expect(listed).toEqual(Object.entries(SUMMARIES));
});

test('every command that takes a workspace takes it as -w', () => {
  const leaves = program().commands.flatMap((one) =>
    one.commands.length > 0 ? one.commands : one,
  );
  const named = leaves.flatMap(({ options }) =>
    options.filter(({ long }) => long === '--workspace'),
  );
  expect(named.length).toBeGreaterThan(7);
  expect(named.map(({ short }) => short)).toEqual(named.map(() => '-w'));
});

test('the code before the call of a command loads no command', () => {
  const src = resolve(import.meta.dirname, '..', '..', 'src');
  const seen = new Set(['index.ts', 'command-line.ts'].map((name) => join(src, 'cli', name)));
  for (const file of seen) {
    const text = readFileSync(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)';/gms)) {
      seen.add(join(dirname(file), path));
    }
  }
  expect([...seen].map((file) => relative(src, file)).sort()).toEqual([
    'cli/command-line.ts',
    'cli/commands/summaries.ts',
    'cli/index.ts',
    'cli/reason.ts',
    'cli/say.ts',
    'cli/service/node-release.ts',
    'cli/service/release.ts',
    'errors.ts',
    'limits.ts',
    'messages/catalogue.ts',
    'messages/definition-messages.ts',
    'messages/file-messages.ts',
    'messages/job-messages.ts',
    'messages/message.ts',
    'messages/people-messages.ts',
    'messages/query-messages.ts',
    'messages/record-messages.ts',
    'messages/request-messages.ts',
    'messages/value-messages.ts',
    'messages/webhook-messages.ts',
    'package-folder.ts',
  ]);
});
