// Which entries of the audit are listed, as the address has it: in the words of the interface. Pure.

import type { AuditQuery } from '@workspace-records/client';
import type { SearchParams } from '../../lib/search-params.ts';
import { SUBJECTS } from './audit-words.ts';

export type AuditFilter = Omit<AuditQuery, 'limit' | 'cursor'>;

const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/** Parts without a meaning here are left out. */
export function auditFilterOf(search: SearchParams): AuditFilter {
  const { user_id, key_id, object_type, record_id, subject_type, subject_id, action } = search;
  const subject = SUBJECTS.find((one) => one === subject_type);
  return {
    ...(user_id !== undefined && /^[1-9]\d{0,8}$/.test(user_id)
      ? { user_id: Number(user_id) }
      : {}),
    ...(key_id !== undefined && ID.test(key_id) ? { key_id } : {}),
    ...(object_type === undefined ? {} : { object_type }),
    ...(record_id !== undefined && ID.test(record_id) ? { record_id } : {}),
    ...(subject === undefined ? {} : { subject_type: subject }),
    ...(subject_id === undefined ? {} : { subject_id }),
    ...(action !== undefined && /^[a-z][a-z_]{0,49}$/.test(action) ? { action } : {}),
    ...timeOf('since', search.since),
    ...timeOf('until', search.until),
  };
}

function timeOf(name: 'since' | 'until', value: string | undefined) {
  const isTime = value !== undefined && !Number.isNaN(Date.parse(value));
  return isTime ? { [name]: new Date(value).toISOString() } : {};
}

export function auditSearchOf(filter: AuditFilter): SearchParams {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)] as const],
    ),
  );
}

/** The id in what somebody pasted: an id, or the address of a record. */
export function recordIdIn(text: string): string | undefined {
  return ID.exec(text)?.[0].toLowerCase();
}
