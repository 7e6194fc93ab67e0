// How long deleted records of an object can be restored; without a time they are gone at once.

import { NativeSelect } from '@mantine/core';
import { withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import type { ObjectSettingsProps } from './object-settings.tsx';

const OFFERED = [7, 30, 90, 365];

export function TrashSetting({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const { change } = useDefinition();
  const keep = object.trash?.keep ?? '';
  const days = keep === '' ? [] : [Number.parseInt(keep, 10)];
  const offered = [...new Set([...OFFERED, ...days])].sort((one, other) => one - other);
  return (
    <NativeSelect
      label={t('trash.setting')}
      description={t('trash.settingText')}
      data={[
        { value: '', label: t('trash.settingOff') },
        ...offered.map((count) => ({
          value: `${count}d`,
          label: t('trash.settingDays', { count }),
        })),
      ]}
      value={keep}
      onChange={({ currentTarget: { value } }) =>
        change((now) =>
          withValue(now, ['objects', type, 'trash'], value === '' ? undefined : { keep: value }),
        )
      }
    />
  );
}
