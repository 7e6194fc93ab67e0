// `keys create`, `keys list` and `keys revoke`. A secret is printed once, when its key is made.

import type { Command } from 'commander';
import { type ListedApiKey, loadApiKeysOf, loadMoment } from '../../control/people/api-keys.ts';
import { loadKeyUsers, type MemberRow, requireMemberByEmail } from '../../control/people/people.ts';
import { OPERATOR } from '../../control/workspace/administrative-audit.ts';
import { openRegistry } from '../../control/workspace/registry.ts';
import type { WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import {
  createFirstKey as makeFirstKey,
  createKey as makeKey,
  type NewKey,
  revokeKeys,
} from '../../flow/people/key-flow.ts';
import { LIMITS } from '../../limits.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../model/rights/access.ts';
import type { KeyType } from '../../model/rights/api-key-form.ts';
import type { Database, Queryable } from '../../postgres/db.ts';
import { requireName } from '../../workspaces/create-workspace.ts';
import { parseMoment } from '../moment.ts';
import { printable, remark, tell, tellJson } from '../say.ts';
import { withWorkspace } from '../with-workspace.ts';
import { SUMMARIES } from './summaries.ts';

interface CreateArguments {
  readonly workspace: string;
  readonly user: string;
  readonly name: string;
  readonly scopes?: string;
  readonly rpm?: string;
  readonly expires?: string;
  readonly type?: string;
  readonly gates?: string;
  readonly json: boolean;
}

interface OfWorkspace {
  readonly workspace: string;
  readonly json: boolean;
}

export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description(SUMMARIES.keys);
  keys
    .command('create')
    .description('Create a key that acts as a user; prints its secret, once.')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .requiredOption('--user <email>', 'the person or agent the key acts as')
    .requiredOption('--name <name>', 'a name for the key')
    .option(
      '--scopes <list>',
      `some of ${SCOPES.join(',')}; "none" (default: ${DEFAULT_SCOPES.join(',')})`,
    )
    .option('--rpm <number>', 'requests per minute (default: that of the service)')
    .option('--expires <when>', 'a time such as 2027-01-31T00:00:00Z, or from now: 30d, 12h, 45m')
    .option('--type <type>', 'personal or operational (default: operational for agents)')
    .option('--gates <on|off>', 'whether it passes approval gates (default: on, for agents off)')
    .option('--json', 'print JSON', false)
    .action(create);
  keys
    .command('list')
    .description('List the keys of a workspace.')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--json', 'print JSON', false)
    .action(list);
  keys
    .command('revoke')
    .description('Revoke a key at once.')
    .argument('<id-or-prefix>', 'as "keys list" shows it')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--json', 'print JSON', false)
    .action(revoke);
}

/** The arguments of `createKey`; the command line and the demo make keys with it. */
export interface KeyRequest {
  readonly workspace: WorkspaceRow;
  readonly email: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly requests_per_minute: number | null;
  /** A moment, or seconds from now. */
  readonly expires: string | number | null;
  readonly type: KeyType | undefined;
  /** Undefined: not for agents. */
  readonly gates?: boolean | undefined;
}

/** Make a key. The secret is nowhere else; errors are operator errors. */
export async function createKey(
  db: Database,
  request: KeyRequest,
): Promise<{ readonly key: ListedApiKey; readonly secret: string; readonly developer: boolean }> {
  const { workspace } = request;
  const member = await requireUser(db, request);
  const wanted = await newKey(db, member, request);
  const { key, secret } = await makeKey(asOperator(db, workspace), wanted);
  const model = await openRegistry(db).model(workspace.id);
  const developer = member.roles.some((role) => model.roles.get(role)?.developer === true);
  return { key, secret, developer: developer && member.active };
}

/** The secret of the first key of a workspace; undefined when it has keys already. Errors are operator errors. */
export async function createFirstKey(
  db: Database,
  request: KeyRequest,
): Promise<string | undefined> {
  const wanted = await newKey(db, await requireUser(db, request), request);
  return (await makeFirstKey(asOperator(db, request.workspace), wanted))?.secret;
}

async function requireUser(db: Queryable, request: KeyRequest): Promise<MemberRow> {
  const { workspace, email, name } = request;
  requireName(name);
  const member = await requireMemberByEmail(db, workspace, email);
  requireType(member, request);
  return member;
}

async function newKey(db: Queryable, { id }: MemberRow, request: KeyRequest): Promise<NewKey> {
  const { name, scopes, requests_per_minute, expires, gates } = request;
  const expires_at = typeof expires === 'number' ? await loadMoment(db, expires) : expires;
  return { user_id: id, name, scopes, requests_per_minute, expires_at, gates };
}

function requireType({ kind }: MemberRow, { type, email }: KeyRequest): void {
  const derived = kind === 'agent' ? 'operational' : 'personal';
  if (type === undefined || type === derived) return;
  throw operatorError(`A key of ${kind} "${email}" is ${derived}, not ${type}.`);
}

function asOperator(db: Database, workspace: WorkspaceRow) {
  return { db, workspace, actor: OPERATOR, requestsPerMinute: LIMITS.requestsPerMinute };
}

async function create(options: CreateArguments): Promise<void> {
  const settings = {
    email: options.user,
    name: options.name,
    scopes: parseScopes(options.scopes),
    requests_per_minute: parseRequests(options.rpm),
    expires: parseExpiry(options.expires),
    type: parseType(options.type),
    gates: parseGates(options.gates),
  };
  await withWorkspace(options.workspace, async (db, workspace) => {
    const { key, secret, developer } = await createKey(db, { workspace, ...settings });
    if (!developer) {
      const reason = 'is inactive or has no role with developer access; requests will be refused';
      remark(`Note: ${options.user} ${reason}.\n`);
    }
    if (options.json) tellJson({ ...present(key, options.user), secret });
    else tell(`${secret}\n`);
  });
}

async function list({ workspace: slug, json }: OfWorkspace): Promise<void> {
  await withWorkspace(slug, async (db, workspace) => {
    const keys = await loadApiKeysOf(db, workspace.id);
    const users = await loadKeyUsers(db, workspace.schema);
    const listedKeys = keys.map((key) => {
      const { email = null, active = false } = users.get(key.user_id) ?? {};
      return { ...present(key, email), user_active: active };
    });
    if (json) tellJson(listedKeys);
    else for (const key of listedKeys) tell(`${lineOf(key)}\n`);
  });
}

async function revoke(idOrPrefix: string, { workspace: slug, json }: OfWorkspace): Promise<void> {
  await withWorkspace(slug, async (db, workspace) => {
    const revoked = await revokeKeys(asOperator(db, workspace), idOrPrefix);
    if (revoked.length === 0) {
      throw operatorError(`"${slug}" has no active key "${idOrPrefix}".`);
    }
    if (json) tellJson(revoked.map((key) => present(key, null)));
    else for (const { prefix, name } of revoked) tell(`Revoked ${prefix} ${printable(name)}\n`);
  });
}

function parseScopes(text: string | undefined): readonly string[] {
  if (text === undefined) return DEFAULT_SCOPES;
  if (text === 'none') return [];
  const scopes = [...new Set(text.split(',').map((scope) => scope.trim()))];
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown === undefined) return scopes;
  throw operatorError(`There is no scope "${unknown}". Scopes: ${SCOPES.join(', ')} and none.`);
}

function parseRequests(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw operatorError(`--rpm must be a whole number from 1 to 999999999, not "${text}".`);
}

/** The end of a key: a moment to come, or seconds from now. */
export function parseExpiry(text: string | undefined): string | number | null {
  if (text === undefined) return null;
  const time = parseMoment(text);
  if (typeof time === 'number' || (time !== undefined && Date.parse(time) > Date.now()))
    return time;
  throw operatorError(
    `--expires must be a time in the future, such as 2027-01-31T00:00:00Z or 30d, not "${text}".`,
  );
}

function parseType(text: string | undefined): KeyType | undefined {
  if (text === undefined || text === 'personal' || text === 'operational') return text;
  throw operatorError(`--type must be personal or operational, not "${text}".`);
}

function parseGates(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'on' || text === 'off') return text === 'on';
  throw operatorError(`--gates must be on or off, not "${text}".`);
}

function present(key: ListedApiKey, user: string | null) {
  const { user_id, ...rest } = key;
  return { ...rest, user: user ?? user_id };
}

function lineOf(key: ReturnType<typeof present> & { readonly user_active: boolean }): string {
  const state = key.revoked_at !== null ? 'revoked' : stateOf(key);
  const used = key.last_used_at === null ? 'never used' : `used ${key.last_used_at}`;
  return [key.prefix, key.id, key.type, String(key.user), key.name, state, used]
    .map(printable)
    .join('  ');
}

interface Lasting {
  readonly expires_at: string | null;
  readonly user_active: boolean;
}

function stateOf({ expires_at, user_active }: Lasting): string {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  if (!user_active) return 'refused: the person is inactive';
  return expires_at === null ? 'in force' : `until ${expires_at}`;
}
