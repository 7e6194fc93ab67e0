// `query`: a question about the records of an object, answered as a table, CSV or JSON lines.

import type { Command } from 'commander';
import { presentPage } from '../api/present.ts';
import { requireModel } from '../control/workspaces.ts';
import { requireReader } from '../export/reader.ts';
import { explainRefusal } from '../export/refusal.ts';
import { readPage } from '../flow/records/read-flow.ts';
import { LIMITS } from '../limits.ts';
import { csvCell, guardText } from '../model/csv-text.ts';
import { parseQuestion, type Question } from '../plan/question.ts';
import { requireObject } from '../plan/read-plan.ts';
import { parseJson } from './json-option.ts';
import { remark, tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';
import { table } from './table.ts';
import { withWorkspace } from './with-workspace.ts';

const FORMATS = ['table', 'csv', 'jsonl'] as const;
type Format = (typeof FORMATS)[number];

interface QueryArguments {
  readonly workspace: string;
  readonly query?: string;
  readonly fields?: string;
  readonly expand?: string;
  readonly sort?: string;
  readonly timezone?: string;
  readonly limit: string;
  readonly count: boolean;
  readonly format?: string;
  readonly as?: string;
}

const EXPLANATION = `
The condition is the JSON that POST /objects/{object_type}/records/query takes as "where"; without one,
all records. Fields behind a reference are named company_id.name, where --expand has company_id.

Examples:
  $ workspace-records query deals -w demo '{"field":"close_value","op":"gte","value":10000}' \\
      --fields name,close_value,company_id.name --expand company_id --sort -close_value --count
  $ workspace-records query deals -w demo --format jsonl --limit 5 \\
      '{"any":[{"field":"status","op":"eq","value":"won"},{"field":"company_id.sector","op":"eq","value":"retail"}]}'
`;

export function addQueryCommand(program: Command): void {
  program
    .command('query')
    .description(SUMMARIES.query)
    .argument('<object_type>', 'the object, such as deals')
    .argument('[where]', 'a condition as JSON')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('-q, --query <text>', 'text in the display field')
    .option('--fields <keys>', 'fields to show, joined by commas')
    .option('--expand <keys>', 'references whose records are shown too, joined by commas')
    .option('--sort <keys>', `1 to ${LIMITS.sortKeys} fields, joined by commas; "-" descends`)
    .option('--timezone <name>', 'of days and months in the condition (default: UTC)')
    .option('--limit <number>', 'records to show', String(LIMITS.defaultPageSize.records))
    .option('--count', 'say how many there are', false)
    .option('--format <format>', `${FORMATS.join(', ')} (default: table on a terminal, else jsonl)`)
    .option('--as <email>', 'with the rights of this person (default: everything)')
    .addHelpText('after', EXPLANATION)
    .action(printAnswer);
}

async function printAnswer(
  objectType: string,
  where: string | undefined,
  options: QueryArguments,
  command: Command,
): Promise<void> {
  const format = formatOf(options.format);
  const question = questionOf(where, options);
  const wrong = format === undefined ? `--format is one of ${FORMATS.join(', ')}` : undefined;
  const refused = wrong ?? (typeof question === 'string' ? question : undefined);
  if (refused !== undefined) return command.error(`error: ${refused}`, { exitCode: 2 });
  await withWorkspace(options.workspace, async (db, workspace) => {
    const model = await requireModel(db, workspace);
    const caller = await requireReader(db, model, options.as);
    const now = () => Date.now();
    const page = await explainRefusal(async () => {
      const { object, ...asked } = parseQuestion(question as Question, '', () =>
        requireObject(model, caller, objectType),
      );
      return readPage({ db, model, caller, now }, object, { endpoint: 'query', ...asked });
    });
    const { data, count, pagination } = presentPage(page, caller) as unknown as Answer;
    tell(textOf(format as Format, data, columnsOf(question as Question)));
    if (count !== undefined) {
      const most = count.relation === 'at_least' ? 'at least ' : '';
      remark(`${data.length} of ${most}${count.value} records.\n`);
    } else if (pagination.has_more) remark(`The first ${data.length}; --limit shows more.\n`);
  });
}

interface Shown {
  readonly id: string;
  readonly display: string | null;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly expanded?: Readonly<Record<string, (Shown & { readonly name?: string }) | null>>;
}

interface Answer {
  readonly data: readonly Shown[];
  readonly count?: { readonly value: number; readonly relation: string };
  readonly pagination: { readonly has_more: boolean };
}

function formatOf(given: string | undefined): Format | undefined {
  const name = given ?? (process.stdout.isTTY ? 'table' : 'jsonl');
  return FORMATS.find((format) => format === name);
}

/** The question, or the problem of the call. */
function questionOf(where: string | undefined, options: QueryArguments): Question | string {
  const parsed = where === undefined ? undefined : parseJson(where);
  if (where !== undefined && parsed === undefined) return 'the condition is not valid JSON';
  const limit = Number(options.limit);
  const { minimum, maximum } = LIMITS.pageSize;
  if (!Number.isInteger(limit) || limit < minimum || limit > maximum) {
    return `--limit takes ${minimum} to ${maximum}`;
  }
  const { query, timezone } = options;
  return {
    ...(parsed === undefined ? {} : { where: parsed }),
    ...(query === undefined ? {} : { query }),
    ...(timezone === undefined ? {} : { timezone }),
    ...listsOf(options),
    count: options.count ? 'exact' : 'none',
    limit,
  };
}

function listsOf({ fields, expand, sort }: QueryArguments): Partial<Question> {
  const keys = (text: string) => text.split(',').map((key) => key.trim());
  const sorted = (text: string) =>
    keys(text).map((key) =>
      key.startsWith('-')
        ? ({ field: key.slice(1), direction: 'desc' } as const)
        : ({ field: key, direction: 'asc' } as const),
    );
  return {
    ...(fields === undefined ? {} : { fields: keys(fields) }),
    ...(expand === undefined ? {} : { expand: keys(expand) }),
    ...(sort === undefined ? {} : { sort: sorted(sort) }),
  };
}

/** Without fields the names of the records, and of the records they refer to. */
function columnsOf({ fields = [], expand = [] }: Question): readonly string[] {
  const named = fields.map((key) => key.split('.')[0]);
  const whole = expand.filter((key) => !fields.some((field) => field.startsWith(`${key}.`)));
  return [...(named.length === 0 ? ['id', 'display'] : []), ...fields, ...whole];
}

function textOf(format: Format, data: readonly Shown[], columns: readonly string[]): string {
  if (format === 'jsonl') return data.map((record) => `${JSON.stringify(record)}\n`).join('');
  const print = format === 'csv' ? guarded : plain;
  const rows = data.map((record) => columns.map((column) => print(valueAt(record, column))));
  if (format === 'table') return table(columns, rows);
  const line = (cells: readonly string[]) => `${cells.map((cell) => csvCell(cell)).join(',')}\n`;
  return [columns, ...rows].map(line).join('');
}

function valueAt(record: Shown, column: string): unknown {
  const [key = '', behind] = column.split('.', 2);
  if (column === 'id' || column === 'display') return record[column];
  const other = record.expanded?.[key];
  if (behind !== undefined) return fieldOf(other, behind);
  if (other !== undefined) return other?.display ?? other?.name;
  return fieldOf(record, key);
}

function fieldOf(record: Shown | null | undefined, key: string): unknown {
  const { custom_fields: custom, ...fields } = record?.fields ?? {};
  return { ...(custom as object | undefined), ...fields }[key];
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that a spreadsheet would take for a formula has an apostrophe before it, as in exports. */
function guarded(value: unknown): string {
  return typeof value === 'string' ? guardText(value) : plain(value);
}
