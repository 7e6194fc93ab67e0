// The shown fields of a list, and their order: a button, and the list of them after its first use.

import { Popover } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { later } from '../../lib/later.tsx';
import { columnsOf } from '../../lib/list-columns.ts';
import { useT } from '../../lib/messages/index.ts';
import { ToolButton } from '../../ui/tool-button.tsx';

const ColumnsPicker = later(() => import('./columns-picker.tsx'));

interface ColumnsButtonProps {
  readonly object: ObjectDefinition;
  /** Undefined: those that a list begins with. */
  readonly fields: readonly string[] | undefined;
  readonly onChange: (fields: readonly string[] | undefined) => void;
}

export function ColumnsButton({ object, fields, onChange }: ColumnsButtonProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ToolButton
          icon="columns"
          isOpen={isOpen}
          isActive={fields !== undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t('columns.title')}
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns.title')}>
        <ColumnsPicker
          {...{ object, onChange }}
          shown={columnsOf(object, fields).map(({ key }) => key)}
          isStandard={fields === undefined}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
