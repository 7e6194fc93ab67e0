// The context of values as text, with the names that the application has cached.

import { useQueryClient } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { useMemo } from 'react';
import { useLanguage } from '../lib/messages/index.ts';
import { nameKeyOf } from '../lib/name-keys.ts';
import { useSession } from '../lib/session.ts';
import type { TextContext } from './field-text.ts';

export function useTextContext(): (field: Field) => TextContext {
  const language = useLanguage();
  const { workspace } = useSession();
  const queries = useQueryClient();
  return useMemo(() => {
    const nameOfValue = (value: unknown, field: Field) =>
      queries.getQueryData<string | null>(nameKeyOf(workspace, field, value)) ?? undefined;
    return (field) => ({ field, language, named: new Map(), nameOf: nameOfValue });
  }, [language, workspace, queries]);
}
