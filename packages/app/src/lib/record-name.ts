// The name of a record, also of one without a name.

import type { RecordData } from '@workspace-records/client';
import { translate } from './messages/index.ts';

export function recordName({ display }: Pick<RecordData, 'display'>): string {
  return display ?? translate()('records.unnamed');
}
