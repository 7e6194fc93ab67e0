// The files of `migrations/`: the list of them, and their statements for a schema. migrations.ts records which have
// been applied to which schema.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '../package-folder.ts';
import { CONTROL_SCHEMA, identifier, type Statement, toStatement } from '../sql/sql.ts';

type MigrationFolder = 'control' | 'workspace';

const FOLDER = packagePath('migrations');
/** The last files of 1.0.0-rc.1: what its files made, the first file of each folder makes since then. */
const FIRST_CANDIDATE = { control: '008-mail.sql', workspace: '012-files.sql' } as const;

/** The files of the control schema, in their order. */
export function controlMigrations(): readonly string[] {
  return migrationFiles('control');
}

/** The files that every workspace of this release has, in their order. */
export function workspaceMigrations(): readonly string[] {
  return migrationFiles('workspace');
}

/** True when a release with these files works with a schema that this file was applied to (D631). */
export function allows(file: string, files: readonly string[]): boolean {
  const needed = /-needs-(\d{3})\.sql$/.exec(file)?.[1];
  return needed === undefined || files.includes(file) || (files.at(-1) ?? '') >= needed;
}

/** The files among these that are parts of the first one of their folder now are left out. */
export function presentFiles(
  folder: MigrationFolder,
  applied: readonly string[],
): readonly string[] {
  const [first = ''] = migrationFiles(folder);
  return applied.filter((file) => file <= first || file > FIRST_CANDIDATE[folder]);
}

/** True for a schema of a version that was not published: one before the first candidate, or between it and the second. */
export function isUnpublished(folder: MigrationFolder, applied: readonly string[]): boolean {
  const [first = '', second = ''] = migrationFiles(folder);
  if (applied.includes(second)) return false;
  const isPublished = (file: string) => file === first || file > second;
  return (
    !applied.includes(FIRST_CANDIDATE[folder]) || !presentFiles(folder, applied).every(isPublished)
  );
}

/** The statements of a file, for this schema. */
export function readMigration(
  folder: MigrationFolder,
  file: string,
  schema: string,
): readonly Statement[] {
  const quoted = (name: string) => toStatement(identifier(name)).text;
  return statementsOf(readFileSync(join(FOLDER, folder, file), 'utf8')).map(({ text }) => ({
    text: text
      .replaceAll('{{control}}', quoted(CONTROL_SCHEMA))
      .replaceAll('{{workspace}}', quoted(schema)),
    values: [],
  }));
}

/**
 * A statement of a file ends with the `;` at the end of a line that is not a comment and not in a body: bodies are
 * between two `$$`, or between `begin atomic` and `end;`.
 */
export function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let lines: string[] = [];
  let end: string | undefined;
  for (const line of text.split('\n')) {
    lines.push(line);
    if (line.trimStart().startsWith('--')) continue;
    end = bodyEnd(line, end);
    if (end !== undefined || !line.endsWith(';')) continue;
    statements.push({ text: lines.join('\n'), values: [] });
    lines = [];
  }
  return statements;
}

/** True for statements that make, change or drop a trigger. */
export function isOfTrigger({ text }: Statement): boolean {
  const statement = text.replaceAll(/^\s*--.*\n/gm, '').trimStart();
  return /^(?:create(?: or replace)?(?: constraint)?|alter|drop) trigger\b/i.test(statement);
}

function migrationFiles(folder: MigrationFolder): readonly string[] {
  return readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith('.sql'))
    .sort();
}

/** The text that ends the body that a line is in or begins; undefined after its end. */
function bodyEnd(line: string, end: string | undefined): string | undefined {
  if (end === 'end;') return line === end ? undefined : end;
  if (line.split('$$').length % 2 === 0) return end === undefined ? '$$' : undefined;
  return line.endsWith('begin atomic') ? 'end;' : end;
}
