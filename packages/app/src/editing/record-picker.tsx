// Choosing a record by search, among those that the person may read.

import { ActionIcon, Group, Select } from '@mantine/core';
import '@mantine/core/styles/Combobox.layer.css';
import { useT } from '../lib/messages/index.ts';
import { useTypedOffer } from '../lib/typed-offer.ts';
import { Icon } from '../ui/icon.tsx';
import { problemText } from '../ui/problem.tsx';
import classes from './record-picker.module.css';

export interface PickedRecord {
  readonly target: string;
  readonly name: string;
}

interface RecordPickerProps {
  readonly type: string;
  readonly label: string;
  /** Ids that are not offered, such as that of the record itself. */
  readonly without: readonly string[];
  readonly onChoose: (chosen: PickedRecord) => void;
  /** Undefined: what is around it closes it. */
  readonly onClose?: () => void;
}

export function RecordPicker({ type, label, without, onChoose, onClose }: RecordPickerProps) {
  const t = useT();
  const { offered, searching, isPending, error } = useTypedOffer(type);
  const data = offered.filter(({ value }) => !without.includes(value));
  const nothing = isPending ? t('palette.searching') : t('palette.nothing');
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs" p="0.25rem 0.5rem 0.5rem" maw="24rem">
      <Select
        className={classes.field}
        data={data}
        value={null}
        {...searching}
        // Typing searches the list, which is therefore open.
        autoFocus
        defaultDropdownOpened
        aria-label={label}
        placeholder={label}
        onChange={(chosen) => {
          const found = data.find(({ value }) => value === chosen);
          if (found !== undefined) onChoose({ target: found.value, name: found.label });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || onClose === undefined) return;
          event.stopPropagation();
          onClose();
        }}
        nothingFoundMessage={nothing}
        error={error === null ? undefined : problemText(error, t)}
      />
      {onClose !== undefined && (
        <ActionIcon aria-label={t('record.cancel')} onClick={onClose}>
          <Icon name="close" size={12} />
        </ActionIcon>
      )}
    </Group>
  );
}
