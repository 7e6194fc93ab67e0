// Jobs in words. Pure.

import type { JobDetails, JobSummary } from '@workspace-records/client';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';
import type { ImportedFile } from '../../lib/reject-rows.ts';

type State = JobSummary['state'];

interface Shown {
  readonly label: PlainKey;
  readonly tone: 'good' | 'quiet' | 'busy' | 'bad';
}

export const STATES: Readonly<Record<State, Shown>> = {
  queued: { label: 'jobs.queued', tone: 'quiet' },
  running: { label: 'jobs.running', tone: 'busy' },
  done: { label: 'jobs.done', tone: 'good' },
  failed: { label: 'jobs.failed', tone: 'bad' },
  cancelled: { label: 'jobs.cancelled', tone: 'quiet' },
};

const KINDS: Readonly<Record<string, PlainKey>> = {
  import: 'jobs.import',
  export: 'jobs.export',
  bulk: 'jobs.bulk',
  webhook_replay: 'jobs.replay',
  duplicates: 'jobs.duplicates',
  erasure: 'jobs.erasure',
  workspace_export: 'jobs.workspace',
};

/** Jobs that people start; others are work of the service itself. */
export function isOfPeople({ kind }: Pick<JobSummary, 'kind'>): boolean {
  return Object.hasOwn(KINDS, kind);
}

/** A title such as `Import into Companies`. `nameOf` returns the name of an object. */
export function titleOf(
  { kind, about }: Pick<JobSummary, 'kind' | 'about'>,
  nameOf: (objectType: string) => string,
  t: Translate,
): string {
  const type = objectTypeOf({ about });
  const name = type === undefined ? '' : nameOf(type);
  if (kind === 'import' && about.dry_run === true) return t('jobs.checkInto', { name });
  if (kind === 'erasure' && about.dry_run === true) return t('jobs.erasureCount');
  if (kind === 'import' && name !== '') return t('import.into', { name });
  if (kind === 'export' && name !== '') return t('jobs.exportOf', { name });
  if (kind === 'bulk' && name !== '') return t('jobs.bulkOf', { name });
  if (kind === 'duplicates' && name !== '') return t('jobs.duplicatesOf', { name });
  const key = KINDS[kind];
  return key === undefined ? kind : t(key);
}

export function objectTypeOf({ about }: Pick<JobSummary, 'about'>): string | undefined {
  const type = about.object_type ?? about.comments_on ?? about.links_of;
  return typeof type === 'string' ? type : undefined;
}

export interface FileWithRejects extends ImportedFile {
  readonly name: string;
  /** The object that its rows are of. */
  readonly type: string | undefined;
  /** Rows. */
  readonly rejected: number;
}

export function filesWithRejects({ files }: Pick<JobDetails, 'files'>): readonly FileWithRejects[] {
  return files.flatMap(({ counts, file_name: name = '', mapping, ...about }, index) => {
    const { rejected = 0 } = counts;
    if (rejected === 0) return [];
    return [{ number: index + 1, name, type: objectTypeOf({ about }), rejected, mapping }];
  });
}

/** The progress from 0 to 1; undefined while the total is not known. */
export function shareOf({ progress }: Pick<JobSummary, 'progress'>): number | undefined {
  if (progress === null || progress.total === null || progress.total === 0) return undefined;
  return Math.min(1, progress.done / progress.total);
}
