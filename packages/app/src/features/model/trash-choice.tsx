// How long deleted records of an object can be restored; without a time they are gone at once.

import { NativeSelect } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';

const OFFERED = [7, 30, 90, 365];

interface TrashChoiceProps {
  /** A duration such as `30d`; undefined: deleted records are not kept. */
  readonly keep: string | undefined;
  readonly onChange: (keep: string | undefined) => void;
}

export function TrashChoice({ keep, onChange }: TrashChoiceProps) {
  const t = useT();
  const days = keep === undefined ? [] : [Number.parseInt(keep, 10)];
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
      value={keep ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? undefined : value)}
    />
  );
}
