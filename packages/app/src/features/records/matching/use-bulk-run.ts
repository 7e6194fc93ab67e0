// The state of one change of all matching records: its dry run, its job, and the error of either.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isRecordsError, type JobDetails } from '@workspace-records/client';
import { useId, useState } from 'react';
import { useSession } from '../../../lib/session.ts';
import { type MatchingWish, rehearse, runBulk } from './bulk-job.ts';
import { countsOf } from './selection.ts';

export function useRehearsal(wish: MatchingWish) {
  const session = useSession();
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: [session.workspace, wish.type, 'rehearsal', id],
    queryFn: () => rehearse(session, wish),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return { data, error, again: () => void refetch() };
}

interface RunActs {
  /** The job has ended, and no record was refused. */
  readonly onEnded: () => void;
  /** Another number of records matches now. */
  readonly onOther: () => void;
}

export function useBulkRun(wish: MatchingWish, { onEnded, onOther }: RunActs) {
  const session = useSession();
  const queries = useQueryClient();
  const [job, setJob] = useState<JobDetails>();
  const [expected, setExpected] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const start = async (count: number) => {
    setExpected(count);
    setError(undefined);
    setBusy(true);
    try {
      const ended = await runBulk(session, queries, {
        ...wish,
        expected: count,
        onProgress: setJob,
      });
      if (ended.state === 'done' && countsOf(ended.counts).refused === 0) onEnded();
    } catch (failure) {
      setJob(undefined);
      setError(failure);
      if (isRecordsError(failure, 'conflict')) onOther();
    } finally {
      setBusy(false);
    }
  };
  return {
    start: (count: number) => void start(count),
    stop: () => {
      if (job !== undefined) void session.client.jobs.cancel(job.id).catch(setError);
    },
    ...{ job, expected, isBusy, error },
  };
}
