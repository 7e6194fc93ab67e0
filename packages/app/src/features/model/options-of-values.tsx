// The texts that records have in a field, offered as options when the field becomes a choice.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OptionEntry } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { withNewOptions } from './options.ts';

/** The most frequent texts that are offered. */
const MOST = 100;

interface OptionsOfValuesProps {
  readonly type: string;
  readonly fieldKey: string;
  readonly options: readonly OptionEntry[];
  readonly onChange: (options: readonly OptionEntry[]) => void;
}

export function OptionsOfValues({ type, fieldKey, options, onChange }: OptionsOfValuesProps) {
  const t = useT();
  const { workspace, client } = useSession();
  const { data: texts = [] } = useQuery({
    queryKey: [workspace, type, 'groups', 'options', fieldKey],
    queryFn: async ({ signal }) => {
      const question = {
        group_by: [fieldKey],
        metrics: [{ name: 'records', op: 'count' as const }],
        order_by: { name: 'records', direction: 'desc' as const },
        limit: MOST,
      };
      const { data } = await client.records(type).aggregateQuery(question, { signal });
      return data.flatMap(({ [fieldKey]: text }) => (typeof text === 'string' ? [text] : []));
    },
  });
  const known = new Set(options.flatMap(({ value, label = value }) => [value, label]));
  const missing = texts.filter((text) => !known.has(text));
  if (missing.length === 0) return null;
  return (
    <Button variant="default" onClick={() => onChange(withNewOptions(options, missing))}>
      {t('options.ofValues', { count: missing.length })}
    </Button>
  );
}
