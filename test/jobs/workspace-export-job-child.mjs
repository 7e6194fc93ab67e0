// A process that exports workspaces, until it is killed: its store waits after the first bytes of a file.
// `node --import tsx workspace-export-job-child.mjs <database> <data directory>`.

import { exportingWorkspaces } from '../../src/export/workspace-export-job.ts';
import { openFileStore } from '../../src/files/file-store.ts';
import { startJobs } from '../../src/flow/jobs/job-runner.ts';
import { openConnections } from '../../src/postgres/connections.ts';

const [, , connectionString, dataDirectory] = process.argv;
const { db, listeners } = openConnections({
  connection: { connectionString },
  poolSize: 5,
  statementTimeout: 0,
});
const store = openFileStore({ dataDirectory, filesBucket: undefined });
async function* stalled(pieces) {
  for await (const piece of pieces) {
    yield piece;
    await new Promise(() => undefined);
  }
}
await startJobs({
  db,
  listeners,
  kinds: [
    exportingWorkspaces(db, {
      store: { ...store, put: (at, pieces) => store.put(at, stalled(pieces)) },
      release: '1.2.3',
    }),
  ],
  poll: 20,
  onError: (error) => console.error(error),
});
