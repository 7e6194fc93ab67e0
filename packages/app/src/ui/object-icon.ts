// The icon of an object: that of its definition; else its own when it is built in, or the first letter of its name.

import { OBJECT_ICONS, type ObjectIcon, type ObjectSummary } from '@workspace-records/client';
import type { Glyph } from './icon.tsx';

const BUILT_IN: Readonly<Record<string, ObjectIcon>> = {
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
  icon,
}: Pick<ObjectSummary, 'object_type' | 'kind' | 'name' | 'icon'>): Glyph {
  // A newer service may have icons that this application has not.
  const chosen = OBJECT_ICONS.find((one) => one === icon);
  const own = kind === 'default' ? undefined : BUILT_IN[object_type];
  return chosen ?? own ?? letterOf(name ?? object_type);
}

/** The first letter or digit. */
function letterOf(name: string): Glyph {
  const [letter] = name.match(/[\p{L}\p{N}]/u) ?? [];
  return letter === undefined ? 'box' : { letter: letter.toLocaleUpperCase() };
}
