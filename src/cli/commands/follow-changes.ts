// `changes`: the changes of records since a cursor or a time, as `GET /changes` has them, and from then on as they happen.

import type { Command } from 'commander';
import { type AskedChanges, questionOf, requireValid } from '../../api/events/change-question.ts';
import { changesReply } from '../../api/events/change-routes.ts';
import { readConfig } from '../../config.ts';
import { requireModel, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { requireReader } from '../../export/reader.ts';
import { explainRefusal } from '../../export/refusal.ts';
import { type EventFeeds, openEventFeeds } from '../../flow/events/event-feed.ts';
import { LIMITS } from '../../limits.ts';
import type { ReaderRights } from '../../plan/people/reader-rights.ts';
import type { Database } from '../../postgres/db.ts';
import { parseMoment } from '../moment.ts';
import { reasonOf } from '../reason.ts';
import { remark, tell } from '../say.ts';
import { stopOnSignals } from '../service/ending.ts';
import { withWorkspace } from '../with-workspace.ts';
import { SUMMARIES } from './summaries.ts';

interface ChangesArguments {
  readonly workspace: string;
  readonly follow: boolean;
  readonly objectType?: string;
  readonly type?: string;
  readonly since?: string;
  readonly cursor?: string;
  readonly include?: string;
  readonly as?: string;
  readonly json: boolean;
}

const EXPLANATION = `
Without --cursor and --since it prints every change that is kept; with --follow only those from now on. With
--json each change is a line, as GET /changes has it. The last line of a page has a "cursor": store it after the
lines before it, and continue with --cursor. Ctrl-C ends --follow.

Examples:
  $ workspace-records changes -w demo --since 1h
  $ workspace-records changes -w demo --follow --object-type deals --type record.status_changed
  $ workspace-records changes -w demo --follow --json --include record --cursor "$CURSOR"
`;

/** Milliseconds until rights and the position are read again while nothing changes. */
const WAIT = 30_000;

export function addChangesCommand(program: Command): void {
  program
    .command('changes')
    .description(SUMMARIES.changes)
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('-f, --follow', 'continue with changes as they happen', false)
    .option('--object-type <types>', 'only of these objects, joined by commas')
    .option('--type <types>', 'only these events, joined by commas, such as record.*')
    .option('--since <when>', 'a time such as 2026-01-31T00:00:00Z, or back from now: 30d, 12h')
    .option('--cursor <cursor>', 'continue behind this cursor')
    .option('--include <what>', 'with --json: "record" adds the record as it is now')
    .option('--as <email>', 'only what this person may read (default: everything)')
    .option('--json', 'print JSON lines', false)
    .addHelpText('after', EXPLANATION)
    .action(printChanges);
}

async function printChanges(options: ChangesArguments, command: Command): Promise<void> {
  const question = askedBy(options);
  if (typeof question === 'string') return command.error(`error: ${question}`, { exitCode: 2 });
  const stop = new AbortController();
  const unfollow = stopOnSignals(() => stop.abort());
  try {
    await withWorkspace(options.workspace, async (db, workspace) => {
      const feed = openFeed(db, workspace, options);
      await explainRefusal(() => printAll(feed, question, stop.signal));
    });
  } finally {
    unfollow();
  }
}

/** The request, or the problem of the call. */
function askedBy(options: ChangesArguments): AskedChanges | string {
  const { objectType, type, since, cursor, include, follow, json } = options;
  if (include !== undefined && include !== 'record') return '--include takes "record"';
  if (include !== undefined && !json) return '--include needs --json';
  if (since !== undefined && cursor !== undefined) return 'give one of --since and --cursor';
  const time = since === undefined ? undefined : parseMoment(since);
  if (since !== undefined && time === undefined) return '--since takes a time, or such as 12h';
  const at = typeof time === 'number' ? new Date(Date.now() - time * 1000).toISOString() : time;
  const from = cursor ?? (follow || at !== undefined ? undefined : 'start');
  return {
    ...(objectType === undefined ? {} : { object_type: objectType }),
    ...(type === undefined ? {} : { type }),
    ...(include === undefined ? {} : { include }),
    ...(at === undefined ? {} : { since: at }),
    ...(from === undefined ? {} : { cursor: from }),
    limit: LIMITS.changesPage,
    wait: 0,
  };
}

interface Feed {
  readonly db: Database;
  readonly events: EventFeeds;
  readonly follow: boolean;
  readonly json: boolean;
  /** The reader with the rights of this moment. */
  readAgain(): Promise<ReaderRights>;
}

function openFeed(
  db: Database,
  workspace: WorkspaceRow,
  { as, follow, json }: ChangesArguments,
): Feed {
  const events = openEventFeeds({
    db,
    keptDays: readConfig().changesKeptDays,
    onError: (error) => remark(`Changes are delayed: ${reasonOf(error)}\n`),
  });
  async function readAgain(): Promise<ReaderRights> {
    const model = await requireModel(db, workspace);
    return { model, caller: await requireReader(db, model, as) };
  }
  return { db, events, follow, json, readAgain };
}

async function printAll(feed: Feed, asked: AskedChanges, signal: AbortSignal): Promise<void> {
  const { since: _, ...later } = asked;
  let query = asked;
  for (;;) {
    const { data, pagination } = await nextPage(feed, query, signal);
    const { has_more, next_cursor } = pagination;
    tell(linesOf(data, { json: feed.json, cursor: next_cursor }));
    query = { ...later, cursor: next_cursor };
    if (signal.aborted || !(has_more || feed.follow)) {
      remark(`Continue with --cursor ${next_cursor}\n`);
      return;
    }
  }
}

/** The next changes; after waiting for them when they are followed and a cursor is known. */
async function nextPage(feed: Feed, query: AskedChanges, signal: AbortSignal) {
  const { db, events, readAgain } = feed;
  const reading = await readAgain();
  const question = await questionOf(reading, query, events.outbox);
  const page = requireValid(await events.read(question));
  const isOver = page.events.length > 0 || !page.isLevel || signal.aborted;
  const answering = { db, query, events };
  if (isOver || !feed.follow || query.cursor === undefined) {
    return (await changesReply({ ...answering, reading }, question, page)).body;
  }
  const wait = { ...question, from: page.next, milliseconds: WAIT, signals: [signal] };
  const found = requireValid(await events.wait(wait, readAgain));
  const now = await readAgain();
  return (await changesReply({ ...answering, reading: now }, wait, found)).body;
}

interface Printed {
  readonly json: boolean;
  readonly cursor: string;
}

function linesOf(
  events: readonly Readonly<Record<string, unknown>>[],
  { json, cursor }: Printed,
): string {
  const lines = events.map((event, index) => {
    if (!json) return textOf(event);
    const isLast = index === events.length - 1;
    return JSON.stringify(isLast ? { ...event, cursor } : event);
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Time, type, record and changed fields. */
function textOf(event: Readonly<Record<string, unknown>>): string {
  const { occurred_at, type, object_type, record_id, changed_fields, object_types } = event;
  const of = object_type === undefined ? [object_types] : [object_type, record_id];
  const parts = [occurred_at, type, ...of, changed_fields];
  return parts.flatMap((part) => (part === undefined ? [] : String(part))).join('  ');
}
