// `webhooks`: webhooks and their deliveries, as a person, by the functions that requests end in (docs/design/webhooks.md).

import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { presentDelivery } from '../api/delivery-routes.ts';
import { answerWithJob } from '../api/job-shapes.ts';
import { presentWebhook } from '../api/webhook-routes.ts';
import { readConfig } from '../config.ts';
import { requireModel } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { explainRefusal } from '../export/refusal.ts';
import { outboxOf } from '../flow/events/change-reader.ts';
import {
  getDelivery,
  listDeliveries,
  replayDelivery,
  requestReplays,
  testWebhook,
  waitForAttempt,
} from '../flow/webhooks/delivery-flow.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  type MadeWebhook,
  rotateSecret,
  type WebhookAdministration,
  type WebhookChange,
  type WebhookRequest,
} from '../flow/webhooks/webhook-flow.ts';
import { requireMember } from '../import/importer.ts';
import { LIMITS } from '../limits.ts';
import { callerOf, SCOPES } from '../model/access.ts';
import { ALL_OF_RECORDS, WEBHOOK_EVENTS, WEBHOOK_PAYLOADS } from '../plan/webhook-plan.ts';
import { openWebhookTools } from './assemble.ts';
import { parseMoment } from './moment.ts';
import { remark, tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';

interface WebhookArguments {
  readonly workspace: string;
  readonly user?: string;
}

type Work = (asked: WebhookAdministration) => Promise<void>;

const MOST = 100;

/** Run with all rights of the person, and explain what is refused. */
async function asPerson({ workspace: slug, user }: WebhookArguments, work: Work): Promise<void> {
  const config = readConfig();
  await withWorkspace(slug, async (db, workspace) => {
    const model = await requireModel(db, workspace);
    const member = await requireMember(db, model, user);
    if (!member.active) throw operatorError(`${member.email} is not active.`);
    const caller = callerOf(model, member, { kind: 'bulk', scopes: [...SCOPES] });
    const asked = { db, model, caller, requestId: `cmd_${randomUUID()}`, now: () => Date.now() };
    const outbox = outboxOf(db, config.changesKeptDays);
    await explainRefusal(() => work({ ...asked, outbox, ...openWebhookTools(config) }));
  });
}

export function addWebhooksCommand(program: Command): void {
  const webhooks = program.command('webhooks').description(SUMMARIES.webhooks);
  const command = (name: string, description: string) =>
    webhooks
      .command(name)
      .description(description)
      .requiredOption('-w, --workspace <slug>', 'the workspace')
      .option('--user <email>', 'the person who does it (default: the first administrator)');
  addLists(command);
  addChanges(command);
  addSending(command);
}

type AddCommand = (name: string, description: string) => Command;

function addLists(command: AddCommand): void {
  command('list', 'Show webhooks with their state, newest first.')
    .option('--json', 'print JSON lines', false)
    .action((options: WebhookArguments & { json: boolean }) =>
      asPerson(options, async (asked) => {
        const found = await listWebhooks(asked, { before: undefined, limit: LIMITS.webhooks });
        if (options.json) return tellJson(...found.map((one) => presentWebhook(one, Date.now())));
        const cells = found.map(({ id, state, url, events, reason_message }) => {
          return [id, state, url, events.join(','), reason_message ?? ''];
        });
        tell(table(['id', 'state', 'url', 'events', 'reason'], cells));
      }),
    );
  command('deliveries <webhook_id>', 'Show the deliveries of the last 7 days, newest first.')
    .option('--json', 'print JSON lines', false)
    .action((id: string, options: WebhookArguments & { json: boolean }) =>
      asPerson(options, async (asked) => {
        const page = { before: undefined, limit: MOST };
        const found = await listDeliveries(asked, { webhook_id: id }, page);
        if (options.json) {
          return tellJson(...found.map((delivery) => presentDelivery(delivery, asked.caller)));
        }
        const cells = found.map(({ id: own, created_at, type, state, attempts, last_status }) => {
          return [own, created_at, type, state, String(attempts), String(last_status ?? '')];
        });
        tell(table(['id', 'at', 'type', 'state', 'attempts', 'status'], cells));
      }),
    );
}

interface CreateArguments extends WebhookArguments {
  readonly events: string;
  readonly objectTypes?: string;
  readonly statusTo?: string;
  readonly changedFields?: string;
  readonly payload: string;
  readonly exceptOwn: boolean;
}

function addChanges(command: AddCommand): void {
  command('create <url>', 'Create a webhook. Prints its secret, which is not shown again.')
    .requiredOption('--events <types>', 'joined by commas, such as record.*')
    .option('--object-types <types>', 'only of these objects')
    .option('--status-to <ids>', 'only moves into one of these statuses')
    .option('--changed-fields <keys>', 'only when one of these changed')
    .option('--payload <form>', WEBHOOK_PAYLOADS.join(' or '), 'thin')
    .option('--except-own', 'not what its person writes', false)
    .action((url: string, options: CreateArguments, self: Command) => {
      const request = requestOf(url, options);
      if (typeof request === 'string') return self.error(`error: ${request}`, { exitCode: 2 });
      return asPerson(options, async (asked) => tellMade(await createWebhook(asked, request)));
    });
  const change = (name: string, description: string, given: WebhookChange) =>
    command(`${name} <webhook_id>`, description).action((id: string, options: WebhookArguments) =>
      asPerson(options, async (asked) => {
        const { state } = await changeWebhook(asked, id, given, undefined);
        tell(`${id} is ${state}.\n`);
      }),
    );
  change('pause', 'Pause a webhook; its position is kept for 7 days.', { active: false });
  change('resume', 'Continue where it stopped.', { active: true, resume: 'position' });
  command('rotate <webhook_id>', 'Make another secret and print it.')
    .option('--overlap-hours <number>', 'how long the secret before stays valid', '24')
    .action((id: string, options: WebhookArguments & { overlapHours: string }, self: Command) => {
      const hours = Number(options.overlapHours);
      const isAllowed = Number.isInteger(hours) && hours >= 0 && hours <= LIMITS.secretOverlapHours;
      const problem = `error: --overlap-hours takes 0 to ${LIMITS.secretOverlapHours}`;
      if (!isAllowed) return self.error(problem, { exitCode: 2 });
      return asPerson(options, async (asked) => tellMade(await rotateSecret(asked, id, hours)));
    });
  command('delete <webhook_id>', 'Delete a webhook and its deliveries.').action(
    (id: string, options: WebhookArguments) =>
      asPerson(options, async (asked) => tell(`Deleted ${await deleteWebhook(asked, id)}.\n`)),
  );
}

/** The webhook, or the problem of the call. */
function requestOf(url: string, options: CreateArguments): WebhookRequest | string {
  const known: readonly string[] = [...WEBHOOK_EVENTS, ALL_OF_RECORDS];
  const events = options.events.split(',');
  const unknown = events.find((event) => !known.includes(event));
  if (unknown !== undefined) return `there is no event "${unknown}": ${known.join(', ')}`;
  const payload = WEBHOOK_PAYLOADS.find((form) => form === options.payload);
  if (payload === undefined) return `--payload is ${WEBHOOK_PAYLOADS.join(' or ')}`;
  const { objectTypes, statusTo, changedFields, exceptOwn } = options;
  const request = {
    ...{ url, events, payload, except: { own: exceptOwn, sources: [] } },
    ...(objectTypes === undefined ? {} : { object_types: objectTypes.split(',') }),
    ...(statusTo === undefined ? {} : { status_to: statusTo.split(',') }),
    ...(changedFields === undefined ? {} : { changed_fields: changedFields.split(',') }),
  };
  return request as WebhookRequest;
}

interface ReplayArguments extends WebhookArguments {
  readonly delivery?: string;
  readonly since?: string;
}

function addSending(command: AddCommand): void {
  command('test <webhook_id>', 'Send a ping and print its result.').action(
    (id: string, options: WebhookArguments) =>
      asPerson(options, async (asked) => {
        const sent = await testWebhook(asked, id);
        await waitForAttempt(asked, sent, []);
        const delivery = await getDelivery(asked, { webhook_id: id, id: sent.id });
        tellJson(presentDelivery(delivery, asked.caller));
      }),
  );
  command('replay <webhook_id>', 'Send a delivery again, or all that failed since a time.')
    .option('--delivery <id>', 'this one')
    .option('--since <when>', 'a time such as 2026-01-31T00:00:00Z, or back from now: 2d, 12h')
    .action((id: string, options: ReplayArguments, self: Command) => {
      const { delivery, since = '' } = options;
      const time = parseMoment(since);
      if ((delivery === undefined) === (time === undefined)) {
        return self.error('error: give one of --delivery and --since', { exitCode: 2 });
      }
      return asPerson(options, (asked) => replay(asked, id, { delivery, time }));
    });
}

async function replay(
  asked: WebhookAdministration,
  id: string,
  given: { readonly delivery: string | undefined; readonly time: string | number | undefined },
): Promise<void> {
  const { delivery, time } = given;
  if (delivery !== undefined)
    return tellJson(presentDelivery(await replayDelivery(asked, id, delivery), asked.caller));
  const until = new Date();
  const since =
    typeof time === 'number' ? new Date(until.getTime() - time * 1000).toISOString() : String(time);
  const range = { since, until: until.toISOString(), states: ['failed'] as const };
  const asking = { ...asked, claim: undefined };
  const { body } = await requestReplays(asking, id, range, answerWithJob);
  tellJson((body as { readonly data: object }).data);
}

function tellMade({ webhook, secret }: MadeWebhook): void {
  tell(`${secret}\n`);
  remark(`The secret of ${webhook.id}. It is not shown again.\n`);
}

function tellJson(...values: readonly object[]): void {
  tell(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}
