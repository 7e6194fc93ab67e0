// The refusals of a webhook by the parts of its form. Pure.

import { isRecordsError } from '@workspace-records/client';
import { told } from '../../lib/messages/index.ts';

/** Parts of the form, as the interface names them. */
const PARTS: readonly string[] = [
  ...['url', 'events', 'object_types', 'changed_fields', 'where', 'status_to', 'except'],
  ...['payload', 'headers', 'owner_user_id'],
];
/** The parts of the form that are always open. */
const FIRST: ReadonlySet<string> = new Set(['url', 'events', 'object_types']);

export type Problems = ReadonlyMap<string, string>;

export const NO_PROBLEMS: Problems = new Map();

/** The first problem of each part of the form; empty when the refusal is about the whole. */
export function webhookProblemsOf(error: unknown): Problems {
  if (!isRecordsError(error)) return NO_PROBLEMS;
  const { details, param, message } = error;
  const all = details?.errors ?? [{ param, message }];
  const found = all.flatMap(({ param: place = '', message: said }) => {
    const part = /^\w+/.exec(place)?.[0] ?? '';
    return PARTS.includes(part) ? [[part, told(said)] as const] : [];
  });
  return new Map(found.toReversed());
}

/** One of the options that can be folded away is among them. */
export function concernOptions(problems: Problems): boolean {
  return [...problems.keys()].some((part) => !FIRST.has(part));
}
