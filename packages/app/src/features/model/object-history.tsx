// How long the values are kept that changes of the records of an object replace.

import { NativeSelect } from '@mantine/core';
import { withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import type { ObjectSettingsProps } from './object-settings.tsx';

const OFFERED: readonly string[] = ['30d', '90d', '365d', 'forever'];

export function ObjectHistory({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const { change } = useDefinition();
  const keep = object.history?.keep ?? '';
  const times = keep === '' || OFFERED.includes(keep) ? OFFERED : [keep, ...OFFERED];
  return (
    <NativeSelect
      label={t('history.keep')}
      description={t('history.keepText')}
      data={['', ...times].map((value) => ({ value, label: nameOf(value, t) }))}
      value={keep}
      onChange={({ currentTarget: { value } }) => {
        const history = value === '' ? undefined : { keep: value };
        change((now) => withValue(now, ['objects', type, 'history'], history));
      }}
    />
  );
}

function nameOf(keep: string, t: Translate): string {
  if (keep === '') return t('history.keepNone');
  return keep === 'forever'
    ? t('history.keepForever')
    : t('history.keepDays', { count: Number.parseInt(keep, 10) });
}
