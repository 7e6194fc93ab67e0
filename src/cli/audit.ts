// `audit`: the author, kind and time of each write, as a table or as JSON lines.

import type { Command } from 'commander';
import { SUBJECT_TYPES } from '../control/administrative-audit.ts';
import {
  AUDIT_ACTION,
  type AuditFilter,
  type AuditPlace,
  type AuditRow,
  type AuditTime,
  loadAudit,
} from '../control/audit-rows.ts';
import { requireMemberByEmail } from '../control/people.ts';
import type { WorkspaceRow } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { parseRecordId } from '../model/record-id.ts';
import { shortSessionId } from '../model/session-token.ts';
import type { Database } from '../postgres/db.ts';
import { parseMoment } from './moment.ts';
import { tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';

interface AuditArguments {
  readonly workspace: string;
  readonly record?: string;
  readonly object?: string;
  readonly subject?: string;
  readonly action?: string;
  readonly user?: string;
  readonly key?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: string;
  readonly all: boolean;
  readonly json: boolean;
}

/** The actions on a record that a row can have. */
const ACTIONS = ['create', 'update', 'status', 'delete', 'link', 'unlink', 'comment'];
/** Rows that are read and printed at once. */
const PAGE = 1000;

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(SUMMARIES.audit)
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--record <id>', 'only writes of this record')
    .option('--object <type>', 'only records of this object type')
    .option('--subject <type>', `only what was done beside records: ${SUBJECT_TYPES.join(', ')}`)
    .option('--action <action>', `${ACTIONS.join(', ')}, or another word of the list`)
    .option('--user <email>', 'only writes of this person or agent')
    .option('--key <id-or-prefix>', 'only writes through this API key')
    .option(
      '--since <when>',
      'a time such as 2026-01-31T00:00:00Z, or back from now: 30d, 12h, 45m',
    )
    .option('--until <when>', 'as --since; itself not included')
    .option('--limit <number>', 'most rows', '100')
    .option('--all', 'every row', false)
    .option('--json', 'print JSON lines', false)
    .action(showAudit);
}

async function showAudit(options: AuditArguments): Promise<void> {
  const limit = options.all ? Number.POSITIVE_INFINITY : parseLimit(options.limit);
  const given = {
    record_id: parseRecord(options.record),
    object_type: options.object,
    subject_type: parseSubject(options.subject),
    action: parseAction(options.action),
    key: options.key,
    since: parseTime('--since', options.since),
    until: parseTime('--until', options.until),
  };
  await withWorkspace(options.workspace, async (db, workspace) => {
    const filter = { ...given, user_id: await findUser(db, workspace, options.user) };
    const pages = pagesOf(db, workspace.schema, filter, limit);
    for await (const [rows, isFirst] of pages) {
      tell(options.json ? rows.map(jsonLine).join('') : tableOf(rows, isFirst));
    }
  });
}

/** However many there are, a page at a time is in memory. */
async function* pagesOf(
  db: Database,
  schema: string,
  filter: AuditFilter,
  limit: number,
): AsyncIterable<readonly [rows: readonly AuditRow[], isFirst: boolean]> {
  let before: AuditPlace | undefined;
  let left = limit;
  let isFirst = true;
  for (;;) {
    const most = Math.min(left, PAGE);
    const { rows, next } = await loadAudit(db, schema, filter, { before, limit: most });
    if (rows.length > 0 || next === undefined) yield [rows, isFirst];
    isFirst &&= rows.length === 0;
    left -= rows.length;
    before = next;
    if (next === undefined || left === 0) return;
  }
}

function jsonLine(row: AuditRow): string {
  const { consequence: _, ...shown } = row;
  return `${JSON.stringify(shown)}\n`;
}

const HEADER = ['at', 'user', 'key', 'action', 'object', 'record', 'fields'];

function tableOf(rows: readonly AuditRow[], isFirst: boolean): string {
  if (rows.length === 0) return isFirst ? 'There are no such rows.\n' : '';
  const cells = rows.map((row) => [
    row.at,
    row.user ?? (row.user_id === null ? '' : `user ${row.user_id}`),
    row.api_key_prefix ??
      (row.session_id === null ? row.source : `session ${shortSessionId(row.session_id)}`),
    row.action,
    row.object_type ?? row.subject_type ?? '',
    row.record_id ?? row.subject_id ?? '',
    row.changed_fields.join(','),
  ]);
  const text = table(HEADER, cells);
  return isFirst ? text : text.slice(text.indexOf('\n') + 1);
}

async function findUser(
  db: Database,
  workspace: WorkspaceRow,
  email: string | undefined,
): Promise<number | undefined> {
  if (email === undefined) return undefined;
  return (await requireMemberByEmail(db, workspace, email)).id;
}

function parseRecord(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const parsed = parseRecordId(id);
  if (parsed !== undefined) return parsed;
  throw operatorError(`--record must be the id of a record, not "${id}".`);
}

function parseAction(action: string | undefined): string | undefined {
  if (action === undefined || AUDIT_ACTION.test(action)) return action;
  throw operatorError(`--action must be a word such as ${ACTIONS.join(', ')}, not "${action}".`);
}

function parseSubject(type: string | undefined): string | undefined {
  if (type === undefined || (SUBJECT_TYPES as readonly string[]).includes(type)) return type;
  throw operatorError(`There is no subject "${type}". Subjects: ${SUBJECT_TYPES.join(', ')}.`);
}

function parseLimit(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw operatorError(`--limit must be a whole number from 1 to 999999999, not "${text}".`);
}

function parseTime(name: string, text: string | undefined): AuditTime | undefined {
  if (text === undefined) return undefined;
  const time = parseMoment(text);
  if (time !== undefined) return time;
  throw operatorError(`${name} must be a time such as 2026-01-31T00:00:00Z or 30d, not "${text}".`);
}
