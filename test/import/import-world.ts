// The common part of the tests of imports: files in a folder of their own, and a workspace with objects that have
// every difficulty an import meets.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import {
  type FileImport,
  type FileImportReport,
  importFile,
} from '../../src/import/import-file.ts';
import type { Rejection } from '../../src/import/import-request.ts';
import type { Database, Row } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createCopy, type OwnDatabase } from '../own-database.ts';

export interface TestFiles {
  /** Write a file and answer its path. */
  put(name: string, content: string | Buffer): string;
  path(name: string): string;
  read(name: string): string;
  remove(): void;
}

export function openTestFiles(): TestFiles {
  const folder = mkdtempSync(join(tmpdir(), 'records-import-'));
  const path = (name: string) => join(folder, name);
  return {
    put(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const IMPORT_DOCUMENT = {
  objects: {
    companies: {
      owned: false,
      fields: {
        code: { type: 'text', unique: true },
        size: { type: 'integer', minimum: 1 },
        note: { type: 'text', storage: 'jsonb' },
        labels: { type: 'multi_select', options: [{ value: 'a' }, { value: 'b' }] },
        listed: { type: 'boolean' },
        extra: { type: 'json' },
        parent_id: { type: 'reference', reference_object_type: 'companies' },
      },
    },
    deals: {
      workflow: 'pipeline',
      fields: {
        code: { type: 'text', unique: true, editable: false },
        amount: { type: 'currency', currency: 'USD' },
        signed: { type: 'datetime' },
        contact: { type: 'user' },
      },
    },
    work_items: {
      fields: {
        labels: { type: 'multi_select', options: [{ value: 'a' }, { value: 'b' }] },
        parts: { type: 'long_text' },
        reporter: { type: 'user' },
        reporter_name: { type: 'text', storage: 'jsonb' },
        epic_id: { type: 'reference', reference_object_type: 'work_items' },
      },
    },
    prices: {
      name: 'Prices',
      singular_name: 'Price',
      capabilities: { create: false, update: false, delete: false },
      fields: { item: { type: 'text', unique: true }, price: { type: 'number' } },
    },
  },
  workflows: {
    pipeline: {
      name: 'Pipeline',
      initial: 'open',
      statuses: { open: { name: 'Open', transitions: ['won'] }, won: { name: 'Won' } },
    },
    work: {
      name: 'Work',
      initial: 'open',
      statuses: {
        open: { name: 'Open', transitions: ['in_review'] },
        in_review: { name: 'In review', transitions: ['closed'] },
        closed: { name: 'Closed' },
      },
    },
  },
  work_item_types: {
    bug: { name: 'Bug', prefix: 'BUG', workflow: 'work' },
    sub_task: { name: 'Sub-task', prefix: 'SUB', workflow: 'work' },
  },
  roles: { rep: { developer: true, objects: { deals: { create: 'own', read: 'own' } } } },
  users: {
    'anna@acme.test': { name: 'Anna', roles: ['admin'] },
    'ben@acme.test': { name: 'Ben', roles: ['rep'] },
    'twin.one@acme.test': { name: 'Twin', roles: ['rep'] },
    'twin.two@acme.test': { name: 'Twin', roles: ['rep'] },
    'gone@acme.test': { name: 'Gone', roles: ['admin'], active: false },
  },
};

export interface ImportWorld {
  readonly own: OwnDatabase;
  readonly workspace: WorkspaceRow;
  readonly rejections: Rejection[];
  /** Import a file; rejected rows are added to `rejections`, which is emptied first. */
  run(file: string, options?: Partial<FileImport>, db?: Database): Promise<FileImportReport>;
  /** Rows of a table of the workspace in the order of their ids. */
  table(name: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

export async function openImportWorld(): Promise<ImportWorld> {
  const own = await createCopy('import', async ({ db }) => {
    await migrate(db);
    await createWorkspace(db, { slug: 'acme', document: IMPORT_DOCUMENT });
  });
  const workspace = (await findWorkspace(own.db, 'acme')) as WorkspaceRow;
  const rejections: Rejection[] = [];
  return {
    own,
    workspace,
    rejections,
    run(file, options = {}, db = own.db) {
      rejections.length = 0;
      return importFile(db, {
        workspace,
        file,
        mapping: undefined,
        objectType: undefined,
        match: undefined,
        dryRun: false,
        rejectFile: undefined,
        user: undefined,
        output: { write: () => undefined },
        onReject: (rejection) => rejections.push(rejection),
        ...options,
      });
    },
    table: (name) => own.rows(`select * from "${workspace.schema}"."${name}" order by id`),
    close: () => own.drop(),
  };
}
