// A process that opens the embedded PostgreSQL, says so on one line of JSON, and stops it when its
// input ends: `node embedded-postgres-child.mjs <folder of the compiled sources> <service|command>
// <data directory>`.

const [, , sources, purpose, dataDirectory = ''] = process.argv;
const { isOperatorError } = await import(`${sources}/errors.js`);
const { openEmbeddedPostgres } = await import(`${sources}/embedded/embedded-postgres.js`);
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
