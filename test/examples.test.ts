// The worked example of docs/import.md: its files import as the guide says, and the guide quotes them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkspaceRow } from '../src/control/workspace/workspaces.ts';
import { readDefinitionFile } from '../src/definitions/document/definition-file.ts';
import { type FileImportReport, importFile } from '../src/import/import-file.ts';
import type { Rejection } from '../src/import/import-request.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from './own-database.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'examples', 'issues-and-comments');
const guide = readFileSync(join(root, 'docs', 'import.md'), 'utf8');

let own: OwnDatabase;
let workspace: WorkspaceRow;
const rejections: Rejection[] = [];

function run(name: string): Promise<FileImportReport> {
  return importFile(own.db, {
    workspace,
    file: join(folder, `${name}.jsonl`),
    mapping: join(folder, `${name}.mapping.yaml`),
    objectType: undefined,
    match: undefined,
    dryRun: false,
    rejectFile: undefined,
    user: undefined,
    output: { write: () => undefined },
    onReject: (rejection) => rejections.push(rejection),
  });
}

beforeAll(async () => {
  own = await createMigratedDatabase();
  const document = readDefinitionFile(join(folder, 'definition.yaml'));
  workspace = await createWorkspace(own.db, { slug: 'lighthouse', document });
});
afterAll(() => own?.drop());

const told = (report: FileImportReport) =>
  `${report.rows_are === 'comments' ? 'comments on ' : ''}${report.object_type}: ` +
  `${report.read} rows read, ${report.created} created, ${report.updated} updated, ` +
  `${report.unchanged} unchanged, ${report.rejected} rejected`;

test('issues and comments import as the guide says, once', async () => {
  const reports = [await run('issues'), await run('comments')];
  expect(guide).toContain(`\n${reports.map(told).join('\n')}\n`);
  expect(rejections.map(({ row, problems }) => [row.line, problems])).toEqual([
    [6, [expect.objectContaining({ reason: 'The comment must not be white space only.' })]],
  ]);
  expect([await run('issues'), await run('comments')]).toMatchObject([
    { unchanged: 6, created: 0 },
    { unchanged: 6, created: 0 },
  ]);
  const items = await own.rows(`select w.public_id, w.status, p.public_id as parent,
      e.public_id as epic, w.custom_fields ->> 'epic_key' as key, o.name as owner,
      r.name as reporter from ws_lighthouse.work_items w
    left join ws_lighthouse.work_items p on p.id = w.parent_work_item_id
    left join ws_lighthouse.work_items e on e.id = w.epic_id
    left join ws_lighthouse._users o on o.id = w.owner_user_id
    left join ws_lighthouse._users r on r.id = w.reporter order by 1`);
  expect(items.map((item) => Object.values(item))).toEqual([
    ['LIGHT-1', 'open', null, null, null, 'Ada Keeper', 'Ada Keeper'],
    ['LIGHT-2', 'in_review', null, 'LIGHT-1', 'LIGHT-1', 'Brook Lantern', null],
    ['LIGHT-3', 'closed', 'LIGHT-2', 'LIGHT-1', 'LIGHT-1', 'Brook Lantern', 'Brook Lantern'],
    ['LIGHT-4', 'in_progress', 'LIGHT-2', null, null, 'Cyril Beam', 'Brook Lantern'],
    ['LIGHT-5', 'closed', null, null, 'HARBOUR-77', null, 'Brook Lantern'],
    ['LIGHT-6', 'open', null, null, null, null, 'Brook Lantern'],
  ]);
  const comments = await own.rows(`select w.public_id, u.name, count(n.id)::integer as notified
    from ws_lighthouse._comments c join ws_lighthouse.work_items w on w.id = c.record_id
    join ws_lighthouse._users u on u.id = c.author_user_id
    left join ws_lighthouse._notifications n on n.comment_id = c.id
    group by w.public_id, c.id, u.name, c.created_at order by w.public_id, c.created_at`);
  expect(comments.map((comment) => Object.values(comment))).toEqual([
    ['LIGHT-1', 'Ada Keeper', 0],
    ['LIGHT-2', 'Brook Lantern', 0],
    ['LIGHT-2', 'Ada Keeper', 1],
    ['LIGHT-2', 'Cyril Beam', 2],
    ['LIGHT-3', 'Brook Lantern', 1],
    ['LIGHT-5', 'Former member', 0],
  ]);
});

test('quotes in the guide are in the files', () => {
  // The guide shows lines from within a file without their indentation.
  const withoutIndent = (text: string) => text.replaceAll(/^ +/gm, '');
  const files = ['issues', 'comments'].map((name) =>
    withoutIndent(readFileSync(join(folder, `${name}.mapping.yaml`), 'utf8')),
  );
  const chapter = guide.slice(guide.indexOf('## Issues and comments'));
  const quotes = [...chapter.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, quote]) => String(quote));
  expect(quotes).toHaveLength(4);
  for (const quote of quotes) {
    expect(
      files.some((file) => file.includes(withoutIndent(quote))),
      quote,
    ).toBe(true);
  }
});
