// A new record: making it, and where it is put once it is there.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RecordData } from '@workspace-records/client';
import { noteCreated } from './record-cache.ts';
import { useSession } from './session.ts';

interface Creation {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The idempotency key, the same for each attempt: the record is created once. */
  readonly key: string;
  /** Called with the new record, also when the form is closed. */
  readonly onMade: (record: RecordData) => void;
}

export function useCreate(type: string) {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, key }: Creation) => {
      const options = { idempotencyKey: key };
      return (await client.records(type).create(fields, options)) as RecordData;
    },
    onSuccess(record, { onMade }) {
      noteCreated(queries, workspace, record);
      onMade(record);
    },
  });
}
