// The icon of an object: its own when it is built in, else the first letter of its name.

import type { ObjectSummary } from '@workspace-records/client';
import type { Glyph, IconName } from './icon.tsx';

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
  name,
}: Pick<ObjectSummary, 'object_type' | 'kind' | 'name'>): Glyph {
  const own = kind === 'default' ? undefined : BUILT_IN[object_type];
  return own ?? letterOf(name ?? object_type);
}

/** The first letter or digit. */
function letterOf(name: string): Glyph {
  const [letter] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return letter === undefined ? 'box' : { letter: letter.toLocaleUpperCase() };
}
