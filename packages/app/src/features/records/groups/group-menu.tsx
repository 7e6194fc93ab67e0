// The field by which a table is grouped, and the sums in the heads of the groups.

import { NativeSelect } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { offeredFields } from '../../../lib/field-order.ts';
import { groupFields, sumFields } from '../../../lib/groups.ts';
import { useT } from '../../../lib/messages/index.ts';
import type { ViewState } from '../../../lib/view-state.ts';
import { Floating } from '../../../ui/floating.tsx';
import { ToolButton } from '../../../ui/tool-button.tsx';

interface GroupMenuProps {
  readonly object: ObjectDefinition;
  readonly view: ViewState;
  readonly onChange: (view: ViewState) => void;
}

export function GroupMenu({ object, view, onChange }: GroupMenuProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const fields = groupFields(offeredFields(object));
  const sums = sumFields(object.fields);
  const { group } = view;
  const by = fields.find(({ key }) => key === group);
  if (fields.length === 0) return null;
  return (
    <Floating
      title={t('groups.title')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      target={
        <ToolButton
          icon="group"
          isOpen={isOpen}
          isActive={by !== undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {by === undefined ? t('groups.button') : t('groups.by', { name: by.name ?? by.key })}
        </ToolButton>
      }
    >
      <NativeSelect
        data-autofocus
        size="sm"
        label={t('groups.field')}
        data={[{ value: '', label: t('groups.nothing') }, ...fields.map(offerOf)]}
        value={group ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ ...view, group: currentTarget.value || undefined })
        }
      />
      {group !== undefined && sums.length > 0 && (
        <NativeSelect
          size="sm"
          mt="sm"
          label={t('groups.sumOf')}
          data={[{ value: '', label: t('groups.noSum') }, ...sums.map(offerOf)]}
          value={sums.find(({ key }) => key === view.sum)?.key ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...view, sum: currentTarget.value || undefined })
          }
        />
      )}
    </Floating>
  );
}

function offerOf({ key, name }: Field) {
  return { value: key, label: name ?? key };
}
