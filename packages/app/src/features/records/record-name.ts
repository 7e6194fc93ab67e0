// The name of a record without a name.

import type { RecordData } from '@workspace-records/client';
import { translate } from '../../lib/messages/index.ts';

export function nameOf({ display }: Pick<RecordData, 'display'>): string {
  return display ?? translate()('records.unnamed');
}
