// `import`: brings the rows of a CSV or JSON lines file into a workspace, as records or as comments.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { findWorkspace } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { type FileImportReport, importFile } from '../import/import-file.ts';
import { groupLine } from '../import/problem-groups.ts';
import { formatOf } from '../import/read-rows.ts';
import { rejectionLine } from '../import/reject-file.ts';
import { LIMITS } from '../limits.ts';
import { connect } from './connect.ts';
import { printable, remark, tell } from './say.ts';
import { SUMMARIES } from './summaries.ts';

interface ImportArguments {
  readonly workspace: string;
  readonly mapping?: string;
  readonly object?: string;
  readonly match?: string;
  readonly relationship?: string;
  readonly delimiter?: string;
  readonly raw: boolean;
  readonly dryRun: boolean;
  readonly onlyNew: boolean;
  readonly bulk: boolean;
  /** False: `--no-status`. */
  readonly status: boolean;
  readonly reject?: string;
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
    .argument('<file>', 'a file that ends in .csv, .tsv, .jsonl or .ndjson, in UTF-8')
    .requiredOption('-w, --workspace <slug>', 'the workspace')
    .option('--mapping <file>', 'the mapping file (YAML)')
    .option('--object <type>', 'the object type of the rows, when no mapping file says it')
    .option(
      '--match <keys>',
      `1 to ${LIMITS.matchKeys} fields, joined by commas, to find records by`,
    )
    .option('--relationship <id>', 'the rows are links of the object: record_id and target_id')
    .option('--delimiter <character>', 'CSV: the column separator; "tab" for a tab')
    .option('--raw', "CSV: leave an apostrophe before = + - @ in the text, as '=1+1", false)
    .option('--dry-run', 'check everything, but write nothing', false)
    .option('--only-new', 'do not change existing records', false)
    .option('--bulk', 'into an object without records: faster, all or nothing', false)
    .option('--no-status', 'ignore statuses: new records get the initial one')
    .option('--reject <file>', 'where to put rejected rows, to be mended and imported again')
    .option('--user <email>', 'the administrator who imports (default: the first one)')
    .option('--json', 'print the result as JSON', false)
    .addHelpText('after', EXPLANATION)
    .action(runCommand);
}

async function runCommand(file: string, options: ImportArguments, command: Command): Promise<void> {
  const match = options.match?.split(',').map((key) => key.trim());
  const wrong = wrongCall(file, options, match);
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
    const report = await importFile(db, {
      workspace,
      file,
      mapping: options.mapping,
      objectType: options.object,
      match,
      relationship: options.relationship,
      delimiter: delimiterOf(options),
      raw: options.raw,
      dryRun: options.dryRun,
      onlyNew: options.onlyNew,
      bulk: options.bulk,
      noStatus: !options.status,
      rejectFile: options.reject,
      user: options.user,
      output: process.stderr,
      onReject(rejection) {
        if (options.reject !== undefined || rejections.length === SHOWN_REJECTIONS) return;
        rejections.push(`${printable(rejectionLine(rejection))}\n`);
      },
    });
    remark(rejections.join(''));
    tell(options.json ? reportJson(report, options) : reportText(report, options));
    if (report.rejected > 0) process.exitCode = 1;
  } finally {
    await close();
  }
}

/** What is wrong with the call itself, before anything is opened. */
function wrongCall(
  file: string,
  { mapping, object, reject, ...options }: ImportArguments,
  match: readonly string[] | undefined,
): string | undefined {
  if (mapping === undefined && object === undefined) return '--object or --mapping is missing';
  if (match?.includes('') || (match?.length ?? 0) > LIMITS.matchKeys) {
    return `--match takes 1 to ${LIMITS.matchKeys} field keys joined by commas`;
  }
  if ((delimiterOf(options)?.length ?? 1) !== 1) return '--delimiter takes one character, or tab';
  if (formatOf(file) === undefined) return 'the file must end in .csv, .tsv, .jsonl or .ndjson';
  if (options.bulk && options.dryRun) return '--dry-run says the same without --bulk';
  if (options.bulk && options.relationship !== undefined) return '--bulk imports records, no links';
  const sources = [file, ...(mapping === undefined ? [] : [mapping])].map((path) => resolve(path));
  if (reject !== undefined && sources.includes(resolve(reject))) {
    return '--reject would overwrite a file that is read';
  }
  return undefined;
}

function delimiterOf({ delimiter }: Pick<ImportArguments, 'delimiter'>): string | undefined {
  return delimiter === 'tab' ? '\t' : delimiter;
}

function reportJson(report: FileImportReport, options: ImportArguments): string {
  const { workspace, dryRun, reject = null } = options;
  const seconds = Number(report.seconds.toFixed(3));
  const answer = { workspace, dry_run: dryRun, ...report, seconds, reject_file: reject };
  return `${JSON.stringify(answer, null, 2)}\n`;
}

function reportText(report: FileImportReport, { dryRun, reject }: ImportArguments): string {
  const { object_type, read, created, updated, unchanged, skipped, rejected, blank } = report;
  const { status_kept: kept, unused_columns } = report;
  const rows =
    { records: '', comments: 'comments on ', links: 'links of ' }[report.rows_are] + object_type;
  const would = dryRun ? 'would be ' : '';
  const rate = (read / report.seconds).toFixed(0);
  const lines = [
    ...(unused_columns.length === 0
      ? []
      : [printable(`Not imported: ${unused_columns.join(', ')}.`)]),
    `${rows}: ${read} rows read, ${would}${created} created, ${updated} updated, ` +
      `${unchanged} unchanged, ${unless0(skipped, 'skipped')}${unless0(blank, 'blank')}${rejected} rejected ` +
      `(${report.seconds.toFixed(1)} s, ${rate} rows/s).`,
    ...(kept === 0
      ? []
      : [`${kept} of these have another status in the file and ${keep(dryRun)}.`]),
    ...groupLines(report),
    ...(dryRun ? ['Nothing was written (dry run).'] : []),
    ...(rejected > 0 ? [reject === undefined ? MORE_REJECTIONS : `Rejected rows: ${reject}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

const keep = (dryRun: boolean) => (dryRun ? 'would keep their own' : 'have kept their own');

function unless0(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}, `;
}

/** What many rows have in common; problems of single rows were told one by one. */
function groupLines({ problem_groups: groups }: FileImportReport): readonly string[] {
  return groups.flatMap((group) => (group.rows > 1 ? [`  ${printable(groupLine(group))}`] : []));
}

const MORE_REJECTIONS = 'Add --reject FILE to have all rejected rows in a file.';
