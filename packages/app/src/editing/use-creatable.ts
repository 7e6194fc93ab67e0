// The object of a new record, with the fields of the chosen type, and the rights of the person.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { accessQuery, objectQuery, TYPE_KEY } from '../lib/schema-queries.ts';
import { useSession } from '../lib/session.ts';
import { useEdit } from '../lib/unsaved-edits.ts';
import type { CreationRequest } from './creation.ts';
import { type FormShape, formPlace, type StoredForm } from './creation-state.ts';

export function useCreatable(request: CreationRequest, shape: FormShape) {
  const session = useSession();
  const { type, preset = {} } = request;
  const [chosen, chooseType] = useState<string>();
  const storedForm = useEdit(formPlace(request, shape))?.draft as StoredForm | undefined;
  const stored = storedForm?.drafts[TYPE_KEY];
  const { data: general, error } = useQuery(objectQuery(session, type));
  const { data: access } = useQuery(accessQuery(session));
  const itemType = chosen ?? (typeof stored === 'string' ? stored : onlyTypeOf(general, preset));
  const { data: object } = useQuery({
    ...objectQuery(session, type, itemType),
    placeholderData: keepPreviousData,
  });
  const typed = itemType === undefined ? preset : { [TYPE_KEY]: itemType, ...preset };
  return {
    ...{ general, object, access, error, storedForm, chooseType },
    request: { ...request, preset: typed },
  };
}

/** The slug of the requested work item type, or of the only one. */
function onlyTypeOf(
  object: ObjectDefinition | undefined,
  preset: Readonly<Record<string, unknown>>,
): string | undefined {
  const wished = preset[TYPE_KEY];
  if (typeof wished === 'string') return wished;
  const [first, second] = object?.work_item_types ?? [];
  return second === undefined ? first?.slug : undefined;
}
