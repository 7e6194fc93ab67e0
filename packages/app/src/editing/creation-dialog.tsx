// The dialog for a new record. Closed, it keeps the draft for the next time.

import { Modal } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { lacksTypes } from '../lib/creation-fields.ts';
import { useT } from '../lib/messages/index.ts';
import { accessQuery, objectQuery, TYPE_KEY } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import type { CreationRequest } from './creation.ts';
import { CreationForm } from './creation-form.tsx';

interface CreationDialogProps {
  readonly request: CreationRequest;
  readonly onClose: () => void;
}

export default function CreationDialog({ request, onClose }: CreationDialogProps) {
  const t = useT();
  const session = useSession();
  const { type, preset = {} } = request;
  const [chosen, setChosen] = useState<string>();
  const { data: general, error } = useQuery(objectQuery(session, type));
  const { data: access } = useQuery(accessQuery(session));
  const itemType = chosen ?? onlyTypeOf(general, preset);
  const { data: object } = useQuery({
    ...objectQuery(session, type, itemType),
    placeholderData: keepPreviousData,
  });
  const isReady = object !== undefined && access !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('create.new', { name: general?.singular_name ?? general?.name ?? type })}
      closeButtonProps={{ 'aria-label': t('create.close') }}
    >
      {error !== null && <Problem error={error} />}
      {isReady && lacksTypes(object) && (
        <EmptyState title={t('create.noTypes')} text={t('create.noTypesText')} />
      )}
      {isReady && !lacksTypes(object) && (
        <CreationForm
          object={object}
          access={access}
          request={{
            ...request,
            preset: itemType === undefined ? preset : { [TYPE_KEY]: itemType, ...preset },
          }}
          onType={setChosen}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

/** Of work items: the requested type, or the only one. */
function onlyTypeOf(
  object: ObjectDefinition | undefined,
  preset: Readonly<Record<string, unknown>>,
): string | undefined {
  const wished = preset[TYPE_KEY];
  if (typeof wished === 'string') return wished;
  const [first, second] = object?.work_item_types ?? [];
  return second === undefined ? first?.slug : undefined;
}
