// `import`: brings the rows of files into a workspace, as records or as comments.

import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ENCODINGS, type Encoding } from '../../../packages/tables/src/encoding-names.ts';
import { PRODUCTS } from '../../../packages/tables/src/presets/find-preset.ts';
import { CHANGE_TEXTS } from '../../../packages/tables/src/spreadsheet-changes.ts';
import { findWorkspace } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import { type FileImport, type FileImportReport, importFiles } from '../../import/import-file.ts';
import { leftOutText } from '../../import/import-report.ts';
import type { Rejection } from '../../import/import-request.ts';
import { groupLine } from '../../import/problem-groups.ts';
import { rejectionLine } from '../../import/reject-file.ts';
import { ENDINGS_TEXT, formatOf, type WrittenChoices } from '../../import/rows/read-rows.ts';
import { LIMITS } from '../../limits.ts';
import { connect } from '../connect.ts';
import { guessMapping } from '../guess-mapping.ts';
import { collect } from '../repeated-option.ts';
import { printable, remark, tell, tellJson } from '../say.ts';
import { SUMMARIES } from './summaries.ts';

interface ImportArguments {
  readonly workspace: string;
  readonly mapping: readonly string[];
  readonly preset?: string;
  readonly object?: string;
  readonly match?: string;
  readonly relationship?: string;
  readonly delimiter?: string;
  readonly encoding?: Encoding;
  readonly skipLines?: number;
  readonly sheet?: string;
  readonly raw: boolean;
  readonly dryRun: boolean;
  readonly guess: boolean;
  readonly onlyNew: boolean;
  readonly bulk: boolean;
  /** False: `--no-status`. */
  readonly status: boolean;
  readonly reject: readonly string[];
  readonly user?: string;
  readonly json: boolean;
}

const EXPLANATION = `
Without a mapping file, columns go to the fields of the same name. With match keys, a row updates
the record that has the same values, or creates a new one. A column "id" works in the same way and keeps
the ids of an export. Without match keys and ids, every row creates a record, and a second run of the
same command recognises these records. An empty cell clears its field. The command reports rows that it
cannot import, imports all others, and then exits with 1.

Examples:
  $ workspace-records import --workspace demo --object products --match name products.csv
  $ workspace-records import --workspace demo --mapping deals.mapping.yaml --dry-run deals.csv

Several files are imported one after the other, each with a mapping of its own: rows may refer to records of files
before theirs, and a dry run knows these.
  $ workspace-records import --workspace demo companies.csv contacts.csv \
      --mapping companies.mapping.yaml --mapping contacts.mapping.yaml

A mapping file says what each column becomes: fields, custom_fields.<key>, status, owner_user_id,
created_at, updated_at, created_by_user_id, and the public_id of work items.
  object_type: deals
  match: [opportunity_id]
  delimiter: ";"                       # CSV only; a comma when left out
  columns:
    opportunity_id: opportunity_id
    agent: { field: owner_user_id, user: email, fallback: null }  # or user: name; null: nobody
    account: { field: company_id, lookup: { object_type: companies, field: name } }
    stage: { field: status, values: { Won: won, Lost: lost } }
    tags: { field: tags, separator: "," }                 # multi_select; ";" when left out
    opened: [opened_on, created_at]                       # one column, two fields
  fields:
    name: { template: "{opportunity_id}[ – {account}]" }  # […] only when account is not empty
    source: { constant: old CRM }

With comments_on in place of object_type, rows become comments. A comment that was imported before is
left as it is.
  comments_on: deals
  columns:
    deal: { field: record_id, lookup: { object_type: deals, field: opportunity_id } }
    no: id
    who: { field: author_user_id, user: email, fallback: former@acme.example }
    text: body
    when: created_at                                      # updated_at, mention_user_ids
`;

/** Rejected rows shown on the terminal when there is no reject file. */
const SHOWN_REJECTIONS = 10;

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(SUMMARIES.import)
    .argument('<files...>', `files that end in ${ENDINGS_TEXT}`)
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--mapping <file>', 'the mapping file (YAML); once for each file', collect, [])
    .addOption(
      new Option(
        '--preset <name>',
        'the program that wrote the file, in place of a mapping',
      ).choices(['auto', ...PRODUCTS]),
    )
    .option('--object <type>', 'the object type of the rows, when no mapping file says it')
    .option(
      '--match <keys>',
      `1 to ${LIMITS.matchKeys} fields, joined by commas, to find records by`,
    )
    .option('--relationship <id>', 'the rows are links of the object: record_id and target_id')
    .option('--delimiter <character>', 'CSV: the column separator; "tab" for a tab')
    .addOption(
      new Option(
        '--encoding <name>',
        'encoding of the file, such as windows-1251 (default: UTF-8)',
      ).choices(ENCODINGS),
    )
    .option('--skip-lines <number>', 'CSV: lines before the header', parseCount)
    .option(
      '--sheet <name>',
      'sheet of a workbook, or list of a JSON object (default: the first with rows)',
    )
    .option('--raw', 'CSV: keep spaces around values, and an apostrophe before = + - @', false)
    .option('--dry-run', 'check everything, but write nothing', false)
    .option('--guess', 'print a mapping for the file as it is found, and import nothing', false)
    .option('--only-new', 'do not change existing records', false)
    .option('--bulk', 'into an object without records: faster, all or nothing', false)
    .option('--no-status', 'ignore statuses: new records get the initial one')
    .option(
      '--reject <file>',
      'where to put rejected rows, to be mended and imported again; once for each file',
      collect,
      [],
    )
    .option('--user <email>', 'the administrator who imports (default: the first one)')
    .option('--json', 'print the result as JSON', false)
    .addHelpText('after', EXPLANATION)
    .action(runCommand);
}

async function runCommand(
  files: readonly [string, ...string[]],
  options: ImportArguments,
  command: Command,
): Promise<void> {
  if (options.guess) return tellGuess(files, options);
  const match = options.match?.split(',').map((key) => key.trim());
  const wrong = wrongFiles(files, options) ?? wrongCall(options, match);
  if (wrong !== undefined) command.error(`error: ${wrong}`, { exitCode: 2 });
  const { db, close } = await connect({ purpose: 'command' });
  try {
    const workspace = await findWorkspace(db, options.workspace);
    if (workspace === undefined) {
      throw operatorError(
        `There is no workspace "${options.workspace}"; "workspaces list" shows all.`,
      );
    }
    const rejections: string[] = [];
    const [first, ...otherFiles] = files.map((file, index) => ({
      ...{ ...requestOf(options, match), workspace, file },
      mapping: options.mapping[index],
      rejectFile: options.reject[index],
      onReject(rejection: Rejection) {
        if (options.reject.length > 0 || rejections.length === SHOWN_REJECTIONS) return;
        const where = files.length === 1 ? '' : `${file} `;
        rejections.push(`${printable(`${where}${rejectionLine(rejection, file)}`)}\n`);
      },
    }));
    await tellReports(importFiles(db, [first as FileImport, ...otherFiles]), options, rejections);
  } finally {
    await close();
  }
}

/** A mapping of each file, to be corrected. */
async function tellGuess(files: readonly string[], options: ImportArguments): Promise<void> {
  const { encoding, delimiter, skip_lines: skipLines, sheet } = writtenOf(options);
  for (const file of files) {
    tell(await guessMapping(file, options.object, { encoding, delimiter, skipLines, sheet }));
  }
}

function requestOf(options: ImportArguments, match: readonly string[] | undefined) {
  return {
    preset: options.preset,
    objectType: options.object,
    match,
    relationship: options.relationship,
    written: writtenOf(options),
    raw: options.raw,
    dryRun: options.dryRun,
    onlyNew: options.onlyNew,
    bulk: options.bulk,
    noStatus: !options.status,
    user: options.user,
    output: process.stderr,
  };
}

/** Each as soon as it is there, for a later file may stop the import; JSON is one document. */
async function tellReports(
  reports: AsyncIterable<FileImportReport>,
  options: ImportArguments,
  shown: string[],
): Promise<void> {
  const jsonReports: object[] = [];
  for await (const report of reports) {
    const reject = options.reject[jsonReports.length];
    remark(shown.splice(0).join(''));
    if (options.json) jsonReports.push(jsonOf(report, reject));
    else {
      jsonReports.push(report);
      tell(reportText(report, options.dryRun, reject));
    }
    if (report.rejected > 0) process.exitCode = 1;
  }
  if (!options.json) return;
  const about = { workspace: options.workspace, dry_run: options.dryRun };
  const [only, another] = jsonReports;
  const answer = another === undefined ? { ...about, ...only } : { ...about, files: jsonReports };
  tellJson(answer);
}

/** The problem with the files of the call, before any is opened. */
function wrongFiles(
  files: readonly string[],
  { mapping, preset, object, match, relationship, bulk, reject }: ImportArguments,
): string | undefined {
  if (preset !== undefined && (mapping.length > 0 || relationship !== undefined)) {
    return '--preset is in place of --mapping and --relationship';
  }
  if (mapping.length === 0 && object === undefined && preset === undefined) {
    return '--object, --mapping or --preset is missing';
  }
  const isAlone = [object, match, relationship].some((given) => given !== undefined) || bulk;
  if (files.length > LIMITS.importFiles) return `at most ${LIMITS.importFiles} files at once`;
  if (files.length > 1 && isAlone) {
    return 'several files take --mapping; --object, --match, --relationship and --bulk are for one';
  }
  const isOptional = preset !== undefined || (files.length === 1 && mapping.length === 0);
  if (mapping.length !== files.length && !isOptional) return 'each file needs one --mapping';
  if (reject.length > 0 && reject.length !== files.length) return 'each file needs one --reject';
  const isUnknown = files.some((file) => formatOf(file) === undefined);
  if (isUnknown) return `the file must end in ${ENDINGS_TEXT}`;
  const sources = [...files, ...mapping].map((path) => resolve(path));
  const targets = reject.map((path) => resolve(path));
  if (targets.some((path) => sources.includes(path))) {
    return '--reject would overwrite a file that is read';
  }
  return new Set(targets).size < targets.length ? '--reject names a file twice' : undefined;
}

function wrongCall(
  options: ImportArguments,
  match: readonly string[] | undefined,
): string | undefined {
  if (match?.includes('') || (match?.length ?? 0) > LIMITS.matchKeys) {
    return `--match takes 1 to ${LIMITS.matchKeys} field keys joined by commas`;
  }
  if ((delimiterOf(options)?.length ?? 1) !== 1) return '--delimiter takes one character, or tab';
  if (options.bulk && options.dryRun) return '--dry-run says the same without --bulk';
  if (options.bulk && options.relationship !== undefined) return '--bulk imports records, no links';
  return undefined;
}

function parseCount(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It is a number such as 3.');
  return Number(text);
}

/** The choices that override the mapping. */
function writtenOf(options: ImportArguments): WrittenChoices {
  const { encoding, skipLines, sheet } = options;
  const delimiter = delimiterOf(options);
  return {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(skipLines === undefined ? {} : { skip_lines: skipLines }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

function delimiterOf({ delimiter }: Pick<ImportArguments, 'delimiter'>): string | undefined {
  return delimiter === 'tab' ? '\t' : delimiter;
}

function jsonOf(report: FileImportReport, reject_file: string | null = null): object {
  return { ...report, seconds: Number(report.seconds.toFixed(3)), reject_file };
}

function reportText(report: FileImportReport, dryRun: boolean, reject: string | undefined): string {
  const { object_type, read, created, updated, unchanged, skipped, rejected, blank } = report;
  const { status_kept: keptCount, unused_columns, left_out } = report;
  const rows =
    { records: '', comments: 'comments on ', links: 'links of ' }[report.rows_are] + object_type;
  const would = dryRun ? 'would be ' : '';
  const rate = (read / report.seconds).toFixed(0);
  const lines = [
    ...[unused_columns.join(', '), leftOutText(left_out)].flatMap((names) =>
      names === '' ? [] : [printable(`Not imported: ${names}.`)],
    ),
    `${rows}: ${read} rows read, ${would}${created} created, ${updated} updated, ` +
      `${unchanged} unchanged, ${unless0(skipped, 'skipped')}${unless0(blank, 'blank')}${rejected} rejected ` +
      `(${report.seconds.toFixed(1)} s, ${rate} rows/s).`,
    ...(keptCount === 0
      ? []
      : [`${keptCount} of these have another status in the file and ${keep(dryRun)}.`]),
    ...groupLines(report),
    ...report.emptied_values.map(
      ({ field, values, names }) =>
        `  ${values} values of ${field} were not found or do not fit, and are left out: ${printable(names.join(', '))}`,
    ),
    ...report.changed_values.map(
      ({ field, change, values, example }) =>
        `  ${values} values of ${field} ${CHANGE_TEXTS[change]}. ${printable(`Such as: ${example}`)}`,
    ),
    ...(dryRun ? ['Nothing was written (dry run).'] : []),
    ...(rejected > 0 ? [reject === undefined ? MORE_REJECTIONS : `Rejected rows: ${reject}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

const keep = (dryRun: boolean) => (dryRun ? 'would keep their own' : 'have kept their own');

function unless0(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}, `;
}

/** Problems that many rows share; problems of single rows were reported one by one. */
function groupLines({ problem_groups: groups }: FileImportReport): readonly string[] {
  return groups.flatMap((group) => (group.rows > 1 ? [`  ${printable(groupLine(group))}`] : []));
}

const MORE_REJECTIONS = 'Add --reject FILE to have all rejected rows in a file.';
