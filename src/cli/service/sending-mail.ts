// Sends mail in the first process of a service, on connections of its own, when a mail server is configured
// (docs/design/mail.md).

import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { loadApplicationOrigin } from '../../control/process/listening-origin.ts';
import type { Changes } from '../../control/workspace/changes.ts';
import { openRegistry } from '../../control/workspace/registry.ts';
import { type MailRunner, startMail } from '../../flow/mail/mail-runner.ts';
import type { LabelledCounter } from '../../http/answer/metrics.ts';
import { openMailSender } from '../../mail/mail-sender.ts';
import type { MailSettings } from '../../mail-settings.ts';
import type { Database } from '../../postgres/db.ts';
import { messageOf } from '../reason.ts';

interface SendingOptions {
  readonly db: Database;
  readonly changes: Changes;
  readonly config: Config;
  readonly mail: MailSettings;
  readonly logger: Logger;
  /** Counts attempts by outcome. */
  readonly counter: LabelledCounter;
}

export function sendMail({
  db,
  changes,
  config,
  mail,
  logger,
  counter,
}: SendingOptions): Promise<MailRunner> {
  return startMail({
    ...{ db, sender: openMailSender(mail), modelOf: openModels(db, changes) },
    originOf: (slug) => loadApplicationOrigin(db, config, slug),
    onOutcome: counter.count,
    onError: (error) => logger.warn({ reason: messageOf(error) }, 'mail is delayed'),
  });
}

/** Definitions in force, as old as what requests know of them at most. */
export function openModels(db: Database, changes: Changes) {
  const registry = openRegistry(db);
  changes.onChange((changed) => {
    if (changed === 'everything') registry.forgetAll();
    else for (const id of changed) registry.forget(id);
  });
  return async (workspaceId: number) => {
    await changes.catchUp();
    return registry.model(workspaceId);
  };
}
