// Calls that merge records of one object into another one, and undo it.

import type { Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, JobSummary } from './schema.ts';

type Merge = Endpoints['mergeRecords'];
export type MergedRecord = Extract<Merge['result']['data'], { readonly merged: unknown }>;
export type MergeRehearsal = Exclude<Merge['result']['data'], MergedRecord>;
export type UnmergedRecord = Endpoints['unmergeRecord']['result']['data'];

/** The others with their versions, and whose values the record takes. */
export type MergeRequest = Omit<Merge['body'], 'dry_run'>;

interface MergeOptions extends CallOptions {
  /** The version that the record must still have. */
  readonly version?: string | undefined;
}

interface UnmergeOptions extends MergeOptions {
  /** The id of the merge. */
  readonly merge?: string | undefined;
}

type DuplicatesQuery = Endpoints['listDuplicates']['query'];
type DuplicateGroup = Endpoints['listDuplicates']['result']['data'][number];

export interface Merges {
  /** Starts a job that finds records which may be the same thing. */
  findDuplicates(options?: CallOptions): Promise<JobSummary>;
  /** One page of the groups that the job has found. */
  duplicates(
    jobId: string,
    query?: DuplicatesQuery,
    options?: CallOptions,
  ): Promise<Page<DuplicateGroup>>;
  /** The record becomes what it and the others are; these are deleted. */
  merge(id: string, request: MergeRequest, options?: MergeOptions): Promise<MergedRecord>;
  /** The values that a merge would change; it changes none. */
  mergeDryRun(id: string, request: MergeRequest, options?: MergeOptions): Promise<MergeRehearsal>;
  /** Undoes the last merge into the record; refused when `merge` names another one. */
  unmerge(id: string, options?: UnmergeOptions): Promise<UnmergedRecord>;
}

export function merges(send: Send, object_type: string): Merges {
  const paramsOf = (record_id: string) => ({ object_type, record_id });
  const merge = async (
    id: string,
    body: Merge['body'],
    { version, ...options }: MergeOptions = {},
  ) => (await send('mergeRecords', { params: paramsOf(id), body, version }, options)).data;
  return {
    findDuplicates: async (options) =>
      (await send('startDuplicates', { params: { object_type } }, options)).data,
    duplicates: (job_id, query = {}, options) =>
      send('listDuplicates', { params: { job_id }, query }, options),
    merge: (id, request, options) => merge(id, request, options) as Promise<MergedRecord>,
    mergeDryRun: (id, request, options) =>
      merge(id, { ...request, dry_run: true }, options) as Promise<MergeRehearsal>,
    unmerge: async (id, { version, merge: made, ...options } = {}) => {
      const body = made === undefined ? {} : { merge: made };
      return (await send('unmergeRecord', { params: paramsOf(id), body, version }, options)).data;
    },
  };
}
