// The fields for which a write was refused, in the words of the service.

import { isRecordsError } from '@workspace-records/client';
import { told } from './messages/index.ts';

export interface FieldProblem {
  readonly message: string;
  /** A record that has the value already, as far as the person may know of it. */
  readonly taken: string | undefined;
}

/** The problems by the key of the field; empty when the refusal is about something else. */
export function fieldProblemsOf(error: unknown): ReadonlyMap<string, FieldProblem> {
  if (!isRecordsError(error)) return new Map();
  const { details, param, message } = error;
  const all = details?.errors ?? [{ param, message }];
  const holder = details?.existing_record_id;
  const taken = error.code === 'conflict' && typeof holder === 'string' ? holder : undefined;
  return new Map(
    all.flatMap((problem) => {
      const key = keyOf(problem.param);
      return key === undefined ? [] : [[key, { message: told(problem.message), taken }] as const];
    }),
  );
}

/** The key in a parameter such as `fields.amount` or `fields.custom_fields.note`. */
function keyOf(param: string | undefined): string | undefined {
  return /^fields\.(?:custom_fields\.)?([^.[]+)$/.exec(param ?? '')?.[1];
}
