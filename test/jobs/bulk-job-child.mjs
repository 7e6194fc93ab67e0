// A process that works at bulk changes, until it is killed:
// `node bulk-job-child.mjs <folder of the compiled sources> <database>`.

const [, , sources, connectionString] = process.argv;
const { startJobs } = await import(`${sources}/flow/job-runner.js`);
const { changingMany } = await import(`${sources}/flow/bulk-job.js`);
const { openConnections } = await import(`${sources}/postgres/connections.js`);
const { db, listeners } = openConnections({
  connection: { connectionString },
  poolSize: 5,
  statementTimeout: 0,
});
await startJobs({
  db,
  listeners,
  kinds: [changingMany(db)],
  poll: 20,
  onError: (error) => console.error(error),
});
