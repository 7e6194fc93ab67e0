// A process that works at imports, until it is killed:
// `node import-job-child.mjs <folder of the compiled sources> <database>`.

const [, , sources, connectionString] = process.argv;
const { startJobs } = await import(`${sources}/flow/job-runner.js`);
const { importing } = await import(`${sources}/import/import-job.js`);
const { openConnections } = await import(`${sources}/postgres/connections.js`);
const { db, listeners } = openConnections({
  connection: { connectionString },
  poolSize: 5,
  statementTimeout: 0,
});
await startJobs({
  db,
  listeners,
  kinds: [importing(db)],
  poll: 20,
  onError: (error) => console.error(error),
});
