// The values without which an import has written rows, of each of its files.

import { useQuery } from '@tanstack/react-query';
import type { JobDetails } from '@workspace-records/client';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { EmptiedValues } from '../../ui/emptied-values.tsx';
import { objectTypeOf } from './job-words.ts';

export function ImportLeftOut({ job: { files, emptied_values } }: { readonly job: JobDetails }) {
  return files.map((about, index) => {
    const all = emptied_values.filter(({ file = 1 }) => file === index + 1);
    const type = objectTypeOf({ about });
    return all.length > 0 && <OfFile key={about.file_id} {...{ all, type }} />;
  });
}

interface OfFileProps {
  readonly all: JobDetails['emptied_values'];
  readonly type: string | undefined;
}

function OfFile({ all, type }: OfFileProps) {
  const { data: names, isPending } = useQuery({
    ...objectQuery(useSession(), type ?? ''),
    select: ({ fields }) => new Map(fields.map((field) => [field.key, nameOf(field)])),
  });
  // Keys in place of names would be seen for a moment.
  if (isPending) return null;
  return <EmptiedValues all={all} nameOf={(key) => names?.get(key) ?? key} />;
}
