// Why the service has refused a move, in words.

import { isRecordsError } from '@workspace-records/client';
import { movedMeanwhile } from '../lib/status-writes.ts';
import { problemText } from '../ui/problem.tsx';
import type { MoveWords } from './move-words.ts';

/** True for the refusal of a move that can be asked for. */
export function needsApproval(error: unknown): boolean {
  return isRecordsError(error, 'invalid_write') && error.details?.reason === 'approval_required';
}

/** The service's refusal of a move, and the next step. `nameOf` has the words for a status. */
export function refusalText(
  error: unknown,
  { words, nameOf }: { readonly words: MoveWords; readonly nameOf: (status: string) => string },
): string {
  const { t } = words;
  const now = movedMeanwhile(error);
  if (now !== undefined) return t('move.meanwhile', { status: nameOf(now.status ?? '') });
  if (needsApproval(error)) return t('move.approval');
  return problemText(error, t);
}
