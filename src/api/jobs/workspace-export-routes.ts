// Exports of a whole workspace over HTTP (docs/design/workspaces.md, D627): starting one. Its file is that of
// export-routes.ts, the work is export/workspace-export-job.ts.

import { requestWorkspaceExport } from '../../flow/jobs/workspace-export-request.ts';
import { defineRoute } from '../context.ts';
import { noParams, noQuery } from '../people/administration-shapes.ts';
import { responseOf } from '../shapes.ts';
import { replyOf } from '../write/write-reply.ts';
import { answerWithJob, JobSummary } from './job-shapes.ts';

export const startWorkspaceExport = defineRoute({
  method: 'POST',
  path: '/workspace/export',
  operationId: 'startWorkspaceExport',
  tag: 'Administration',
  summary: 'Export the whole workspace',
  description: [
    'For administrators. A job writes the file that `workspace-records workspaces export` writes, of one moment: records,',
    'files, comments, history, people, the definition, the audit, and API keys as hashes. An API key also needs the scopes',
    'users:read, records:read, comments:read and audit:read. The file is at `GET /exports/{job_id}/file` for a day, or until',
    'the next export of the workspace; `workspace-records workspaces restore` reads it. One export runs at a time.',
  ].join(' '),
  scope: 'workspace:write',
  fresh: true,
  params: noParams,
  query: noQuery,
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: ['permission_denied', 'conflict'],
  async handle({ caller, model, claim, requestId }, { db }) {
    const asking = { db, model, caller, claim };
    return replyOf(await requestWorkspaceExport(asking, requestId, answerWithJob));
  },
});
