// `export`: the records of one object, those a filter selects, to a CSV, JSON lines, Excel or vCard file.

import { extname } from 'node:path';
import type { Command } from 'commander';
import type { Problems } from '../../errors.ts';
import { exportRecords, type RecordExport } from '../../export/export-records.ts';
import { LIMITS } from '../../limits.ts';
import type { QueryFilter } from '../../plan/read/filter.ts';
import { parseSort } from '../../plan/read/record-query.ts';
import {
  counted,
  openOutput,
  requireNoTerminal,
  STANDARD,
  secondsSince,
  watchRows,
} from '../export-output.ts';
import { parseJson } from '../json-option.ts';
import { collect } from '../repeated-option.ts';
import { remark } from '../say.ts';
import { withWorkspace } from '../with-workspace.ts';
import { SUMMARIES } from './summaries.ts';

interface ExportArguments {
  readonly workspace: string;
  readonly out: string;
  readonly format?: string;
  readonly filter: readonly string[];
  readonly where?: string;
  readonly query?: string;
  readonly relationship?: string;
  readonly fields?: string;
  readonly sort?: string;
  readonly as?: string;
  readonly raw: boolean;
  readonly bom: boolean;
  readonly names: boolean;
  readonly force: boolean;
}

const EXPLANATION = `
Exports all records of the object as of one moment, in the order of their creation. "import" creates the
same records from the file, in a workspace with the same definition: it needs no mapping, keeps the ids,
and finds people by their addresses.

Examples:
  $ workspace-records export deals -w demo --out deals.csv
  $ workspace-records export deals -w demo --filter status=won --filter 'close_value[gte]=1000' \\
      --fields name,close_value,owner_user_id --sort -close_value --out won.jsonl
  $ workspace-records import -w copy --object deals deals.csv

Filters and sort keys are those of the API. In a CSV file an apostrophe stands before text that a
spreadsheet would take for a formula; "import" takes it away.
`;

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(SUMMARIES.export)
    .argument('<object_type>', 'the object, such as deals')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .requiredOption(
      '-o, --out <file>',
      'a file that ends in .csv, .jsonl, .xlsx or .vcf; "-": standard output',
    )
    .option('--filter <field=value>', 'or field[op]=value; may be repeated', collect, [])
    .option('--where <json>', 'a condition, as queryRecords takes it')
    .option('-q, --query <text>', 'text in the display field')
    .option(
      '--relationship <id>',
      'links of the object in place of its records: record_id and target_id of each',
    )
    .option('--fields <keys>', 'fields in this order, joined by commas (default: all)')
    .option('--sort <keys>', `1 to ${LIMITS.sortKeys} fields, joined by commas; "-" descends`)
    .option('--format <format>', 'csv, jsonl, xlsx or vcf, whatever the name of the file says')
    .option('--as <email>', 'only what this person may read (default: everything)')
    .option('--raw', 'CSV: do not protect text that a spreadsheet would calculate', false)
    .option(
      '--names',
      'CSV and Excel: labels of options and names of records in place of values and ids',
      false,
    )
    .option('--bom', 'CSV: start with a byte-order mark, so that Excel reads UTF-8', false)
    .option('--force', 'replace a file that is there', false)
    .addHelpText('after', EXPLANATION)
    .action(exportToFile);
}

async function exportToFile(
  objectType: string,
  options: ExportArguments,
  command: Command,
): Promise<void> {
  const parsed = parseCall(options);
  if (typeof parsed === 'string') return command.error(`error: ${parsed}`, { exitCode: 2 });
  const { out, force, workspace: slug } = options;
  if (parsed.format === 'xlsx') requireNoTerminal(out, command);
  const output = await openOutput(out, force);
  const { onRows, finish } = watchRows(`Exporting ${objectType}`);
  const started = performance.now();
  try {
    await withWorkspace(slug, async (db, workspace) => {
      const request = { ...parsed, workspace, objectType, onRows };
      const { rows, left_out } = await exportRecords(db, request, output.write);
      finish();
      const what = counted(rows, options.relationship === undefined ? 'record' : 'link');
      const text = `Exported ${what} of ${objectType}${output.keep()}`;
      output.tell(`${text} (${secondsSince(started)} s).\n`);
      if (left_out.length === 0) return;
      const who = options.as ?? 'an export';
      remark(`Note: left out, because ${who} may not read them: ${left_out.join(', ')}.\n`);
    });
  } finally {
    output.discard();
  }
}

type ExportRequest = Omit<RecordExport, 'workspace' | 'objectType' | 'onRows'>;

/** The request, or the problem of the call itself. */
function parseCall(options: ExportArguments): ExportRequest | string {
  const { out, raw, bom, names, query: text, as, relationship } = options;
  const format = formatOf(options.format ?? (out === STANDARD ? 'csv' : extname(out).slice(1)));
  if (format === undefined)
    return 'the file must end in .csv, .jsonl, .xlsx or .vcf, or --format must say which it is';
  const filters = options.filter.map(parseFilter);
  const wrong = filters.indexOf(undefined);
  if (wrong >= 0)
    return `--filter takes field=value or field[op]=value, not ${options.filter[wrong]}`;
  const fields = options.fields?.split(',').map((key) => key.trim());
  if (fields?.includes('')) return '--fields takes field keys joined by commas';
  const problems: Problems = [];
  const sort = parseSort(options.sort, problems);
  const [problem] = problems;
  if (problem !== undefined) return `--sort: ${problem.message.text}`;
  const where = options.where === undefined ? undefined : parseJson(options.where);
  if (options.where !== undefined && where === undefined) return '--where is not valid JSON';
  const known = filters.flatMap((filter) => filter ?? []);
  return { format, raw, bom, names, as, filters: known, text, where, relationship, fields, sort };
}

const FORMATS = ['csv', 'jsonl', 'xlsx', 'vcf'] as const;

function formatOf(name: string): RecordExport['format'] | undefined {
  const format = name.toLowerCase();
  if (format === 'ndjson') return 'jsonl';
  return FORMATS.find((known) => known === format);
}

const FILTER = /^([^[\]=]+)(?:\[([^[\]=]+)\])?=(.*)$/s;

/** A filter as `filter[field][op]=value` of the API has it; undefined when the text is not a filter. */
function parseFilter(given: string): QueryFilter | undefined {
  const [, field, operator, value = ''] = FILTER.exec(given) ?? [];
  if (field === undefined) return undefined;
  const path = operator === undefined ? [field] : [field, operator];
  return { param: `filter${path.map((part) => `[${part}]`).join('')}`, path, value };
}
