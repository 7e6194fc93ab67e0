// The audit in words: what was done, to what. Both are codes of the service; one that is not known here is shown as it is.

import type { AuditEntry, AuditQuery } from '@workspace-records/client';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';

type Subject = NonNullable<AuditQuery['subject_type']>;

export const SUBJECT_WORDS: Readonly<Record<Subject, PlainKey>> = {
  session: 'audit.session',
  viewing: 'audit.viewing',
  sign_in_link: 'audit.signInLink',
  password: 'audit.password',
  second_factor: 'audit.secondFactor',
  key: 'audit.apiKey',
  oauth_client: 'audit.oauthClient',
  user: 'audit.user',
  team: 'audit.team',
  role: 'audit.role',
  definition: 'audit.definition',
  import: 'audit.import',
  bulk: 'audit.bulk',
  export: 'audit.exported',
  job: 'audit.job',
  view: 'audit.view',
  dashboard: 'audit.dashboard',
  webhook: 'audit.webhook',
  webhook_replay: 'audit.webhookReplay',
  duplicates: 'jobs.duplicates',
  erasure: 'jobs.erasure',
  workspace_export: 'jobs.workspace',
  status_check: 'audit.statusCheck',
};

export const SUBJECTS = Object.keys(SUBJECT_WORDS) as readonly Subject[];

export const ACTION_WORDS: Readonly<Record<string, PlainKey>> = {
  create: 'audit.create',
  update: 'audit.update',
  status: 'audit.status',
  delete: 'audit.delete',
  link: 'audit.link',
  unlink: 'audit.unlink',
  comment: 'audit.comment',
  restore: 'trash.restoredAct',
  merge: 'event.merged',
  status_request: 'event.requested',
  status_approval: 'event.decided',
  status_decision: 'event.decided',
  purge: 'trash.purgedAct',
  erase: 'event.erased',
  sign_in_by_password: 'audit.byPassword',
  sign_in_by_link: 'audit.byLink',
  sign_in_by_oidc: 'audit.byProvider',
  sign_in_by_passkey: 'audit.byPasskey',
  sign_in_failed: 'audit.signInFailed',
  sign_out: 'audit.signOut',
  begin: 'audit.begin',
  end: 'audit.end',
  use: 'audit.use',
  ask: 'audit.ask',
  reset: 'audit.reset',
  revoke: 'audit.revoke',
  link_identity: 'audit.linkIdentity',
  cancel: 'audit.cancel',
  apply: 'audit.apply',
  dry_run: 'audit.dryRun',
};

/** Entries whose action says everything. */
const WHOLE = /^(?:sign_|link_identity)/;

/** The parts that others name follow from the action. */
const NAMES_PARTS: ReadonlySet<string> = new Set(['update', 'link', 'unlink', 'apply']);

/** A sentence such as `Changed: amount, stage` or `Team created`. */
export function sentenceOf(
  entry: AuditEntry,
  nameOf: (key: string) => string,
  t: Translate,
): string {
  const { action, subject_type, changed_fields } = entry;
  const word = ACTION_WORDS[action];
  const done = word === undefined ? action : t(word);
  const subject = subject_type === null ? undefined : SUBJECT_WORDS[subject_type as Subject];
  const isWhole = subject_type === null || WHOLE.test(action);
  const what = isWhole
    ? done
    : t('audit.done', {
        subject: subject === undefined ? String(subject_type) : t(subject),
        action: done.toLocaleLowerCase(),
      });
  if (changed_fields.length === 0 || !NAMES_PARTS.has(action)) return what;
  return t('audit.with', { what, fields: changed_fields.map(nameOf).join(', ') });
}
