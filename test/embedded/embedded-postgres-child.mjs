// A process that opens the embedded PostgreSQL, says so on one line of JSON, and stops it when its
// input ends: `node --import tsx embedded-postgres-child.mjs <service|command> <data directory>`.

import { openEmbeddedPostgres } from '../../src/embedded/embedded-postgres.ts';
import { isOperatorError } from '../../src/errors.ts';

const [, , purpose, dataDirectory = ''] = process.argv;
try {
  const postgres = await openEmbeddedPostgres({
    dataDirectory,
    purpose: purpose === 'service' ? 'service' : 'command',
  });
  console.log(JSON.stringify(postgres.connection));
  process.stdin.resume().once('end', () => postgres.stop());
} catch (error) {
  if (!isOperatorError(error)) throw error;
  console.log(JSON.stringify({ refused: error.message }));
  process.exitCode = 1;
}
