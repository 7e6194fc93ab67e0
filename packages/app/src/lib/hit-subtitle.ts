// The line below the name of a search hit. Pure.

import type { ObjectSummary, SearchHit } from '@workspace-records/client';

const SEPARATOR = ' · ';

/** The name of the object in the language of the application, and the value that the service adds to its own name. */
export function subtitleOf(
  { object_type, subtitle }: Pick<SearchHit, 'object_type' | 'subtitle'>,
  object: Pick<ObjectSummary, 'singular_name'> | undefined,
): string {
  const [own, ...values] = subtitle?.split(SEPARATOR) ?? [];
  return [object?.singular_name ?? own ?? object_type, ...values].join(SEPARATOR);
}
