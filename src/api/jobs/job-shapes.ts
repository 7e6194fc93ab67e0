// Jobs as their authors see them: state, times, counts, problems by row. Each kind lists the parts of its input and
// progress that are shown; the other kinds show none.

import Type, { type Static } from 'typebox';
import { CHANGE_TEXTS } from '../../../packages/tables/src/spreadsheet-changes.ts';
import type { RefusedRecord } from '../../control/jobs/bulk-rows.ts';
import type { FileOfJob, RejectedLine } from '../../control/jobs/import-rows.ts';
import {
  BULK_JOBS,
  DUPLICATE_JOBS,
  ERASURE_JOBS,
  EXPORT_JOBS,
  IMPORT_JOBS,
  REPLAY_JOBS,
  WORKSPACE_EXPORT_JOBS,
} from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import { ERASED_PLACES } from '../../flow/jobs/erasure-job.ts';
import type { Answer } from '../../flow/records/idempotency.ts';
import { say } from '../../messages/message.ts';
import { ImportMapping } from '../../model/text/mapping-shape.ts';
import { nullable } from '../shapes.ts';

const Moment = Type.String({ format: 'date-time' });
const OF_READERS = 'Only with the scope `records:read`.';

const fileNumber = Type.Optional(
  Type.Integer({ description: 'The number of the file in an import of several, from 1.' }),
);

const RowProblem = Type.Object(
  {
    file: fileNumber,
    line: Type.Optional(
      Type.Integer({ description: 'Of an import: the first line of the row in the file, from 1.' }),
    ),
    record_id: Type.Optional(
      Type.String({ description: 'The record of a bulk change or an erasure.' }),
    ),
    field: Type.String({ description: 'Empty: the row or record as a whole.' }),
    reason: Type.String(),
  },
  { $id: 'RowProblem' },
);

const ProblemGroup = Type.Object(
  {
    file: fileNumber,
    field: Type.String({ description: 'Empty: the row as a whole.' }),
    reason: Type.String(),
    rows: Type.Integer({ description: 'The number of rows that have the problem.' }),
    line: Type.Integer({ description: 'The line of the first of these rows.' }),
    example: Type.Optional(
      Type.String({
        description: 'The text of the cell; only for the person who started the import.',
      }),
    ),
  },
  { $id: 'ProblemGroup' },
);

const DoubleRow = Type.Object(
  {
    file: fileNumber,
    line: Type.Integer(),
    first_line: Type.Integer({
      description: 'The line of the first row with the same match values.',
    }),
    value: Type.String({ description: 'The match values.' }),
  },
  { $id: 'DoubleRow' },
);

const ChangedValues = Type.Object(
  {
    file: fileNumber,
    field: Type.String(),
    change: Type.Enum(Object.keys(CHANGE_TEXTS), {
      description: `The kind of change: values ${Object.entries(CHANGE_TEXTS)
        .map(([change, text]) => `${text} (\`${change}\`)`)
        .join(', ')}.`,
    }),
    values: Type.Integer({ description: 'The number of such values.' }),
    example: Type.String({ description: 'The first of these values.' }),
  },
  { $id: 'ChangedValues' },
);

const EmptiedValues = Type.Object(
  {
    file: fileNumber,
    field: Type.String(),
    values: Type.Integer({ description: 'The number of such values.' }),
    names: Type.Array(Type.String(), { description: 'The first of these values, each once.' }),
  },
  { $id: 'EmptiedValues' },
);

const JobProgress = Type.Object({
  done: Type.Integer(),
  total: nullable(
    Type.Integer({ description: 'What `done` is at the end; null while it is not known.' }),
  ),
});

const Counts = Type.Record(Type.String(), Type.Integer(), {
  description:
    'Of an import: created, updated, unchanged, rejected and others; of a bulk change: changed, unchanged, refused; of an erasure: what it has removed, by place; of a workspace: records, files, bytes and others.',
});

const FileOfImport = Type.Object(
  {
    file_id: Type.String(),
    file_name: Type.Optional(Type.String({ description: OF_READERS })),
    object_type: Type.Optional(Type.String()),
    comments_on: Type.Optional(Type.String()),
    links_of: Type.Optional(Type.String()),
    /** The mapping as it was sent: once the import has ended, for the person who started it. */
    mapping: Type.Optional(ImportMapping),
    progress: JobProgress,
    counts: Counts,
  },
  { $id: 'FileOfImport' },
);

const job = {
  id: Type.String(),
  kind: Type.String({
    description:
      '`import`, `export`, `bulk`, `duplicates`, `erasure`, `webhook_replay`, `workspace_export`, or work of the service itself.',
  }),
  state: Type.Enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  asked_by_user_id: nullable(Type.Integer()),
  cancel_requested: Type.Boolean({
    description: 'True: the job is to end; one that runs ends soon.',
  }),
  created_at: Moment,
  started_at: nullable(Moment),
  finished_at: nullable(Moment),
  about: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The parameters of the job: `object_type`, `format`, `dry_run` and others.',
  }),
  progress: nullable(JobProgress),
  counts: Counts,
  notes: Type.Array(Type.String(), {
    description: `Notes for the person who started the job. ${OF_READERS}`,
  }),
  changes_cursor: Type.Optional(
    Type.String({
      description:
        'Of an export: `GET /changes` continues from here. Once the job runs, exactly the moment that the file shows.',
    }),
  ),
  error: nullable(
    Type.String({
      description: `Why it has failed, or fails so far; without the scope \`records:read\` only that it does.`,
    }),
  ),
};

export const JobSummary = Type.Object(job, { $id: 'JobSummary' });

export const JobDetails = Type.Object(
  {
    ...job,
    files: Type.Array(FileOfImport, {
      description:
        'Of an import, once its files are read: how far each of them is, in their order.',
    }),
    problems: Type.Array(RowProblem, {
      description: `The first rows that were not imported, or records that were not changed. ${OF_READERS}`,
    }),
    problem_groups: Type.Array(ProblemGroup, {
      description: `The problems of an import, the most frequent first. ${OF_READERS}`,
    }),
    doubles: Type.Array(DoubleRow, {
      description:
        'Of a dry run: the first rows with the match values of an earlier row, for the person who started it. Only with the scope `records:read`.',
    }),
    changed_values: Type.Array(ChangedValues, {
      description:
        'Of a dry run: values that a spreadsheet may have changed, by field, for the person who started it. Only with the scope `records:read`.',
    }),
    emptied_values: Type.Array(EmptiedValues, {
      description:
        'Of an import: values that name no record or person (`fallback: null`) or do not fit (`unfit_values: leave_out`), without which rows are written, for the person who started it. Only with the scope `records:read`.',
    }),
    more_problems: Type.Boolean({
      description: 'True: there are others; those of an import are in its file of rejects.',
    }),
  },
  { $id: 'JobDetails' },
);

/** The part of the input that a kind shows. */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  [IMPORT_JOBS]: [
    ...['object_type', 'comments_on', 'links_of', 'file_id', 'file_name', 'file_count'],
    ...['dry_run', 'only_new', 'no_status'],
  ],
  [EXPORT_JOBS]: ['object_type', 'relationship', 'format'],
  [BULK_JOBS]: ['object_type', 'action', 'expected_count'],
  [REPLAY_JOBS]: ['webhook_id', 'since', 'until'],
  [DUPLICATE_JOBS]: ['object_type'],
  [ERASURE_JOBS]: ['object_type', 'record_id', 'record_count', 'dry_run'],
  [WORKSPACE_EXPORT_JOBS]: [],
};
/** The part of the progress that a kind shows, as numbers. */
const COUNTS: Readonly<Record<string, readonly string[]>> = {
  [IMPORT_JOBS]: [
    ...['created', 'updated', 'unchanged', 'skipped', 'rejected', 'blank', 'status_kept'],
    'doubles',
  ],
  [EXPORT_JOBS]: ['bytes'],
  [BULK_JOBS]: ['changed', 'unchanged', 'refused'],
  [REPLAY_JOBS]: ['replayed'],
  [DUPLICATE_JOBS]: ['groups_found'],
  [ERASURE_JOBS]: ERASED_PLACES,
  [WORKSPACE_EXPORT_JOBS]: ['bytes', 'records', 'files', 'missing_files', 'api_keys'],
};

/** Texts of a job quote files and values: names of files, notes and reasons are for callers who may read records. */
export function presentJob(row: JobRow, mayRead: boolean) {
  const { kind, input, progress } = row;
  const { file_name, ...about } = picked(input, ABOUT[kind]);
  return {
    id: row.id,
    kind,
    state: row.state,
    asked_by_user_id: row.asked_by_user_id,
    cancel_requested: row.cancel_requested,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    about: mayRead && file_name !== undefined ? { ...about, file_name } : about,
    progress: progressOf(row),
    counts: picked(progress, COUNTS[kind]),
    notes: mayRead && ABOUT[kind] !== undefined ? (progress.notes ?? []) : [],
    ...changesCursorOf(row),
    error: errorOf(row, mayRead),
  };
}

function changesCursorOf({ input, progress }: JobRow) {
  const changes_cursor = progress.changes_cursor ?? input.changes_cursor;
  return changes_cursor === undefined ? {} : { changes_cursor: String(changes_cursor) };
}

/** The answer to its author. */
export function answerWithJob(row: JobRow): Answer {
  return { status: 202, body: { data: presentJob(row, true) }, fields: [] };
}

type RejectedRow = RejectedLine & Pick<FileOfJob, 'file'>;

interface FoundDetails {
  /** One more than is shown, when there are so many. */
  readonly rejects: readonly (RejectedRow | RefusedRecord)[];
  readonly most: number;
  /** The mappings of the files of an import, for their sender. */
  readonly mappings: readonly unknown[];
}

/**
 * `reader`: the user who requests it; undefined when their key may not read records. Problems of a row quote its
 * values. The example of a group is for the author of the import.
 */
export function presentJobDetails(
  row: JobRow,
  { rejects, most, mappings }: FoundDetails,
  reader: number | undefined,
) {
  const mayRead = reader !== undefined;
  const files = filesOf(row, mappings, mayRead);
  const problems = rejects.slice(0, most).flatMap((one) => problemsOf(one, files.length));
  const problem_groups = mayRead ? groupsFor(row, reader) : [];
  const more_problems = rejects.length > most;
  const isAuthor = row.asked_by_user_id === reader;
  const {
    double_rows: doubles = [],
    changed_values = [],
    emptied_values = [],
  } = isAuthor ? row.progress : {};
  const details = { files, problems, problem_groups, doubles, changed_values, emptied_values };
  return { ...presentJob(row, mayRead), ...details, more_problems };
}

function groupsFor({ progress, asked_by_user_id }: JobRow, reader: number) {
  const groups = (progress.groups ?? []) as readonly Static<typeof ProblemGroup>[];
  return groups.map(({ example, ...group }) =>
    asked_by_user_id === reader && example !== undefined ? { ...group, example } : group,
  );
}

function problemsOf(rejected: RejectedRow | RefusedRecord, files: number): readonly object[] {
  if ('record_id' in rejected) return [rejected];
  const { file, line, problems } = rejected;
  const place = files > 1 ? { file: file + 1, line } : { line };
  return problems.map((problem) => ({ ...place, ...problem }));
}

interface FileProgress {
  readonly about: Readonly<Record<string, string>>;
  readonly total: number;
  /** Once it is done. */
  readonly counts?: Readonly<Record<string, number>>;
}

/** Counts beyond those of the finished files belong to the next file. */
function filesOf({ kind, progress }: JobRow, mappings: readonly unknown[], mayRead: boolean) {
  if (kind !== IMPORT_JOBS) return [];
  const files = (progress.files ?? []) as readonly FileProgress[];
  const finished = files.flatMap(({ counts }) => (counts === undefined ? [] : [counts]));
  return files.map(({ about, total, counts }, index) => {
    const countOf = (name: string) => {
      if (counts !== undefined) return counts[name] ?? 0;
      if (index > finished.length) return 0;
      return finished.reduce((rest, own) => rest - (own[name] ?? 0), Number(progress[name] ?? 0));
    };
    const countEntries = (COUNTS[kind] ?? [])
      .map((name) => [name, countOf(name)] as const)
      .filter(([name, count]) => name !== 'doubles' || count > 0);
    const { file_name, ...rest } = about;
    return {
      ...(mayRead ? about : rest),
      ...(mappings[index] === undefined ? {} : { mapping: mappings[index] }),
      progress: { done: countOf('done'), total },
      counts: Object.fromEntries(countEntries),
    };
  });
}

function picked(
  from: Readonly<Record<string, unknown>>,
  names: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
}

function progressOf({ kind, progress }: JobRow) {
  if (ABOUT[kind] === undefined || progress.done === undefined) return null;
  return { done: Number(progress.done), total: progress.total ?? null };
}

/** Messages of internal failures are for the operator. */
function errorOf({ kind, error, progress, state }: JobRow, mayRead: boolean): string | null {
  const hasReason = ABOUT[kind] !== undefined && typeof progress.reason === 'string';
  if (hasReason && mayRead) return progress.reason as string;
  if (hasReason) return say('job_reason_hidden').text;
  if (error === null) return null;
  return state === 'failed'
    ? 'The job failed because of an internal error.'
    : 'The job failed and will be retried.';
}
