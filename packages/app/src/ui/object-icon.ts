// The icon of an object: its own when it is built in, else that of its kind.

import type { ObjectSummary } from '@workspace-records/client';
import type { IconName } from './icon.tsx';

const BUILT_IN: Readonly<Record<string, IconName>> = {
  companies: 'building',
  contacts: 'person',
  deals: 'deal',
  meetings: 'calendar',
  events: 'event',
  products: 'product',
  work_items: 'task',
};

export function iconOf({
  object_type,
  kind,
}: Pick<ObjectSummary, 'object_type' | 'kind'>): IconName {
  return kind === 'default' ? 'box' : (BUILT_IN[object_type] ?? 'box');
}
