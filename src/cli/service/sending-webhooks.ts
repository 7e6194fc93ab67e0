// Sends webhooks in the first process of a service, on connections of its own (docs/design/webhooks.md).

import type { Logger } from 'pino';
import { presentEvent } from '../../api/events/event-shapes.ts';
import { presentRecord } from '../../api/present.ts';
import type { Config } from '../../config.ts';
import type { EventFeeds } from '../../flow/events/event-feed.ts';
import type { WebhookPresenter } from '../../flow/webhooks/webhook-body.ts';
import { startWebhooks, type WebhookRunner } from '../../flow/webhooks/webhook-runner.ts';
import type { Database } from '../../postgres/db.ts';
import type { Listeners } from '../../postgres/listen.ts';
import { openWebhookSender } from '../../webhooks/send.ts';
import { messageOf } from '../reason.ts';
import { openWebhookTools } from './assemble.ts';
import { readRelease } from './release.ts';

/** Events and records as answers have them. */
export const PRESENTER: WebhookPresenter = {
  event: presentEvent,
  record: ({ caller }, plan, row) => presentRecord(plan, row, caller),
};

interface SendingOptions {
  readonly db: Database;
  readonly listeners: Listeners;
  readonly config: Config;
  readonly feeds: EventFeeds;
  readonly logger: Logger;
  readonly requestsInFlight: () => number;
}

export async function sendWebhooks({
  db,
  listeners,
  config,
  feeds,
  logger,
  requestsInFlight,
}: SendingOptions): Promise<WebhookRunner> {
  const { rules, keys } = openWebhookTools(config);
  const sender = openWebhookSender({
    ...{ rules, proxy: config.webhookProxy },
    userAgent: `workspace-records/${readRelease().version}`,
  });
  const runner = await startWebhooks({
    ...{ db, listeners, feeds, sender, keys, present: PRESENTER, requestsInFlight },
    onError: (error) => logger.warn({ reason: messageOf(error) }, 'webhooks are delayed'),
  });
  return {
    look: runner.look,
    async stop() {
      await runner.stop();
      await sender.close();
    },
  };
}
