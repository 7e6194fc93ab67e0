// Files that were sent for imports or made by exports (docs/decisions.md, D248): in pieces in the database, so that
// the process that works at a job finds them, whichever it is. One function, one statement.

import { uuidv7 } from 'uuidv7';
import type { ReadRights } from '../../model/rights/read-rights.ts';
import type { Queryable } from '../../postgres/db.ts';
import { run } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

export const FILE_FORMATS = ['csv', 'tsv', 'jsonl', 'xlsx', 'json', 'vcf', 'ldif'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export interface StoredFile {
  readonly id: string;
  readonly user_id: number;
  readonly name: string;
  readonly format: FileFormat;
  readonly bytes: number;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface NewFile {
  readonly workspace_id: number;
  readonly user_id: number;
  readonly name: string;
  readonly format: FileFormat;
}

/** Bytes that are written and read at once. */
export const PIECE_BYTES = 1024 * 1024;

const FILES = identifier(CONTROL_SCHEMA, 'files');
const PIECES = identifier(CONTROL_SCHEMA, 'file_pieces');
const COLUMNS = sql`f.id, f.user_id, f.name, f.format, f.bytes, f.created_at, f.expires_at`;

/** Bytes of all files of a workspace that are kept. */
export async function loadFileBytes(db: Queryable, workspaceId: number): Promise<number> {
  const [row] = await run(
    db,
    sql`select coalesce(sum(bytes), 0) as bytes from ${FILES}
      where workspace_id = ${workspaceId}::integer and expires_at > now()`,
  );
  return Number(row?.bytes);
}

/** A file that is complete; its pieces are appended in the same transaction. */
export async function appendFile(
  tx: Queryable,
  file: NewFile & { readonly bytes: number },
): Promise<StoredFile> {
  const [row] = await run(
    tx,
    sql`insert into ${FILES} as f (id, workspace_id, user_id, name, format, bytes, is_complete)
      values (${uuidv7()}::uuid, ${file.workspace_id}::integer, ${file.user_id}::integer,
        ${file.name}, ${file.format}, ${file.bytes}::bigint, true)
      returning ${COLUMNS}`,
  );
  return row as unknown as StoredFile;
}

export async function appendPiece(
  tx: Queryable,
  fileId: string,
  number: number,
  bytes: Uint8Array,
): Promise<void> {
  await run(
    tx,
    sql`insert into ${PIECES} (file_id, number, bytes)
      values (${fileId}::uuid, ${number}::integer, ${Buffer.from(bytes)}::bytea)`,
  );
}

/** A file that this person has sent and that is still kept. */
export async function loadSentFile(
  db: Queryable,
  { workspace_id, user_id }: Pick<NewFile, 'workspace_id' | 'user_id'>,
  id: string,
): Promise<StoredFile | undefined> {
  const [row] = await run(
    db,
    sql`select ${COLUMNS} from ${FILES} f where f.id = ${id}::uuid and f.job_id is null
        and f.workspace_id = ${workspace_id}::integer and f.user_id = ${user_id}::integer
        and f.expires_at > now()`,
  );
  return row as unknown as StoredFile | undefined;
}

/** The bytes of a file in their order, a piece at a time. */
export async function* loadPieces(db: Queryable, fileId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [row] = await run(
      db,
      sql`select bytes from ${PIECES} where file_id = ${fileId}::uuid and number = ${number}::integer`,
    );
    if (row === undefined) return;
    yield row.bytes as Buffer;
  }
}

/** Keep a file for another 24 hours. */
export async function prolongFile(db: Queryable, id: string): Promise<void> {
  await run(
    db,
    sql`update ${FILES} set expires_at = now() + interval '24 hours' where id = ${id}::uuid`,
  );
}

/** An export begins again: the file of an earlier attempt is deleted. */
export async function replaceExportFile(
  db: Queryable,
  jobId: string,
  file: NewFile & { readonly rights: ReadRights },
): Promise<string> {
  const [row] = await run(
    db,
    sql`with gone as (delete from ${FILES} where job_id = ${jobId}::uuid)
      insert into ${FILES} (id, workspace_id, user_id, job_id, name, format, rights, is_complete)
      values (${uuidv7()}::uuid, ${file.workspace_id}::integer, ${file.user_id}::integer,
        ${jobId}::uuid, ${file.name}, ${file.format}, ${JSON.stringify(file.rights)}::json, false)
      returning id`,
  );
  return String(row?.id);
}

/** All pieces are there. */
export async function completeFile(tx: Queryable, id: string, bytes: number): Promise<void> {
  await run(
    tx,
    sql`update ${FILES} set is_complete = true, bytes = ${bytes}::bigint,
        expires_at = now() + interval '24 hours' where id = ${id}::uuid`,
  );
}

/** The file of an export that is done, and the rights it was made by. */
export async function loadExportFile(
  db: Queryable,
  jobId: string,
): Promise<(StoredFile & { readonly rights: ReadRights }) | undefined> {
  const [row] = await run(
    db,
    sql`select ${COLUMNS}, f.rights from ${FILES} f
      where f.job_id = ${jobId}::uuid and f.is_complete and f.expires_at > now()`,
  );
  return row as unknown as (StoredFile & { readonly rights: ReadRights }) | undefined;
}

/** Remove some that are kept no longer and that no job needs; answers how many. */
export function deleteExpiredFiles(db: Queryable, most: number): Promise<number> {
  const where = sql`t.expires_at < now() and not exists (
      select from ${identifier(CONTROL_SCHEMA, 'jobs')} j
      where j.state in ('queued', 'running') and j.workspace_id = t.workspace_id
        and (j.id = t.job_id or j.input ->> 'file_id' = t.id::text))`;
  const order = sql`t.expires_at`;
  return deleteSome(db, { table: FILES, key: identifier('id'), where, order }, most);
}
