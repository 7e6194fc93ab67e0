// The values without which an import has written rows, of each of its files.

import type { JobDetails } from '@workspace-records/client';
import { EmptiedValues } from '../../ui/emptied-values.tsx';
import { useFieldNames } from './field-names.ts';
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
  const nameOf = useFieldNames(type);
  return nameOf && <EmptiedValues {...{ all, nameOf }} />;
}
