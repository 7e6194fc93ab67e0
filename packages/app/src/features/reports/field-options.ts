// Fields to choose from, those behind a reference below its name. Pure.

import type { FilterField } from '../../editing/filters/filter-fields.ts';
import type { Translate } from '../../lib/messages/index.ts';

export function fieldOptions(fields: readonly FilterField[], t: Translate) {
  const groups = [...new Set(fields.map(({ through }) => through))];
  return groups.map((through) => ({
    group: through ?? t('filter.ownFields'),
    items: fields
      .filter((one) => one.through === through)
      .map(({ path, label }) => ({ value: path, label })),
  }));
}
