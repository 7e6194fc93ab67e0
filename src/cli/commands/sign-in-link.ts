// `sign-in-link`: a one-time link for a person, and `sessions list` and `sessions end`. They call the functions of
// the endpoints.

import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { loadEmails, requireMemberByEmail } from '../../control/people/people.ts';
import { loadSessionsOf } from '../../control/people/session-rows.ts';
import { loadApplicationOrigin } from '../../control/process/listening-origin.ts';
import { OPERATOR } from '../../control/workspace/administrative-audit.ts';
import { requireModel, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { ApiError, operatorError } from '../../errors.ts';
import { endSessionsOf } from '../../flow/people/end-sessions.ts';
import { loadUsableLinks } from '../../flow/people/link-makers.ts';
import {
  makeSignInLink,
  revokeSignInLink,
  type SignInLink,
} from '../../flow/people/make-sign-in-link.ts';
import { LIMITS } from '../../limits.ts';
import type { Database } from '../../postgres/db.ts';
import { printable, tell, tellJson } from '../say.ts';
import { table } from '../table.ts';
import { withWorkspace } from '../with-workspace.ts';
import { SUMMARIES } from './summaries.ts';

interface OfPerson {
  readonly workspace: string;
  readonly user: string;
  readonly json: boolean;
}

interface LinkArguments extends OfPerson {
  readonly origin?: string;
  readonly unlink: boolean;
  readonly resetSecondFactor: boolean;
  readonly expiresInHours?: number;
  readonly list: boolean;
  readonly revoke?: string;
}

interface SessionsArguments extends Omit<OfPerson, 'user'> {
  readonly user?: string;
}

export function addSignInLinkCommand(program: Command): void {
  program
    .command('sign-in-link')
    .description(SUMMARIES['sign-in-link'])
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .requiredOption('--user <email>', 'the person who signs in')
    .option(
      '--origin <address>',
      'where the application is (default: BASE_DOMAIN, PUBLIC_URL, or where the service listens)',
    )
    .option(
      '--expires-in-hours <hours>',
      'make an invitation that is valid for these hours, 1 to 720 (168 are seven days)',
      parseHours,
    )
    .option('--list', 'list the links that can be used, instead of making one', false)
    .option('--revoke <id>', 'revoke the link with this id, instead of making one')
    .option('--unlink', 'remove the identities of the person at identity providers', false)
    .option(
      '--reset-second-factor',
      'remove the codes and passkeys of the person, and end their sessions',
      false,
    )
    .option('--json', 'print JSON', false)
    .action(makeLink);
}

export function addSessionsCommand(program: Command): void {
  const sessions = program.command('sessions').description(SUMMARIES.sessions);
  sessions
    .command('list')
    .description('List the sessions of a workspace, or of a person.')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--user <email>', 'only those of this person')
    .option('--json', 'print JSON', false)
    .action(list);
  sessions
    .command('end')
    .description('End all sessions of a person at once.')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .requiredOption('--user <email>', 'whose')
    .option('--json', 'print JSON', false)
    .action(end);
}

async function makeLink(options: LinkArguments): Promise<void> {
  const { workspace: slug, user: email, origin, unlink, expiresInHours: hours, json } = options;
  const { resetSecondFactor: resetFactors } = options;
  await withWorkspace(slug, async (db, workspace) => {
    if (options.list) return listLinks(db, workspace, options);
    if (options.revoke !== undefined) return revokeLink(db, workspace, options.revoke, email);
    const link = await linkFor(db, workspace, { email, origin, unlink, hours, resetFactors });
    if (json) tellJson(link);
    else tell(`${link.url}\n`);
  });
}

/** Errors: an operator error. */
function parseHours(text: string): number {
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const { minimum, maximum } = LIMITS.invitationHours;
  if (hours >= minimum && hours <= maximum) return hours;
  throw operatorError(`--expires-in-hours must be ${minimum} to ${maximum}, not "${text}".`);
}

async function listLinks(
  db: Database,
  workspace: WorkspaceRow,
  { user, json }: OfPerson,
): Promise<void> {
  const { id } = await requireMemberByEmail(db, workspace, user);
  const links = await loadUsableLinks(db, await requireModel(db, workspace), id);
  if (json) return tellJson(links);
  const rows = links.map((link) => [link.id, link.purpose, link.created_at, link.expires_at]);
  const header = ['id', 'purpose', 'made', 'valid until'];
  tell(rows.length === 0 ? 'There are no open links.\n' : table(header, rows));
}

async function revokeLink(
  db: Database,
  workspace: WorkspaceRow,
  id: string,
  email: string,
): Promise<void> {
  const { id: user_id } = await requireMemberByEmail(db, workspace, email);
  const asked = { db, workspace, actor: OPERATOR };
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  const revoked = isId
    ? revokeSignInLink(asked, { user_id, id })
    : Promise.reject(new ApiError('record_not_found'));
  await revoked.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'record_not_found') throw error;
    throw operatorError(`"${email}" has no open link "${id}".`);
  });
  tell(`Revoked ${id}\n`);
}

interface NewLink {
  readonly email: string;
  /** Where the application is; undefined: BASE_DOMAIN, PUBLIC_URL, or where the service listens. */
  readonly origin: string | undefined;
  readonly unlink?: boolean;
  readonly resetFactors?: boolean;
  /** The hours for which an invitation is valid; undefined: a link to sign in with, for 30 minutes. */
  readonly hours?: number | undefined;
}

/** A one-time link for a person of the workspace. Errors are operator errors. */
export async function linkFor(
  db: Database,
  workspace: WorkspaceRow,
  { email, origin, unlink = false, resetFactors = false, hours }: NewLink,
): Promise<SignInLink> {
  const person = await requireMemberByEmail(db, workspace, email);
  const request = {
    person,
    origin: await originOf(db, origin, workspace),
    unlink,
    resetFactors,
    hours: hours ?? null,
  };
  const asked = { db, workspace, actor: OPERATOR };
  return makeSignInLink(asked, request).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    throw operatorError(`"${email}" cannot sign in: inactive, or an agent.`);
  });
}

/** Where people find the application of a workspace. */
async function originOf(
  db: Database,
  given: string | undefined,
  { slug }: WorkspaceRow,
): Promise<string> {
  if (given !== undefined) {
    if (/^https?:\/\//.test(given) && URL.canParse(given)) return new URL(given).origin;
    throw operatorError(`--origin must be such as https://crm.example.com, not "${given}".`);
  }
  return loadApplicationOrigin(db, readConfig(), slug);
}

async function list({ workspace: slug, user, json }: SessionsArguments): Promise<void> {
  await withWorkspace(slug, async (db, workspace) => {
    const member = user === undefined ? undefined : await requireMemberByEmail(db, workspace, user);
    const sessions = await loadSessionsOf(db, workspace.id, member?.id);
    const emails = await loadEmails(db, workspace.schema);
    const listedSessions = sessions.map(({ user_id, ...session }) => {
      return { ...session, user: emails.get(user_id) ?? `user ${user_id}` };
    });
    if (json) return tellJson(listedSessions);
    const header = ['id', 'user', 'signed in', 'by', 'last used'];
    const rows = listedSessions.map((one) => [
      ...[one.id, one.user, one.created_at, one.method, one.last_used_at],
    ]);
    tell(rows.length === 0 ? 'There are no open sessions.\n' : table(header, rows));
  });
}

async function end({ workspace: slug, user, json }: OfPerson): Promise<void> {
  await withWorkspace(slug, async (db, workspace) => {
    const person = await requireMemberByEmail(db, workspace, user);
    const ended = await endSessionsOf({ db, workspace, actor: OPERATOR }, person.id);
    if (json) tellJson(ended.map(({ id }) => id));
    else tell(`Ended ${ended.length} sessions of ${printable(person.email)}\n`);
  });
}
