// Sends deliveries of a span of time again, as a job: it makes them due in portions. The person who asked for it must
// still see the webhook at each of them.

import { type DeliveryState, putReplays } from '../../control/events/webhook-deliveries.ts';
import { loadWebhook } from '../../control/events/webhook-rows.ts';
import { announceWebhooks, wantRunner } from '../../control/events/webhook-runs.ts';
import { authorOf, NO_LONGER_ALLOWED, requireAuthor } from '../../control/jobs/job-author.ts';
import { REPLAY_JOBS, type ReplayInput } from '../../control/jobs/job-kinds.ts';
import type { JobKind } from '../../control/jobs/job-lease.ts';
import { whileHeld } from '../../control/jobs/job-lease.ts';
import type { Job } from '../../control/jobs/jobs.ts';
import { loadModel } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import { accessOf } from '../../model/rights/access.ts';
import type { Database, Queryable } from '../../postgres/db.ts';

const PORTION = 500;

interface ReplayProgress {
  readonly after?: string | null;
  readonly replayed?: number;
}

export function replayingWebhooks(db: Database): JobKind {
  return {
    kind: REPLAY_JOBS,
    async run(job, signal, report) {
      const held = whileHeld(db, signal);
      const input = job.input as ReplayInput;
      const states = input.states as readonly DeliveryState[];
      let { after = null, replayed = 0 } = job.progress as ReplayProgress;
      for (let count = PORTION; count === PORTION; ) {
        const schema = await requireStillAllowed(held, job, input);
        const range = { ...input, states, after };
        await held.transaction(async (tx) => {
          const portion = await putReplays(tx, schema, range, PORTION);
          count = portion.count;
          replayed += portion.count;
          after = portion.last ?? after;
          await wantRunner(tx, Number(job.workspace_id));
          await report({ after, replayed, done: replayed, total: null }, tx);
        });
        await announceWebhooks(held, Number(job.workspace_id));
      }
    },
  };
}

/** Answers the schema. Errors: operator errors. */
async function requireStillAllowed(db: Queryable, job: Job, input: ReplayInput): Promise<string> {
  const model = await loadModel(db, Number(job.workspace_id));
  if (model === undefined) throw operatorError('The workspace no longer exists.');
  const member = await requireAuthor(db, model.schema, authorOf(job, input));
  const { administrator, developer } = accessOf(model, member.roles);
  const webhook = await loadWebhook(db, model.schema, input.webhook_id);
  if (webhook === undefined) throw operatorError('The webhook no longer exists.');
  const isTheirs = administrator || webhook.owner_user_id === member.id;
  if (!developer || !isTheirs) throw operatorError(NO_LONGER_ALLOWED);
  return model.schema;
}
