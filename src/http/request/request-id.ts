// The id of a request: on its answer, in the log and in audit rows.

import { randomUUID } from 'node:crypto';

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
