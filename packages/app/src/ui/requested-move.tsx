// A move that somebody asked for: from which status to which one, by their names and tints.

import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Field, StatusRequest } from '@workspace-records/client';
import { objectQuery } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { tintOf } from '../lib/tints.ts';
import { Tag } from './tag.tsx';

interface RequestedMoveProps {
  readonly objectType: string;
  readonly move: Pick<StatusRequest, 'from_status' | 'to_status'>;
}

export function RequestedMove({ objectType, move }: RequestedMoveProps) {
  const shownOf = useStatuses(objectType);
  const tag = (status: string) => {
    const { name, tint } = shownOf(status);
    return (
      <Tag tint={tint} isStatus>
        {name}
      </Tag>
    );
  };
  return (
    <Group component="span" gap={6}>
      {tag(move.from_status)}
      <span aria-hidden="true">→</span>
      {tag(move.to_status)}
    </Group>
  );
}

const NO_FIELDS: readonly Field[] = [];

/** None until they have come: a page must not wait for them. */
export function useFieldsOf(objectType: string): readonly Field[] {
  return useQuery(objectQuery(useSession(), objectType)).data?.fields ?? NO_FIELDS;
}

/** The name and the tint of each status; one that is no longer there has its key as its name. */
export function useStatuses(objectType: string) {
  const options = useFieldsOf(objectType).find(({ key }) => key === 'status')?.options;
  return (status: string) => {
    const option = options?.find(({ value }) => value === status);
    return { name: option?.label ?? status, tint: tintOf(option?.color) };
  };
}
