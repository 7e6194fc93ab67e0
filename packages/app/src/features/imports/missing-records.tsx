// Records that references of the file name and that do not exist: a button that makes them, after which the rows are
// checked again.

import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { Rejects } from '../../lib/reject-rows.ts';
import { useSession } from '../../lib/session.ts';
import { textsWithoutRecord } from './find-names.ts';
import type { Target } from './import-draft.ts';
import { nameOf } from './import-fields.ts';
import { otherNeeds, type RejectedNames, rejectedNames } from './new-records.ts';
import { NewRecordsDialog } from './new-records-dialog.tsx';
import type { ImportState, Plan } from './use-import.ts';

/** The records that are made at once; the next check names the others. */
const MOST = 500;
const SHOWN = 3;

interface MissingRecordsProps {
  readonly target: Target;
  readonly state: ImportState;
  readonly plan: Plan;
  readonly rejects: Rejects;
}

export function MissingRecords({ target, state, plan, rejects }: MissingRecordsProps) {
  return rejectedNames(target, plan.draft, rejects).map((rejected) => (
    <OfOneReference key={rejected.heading} rejected={rejected} onMade={state.checkAgain} />
  ));
}

interface OfOneReferenceProps {
  readonly rejected: RejectedNames;
  readonly onMade: () => void;
}

function OfOneReference({ rejected, onMade }: OfOneReferenceProps) {
  const t = useT();
  const [isMaking, setMaking] = useState(false);
  const { field, other, by } = rejected;
  const names = useMissingNames(rejected);
  if (names.length === 0) return null;
  const name = other.name ?? other.object_type;
  const needs = otherNeeds(other, by);
  return (
    <Group gap="0.25rem 0.5rem" mb="sm">
      {t('import.namesWithoutRecord', {
        ...{ count: names.length, field: nameOf(field) },
        names: names.slice(0, SHOWN).join(', '),
      })}
      {needs.length > 0 ? (
        <Text span c="dimmed">
          {t('import.recordsNeedMore', { name, fields: needs.map(nameOf).join(', ') })}
        </Text>
      ) : (
        <Button size="compact-xs" variant="subtle" onClick={() => setMaking(true)}>
          {t('import.makeRecords', { count: Math.min(names.length, MOST), name })}
        </Button>
      )}
      {isMaking && (
        <NewRecordsDialog
          {...{ other, by, onMade }}
          names={names.slice(0, MOST)}
          onClose={() => setMaking(false)}
        />
      )}
    </Group>
  );
}

/** A name may also be rejected because two records have it. */
function useMissingNames({ other, by, names }: RejectedNames): readonly string[] {
  const { workspace, client } = useSession();
  const type = other.object_type;
  const { data = [] } = useQuery({
    queryKey: [workspace, type, 'missing names', by.key, names],
    queryFn: ({ signal }) =>
      textsWithoutRecord(client, { type, field: by }, { texts: names, signal }),
    retry: false,
  });
  return data;
}
