// The content of a mail at the moment when it is sent, with the rights of its reader at this moment. A link to sign in
// with is made here, so that it is stored nowhere but as a hash.

import type { WaitingMail } from '../../control/events/mails.ts';
import { loadSettingsOf } from '../../control/people/notification-settings.ts';
import { loadMember, type MemberRow } from '../../control/people/people.ts';
import { SERVICE } from '../../control/workspace/administrative-audit.ts';
import { findWorkspaceById, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import {
  composeDigest,
  composeLinkMail,
  composeResetMail,
  type DigestItem,
  type MailPlace,
} from '../../mail/compose-mail.ts';
import type { Mail } from '../../mail/mail-sender.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { callerOf } from '../../model/rights/access.ts';
import type {
  NotificationKind,
  NotificationSettings,
} from '../../model/rights/notification-kinds.ts';
import { makeUnsubscribeToken } from '../../model/rights/unsubscribe-token.ts';
import { planDigest } from '../../plan/events/digest-plan.ts';
import type { Database, Row } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { claimSql, mailedSql } from '../../sql/events/digest-sql.ts';
import { isMakerEntitled } from '../people/link-makers.ts';
import { makeSignInLink } from '../people/make-sign-in-link.ts';
import { digestSince } from './find-digests.ts';

export interface ContentParts {
  readonly db: Database;
  /** The definition in force. */
  readonly modelOf: (workspaceId: number) => Promise<WorkspaceModel>;
  /** The origin at which people find the application of a workspace. */
  readonly originOf: (slug: string) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly now: () => number;
}

interface Addressed {
  readonly mail: WaitingMail;
  readonly workspace: WorkspaceRow;
  readonly person: MemberRow;
  readonly settings: NotificationSettings;
  readonly origin: string;
}

/** Undefined: there is nothing left to send. */
export async function contentOf(parts: ContentParts, mail: WaitingMail): Promise<Mail | undefined> {
  const workspace = await findWorkspaceById(parts.db, mail.workspace_id);
  if (workspace === undefined) return undefined;
  const near = parts.db.near(workspace.schema);
  const person = await loadMember(near, workspace.schema, mail.user_id);
  if (person?.kind !== 'user' || !person.active) return undefined;
  const settings = await loadSettingsOf(near, workspace.schema, person.id);
  const origin = await parts.originOf(workspace.slug);
  const addressed = { mail, workspace, person, settings, origin };
  if (mail.kind === 'digest') return digestOf(parts, addressed);
  return mail.kind === 'second_factor_reset'
    ? resetMailOf(addressed)
    : linkMailOf(parts, addressed);
}

function placeOf({ workspace, origin }: Addressed): MailPlace {
  return { name: workspace.name, url: `${origin}/app/${workspace.slug}` };
}

function envelopeOf({ mail, person }: Addressed): Pick<Mail, 'id' | 'to'> {
  return { id: mail.id, to: { name: person.name ?? '', address: person.email } };
}

function resetMailOf(addressed: Addressed): Mail {
  const { mail, settings } = addressed;
  const language = settings.language ?? mail.language ?? 'en';
  const content = composeResetMail(language, placeOf(addressed));
  return { ...envelopeOf(addressed), ...content, unsubscribe: undefined };
}

async function linkMailOf(
  { db, modelOf }: ContentParts,
  addressed: Addressed,
): Promise<Mail | undefined> {
  const { mail, workspace, person, settings, origin } = addressed;
  const maker = mail.maker_user_id ?? null;
  const made = { workspace_id: workspace.id, maker_user_id: maker };
  if (!(await isMakerEntitled(db.near(workspace.schema), made, modelOf))) return undefined;
  const kind = mail.kind === 'invitation' ? 'invitation' : 'sign_in_link';
  const hours = mail.link_hours ?? null;
  // Anybody can have a link mailed, which must not end an invitation; one by mail stands beside its administrator's.
  const ends = kind === 'invitation' ? 'none' : 'sign_in';
  const asked = { db, workspace, actor: SERVICE };
  const request = { person, origin, hours, ends, maker, mailId: mail.id } as const;
  const link = await makeSignInLink(asked, request).catch(undefinedOnConflict);
  if (link === undefined) return undefined;
  const language = settings.language ?? mail.language ?? 'en';
  const place = placeOf(addressed);
  const content = composeLinkMail({ kind, language, hours, place, link: link.url });
  return { ...envelopeOf(addressed), ...content, unsubscribe: undefined };
}

/** Undefined for a mail that has ended meanwhile: its invitation was revoked, used or replaced. */
function undefinedOnConflict(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
}

async function digestOf(parts: ContentParts, addressed: Addressed): Promise<Mail | undefined> {
  const { mail, workspace, person, settings, origin } = addressed;
  if (settings.mail === 'off') return undefined;
  const model = await parts.modelOf(workspace.id);
  const near = parts.db.near(workspace.schema);
  const since = digestSince(workspace, { since: parts.since, now: parts.now() });
  await runOnce(near, claimSql(model.schema, { mail_id: mail.id, user_id: person.id, since }));
  const scope = planDigest(model, callerOf(model, person, { kind: 'mail' }));
  const rows = await runOnce(near, mailedSql(scope, mail.id, LIMITS.notificationsOfMail));
  const [first] = rows;
  if (first === undefined) return undefined;
  const { cursor_secret: secret } = model;
  const token = makeUnsubscribeToken(secret, { workspace_id: workspace.id, user_id: person.id });
  const unsubscribe = `${origin}/v1/mail/unsubscribe?token=${token}`;
  const content = composeDigest({
    language: settings.language ?? 'en',
    place: placeOf(addressed),
    items: rows.map(itemOf),
    total: Number(first.total),
    unsubscribe,
  });
  return { ...envelopeOf(addressed), ...content, unsubscribe };
}

function itemOf(row: Row): DigestItem {
  const kind = kindOf(row);
  return {
    kind,
    author: (row.author_name ?? null) as string | null,
    display: (row.display ?? null) as string | null,
    isApproved: row.state === 'approved',
    path: pathOf(kind, row),
  };
}

/** The kind of a notification; rows that an earlier release has stored have none. */
function kindOf({ kind, status_request_id, requested_by, author_user_id }: Row): NotificationKind {
  if (typeof kind === 'string') return kind as NotificationKind;
  if (status_request_id === null) return 'mention';
  return requested_by === author_user_id ? 'approval_requested' : 'request_decided';
}

function pathOf(kind: NotificationKind, { object_type, record_id, subject_id }: Row): string {
  if (kind === 'webhook_failed') return `/settings/webhooks/${subject_id}`;
  return kind === 'job_failed' ? `/jobs/${subject_id}` : `/o/${object_type}/${record_id}`;
}
