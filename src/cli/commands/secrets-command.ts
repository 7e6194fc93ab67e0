// `secrets rotate` and `secrets forget`: the keys that seal stored secrets.

import type { Command } from 'commander';
import { addKey, type KeyPlaces, openSecretKeys } from '../../control/stored/secret-keys.ts';
import { forgetLostSecrets, rotateSecrets } from '../../control/stored/secret-rotation.ts';
import { operatorError } from '../../errors.ts';
import { type Connected, connect } from '../connect.ts';
import { remark, tell } from '../say.ts';
import { SUMMARIES } from './summaries.ts';

interface RotateArguments {
  readonly newKey: boolean;
}

export function addSecretsCommand(program: Command): void {
  const secrets = program.command('secrets').description(SUMMARIES.secrets);
  secrets
    .command('rotate')
    .description('Seal all stored secrets again, with the first key.')
    .option('--new-key', 'add a key to the file of keys first', false)
    .action(rotate);
  secrets
    .command('forget')
    .description('Mark the stored secrets whose key is lost; each has to be set again.')
    .action(forget);
}

async function rotate({ newKey }: RotateArguments): Promise<void> {
  await withKeys(async ({ db }, places) => {
    if (newKey) {
      requireFileOfKeys(places);
      addKey(places.file);
    }
    const keys = openSecretKeys(places);
    const { sealed, failures } = await rotateSecrets(db, keys);
    for (const failure of failures) remark(`${failure}\n`);
    tell(`Sealed ${sealed} secrets again with the key ${keys.first().id}.\n`);
    if (failures.length > 0) process.exitCode = 1;
  });
}

async function forget(): Promise<void> {
  await withKeys(async ({ db }, places) => {
    const lost = await forgetLostSecrets(db, places);
    tell(`Marked ${lost} secrets as lost.\n`);
  });
}

function requireFileOfKeys({ keys }: KeyPlaces): void {
  if (keys.length === 0) return;
  throw operatorError(
    'SECRETS_KEY has the keys: put the new one before the others, start all processes again with it, and run ' +
      '"secrets rotate" without --new-key.',
  );
}

async function withKeys(
  work: (connected: Connected, places: KeyPlaces) => Promise<void>,
): Promise<void> {
  const connected = await connect({ purpose: 'command' });
  const { secretsKeys: keys, secretsKeyFile: file } = connected.config;
  try {
    await work(connected, { keys, file });
  } finally {
    await connected.close();
  }
}
