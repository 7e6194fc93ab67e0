// The sending of mail over the database of a world, to a mail server of the test.

import { appendJob } from '../../src/control/jobs/jobs.ts';
import { loadModel } from '../../src/control/workspace/workspaces.ts';
import {
  type MailRunner,
  type MailRunnerOptions,
  startMail,
} from '../../src/flow/mail/mail-runner.ts';
import { openMailSender } from '../../src/mail/mail-sender.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';
import type { MailServer } from './mail-server.ts';

export const MAIL_SETTINGS = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Records <records@example.com>',
} as const;

export interface Mailer extends MailRunner {
  readonly outcomes: string[];
  readonly errors: unknown[];
}

const MINUTE = 60_000;
/** Looks for digests, of all mailers. */
let looks = 0;

export async function openMailer(
  { database }: Pick<World, 'database'>,
  server: Pick<MailServer, 'port'>,
  {
    // Everything that is unread now has been unread for long enough.
    now = () => Date.now() + 6 * MINUTE,
    ...options
  }: Partial<MailRunnerOptions> = {},
): Promise<Mailer> {
  const outcomes: string[] = [];
  const errors: unknown[] = [];
  const { db, rows } = database;
  // As if it had begun to send mail long ago.
  await appendJob(db, { kind: 'mail', workspace_id: null, single: true });
  await rows(`update workspace_records.jobs set progress = '{"since": 0}' where kind = 'mail'`);
  const runner = await startMail({
    db,
    sender: senderTo(server.port),
    modelOf: async (id) => (await loadModel(db, id)) as WorkspaceModel,
    originOf: async (slug) => `https://${slug}.example.com`,
    onOutcome: (outcome) => outcomes.push(outcome),
    onError: (error) => errors.push(error),
    ...{ poll: 10, digestPoll: 10, lease: 5000 },
    now() {
      looks += 1;
      return now();
    },
    ...options,
  });
  return { ...runner, outcomes, errors };
}

export function senderTo(port: number, timeLimit = 10_000) {
  const from = { name: 'Records', address: 'records@example.com' };
  const server = { host: '127.0.0.1', port, tls: 'offered', credentials: undefined } as const;
  return openMailSender({ ...server, from, timeLimit });
}

/** Leaves no notification, no setting and no mail of the test before. */
export async function forgetMails({ database }: Pick<World, 'database'>): Promise<void> {
  await database.rows('delete from workspace_records.mails');
  await database.rows('delete from ws_acme._notifications');
  await database.rows('delete from ws_acme._notification_settings');
}

/** Several looks for digests and for mails that wait, for mails that must not come. */
export async function someLooks(): Promise<void> {
  const before = looks;
  await until(() => looks >= before + 10);
}
