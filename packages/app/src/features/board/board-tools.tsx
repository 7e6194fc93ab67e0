// The tool of a board, in the row of tools: the field of the columns, the summed field, and for work items the shown
// type.

import { NativeSelect, Text } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { Choices } from '../../fields/choices.tsx';
import { columnFields } from '../../lib/board-fields.ts';
import { sumFields } from '../../lib/groups.ts';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { NO_SUM } from '../../lib/view-state.ts';
import { Floating } from '../../ui/floating.tsx';
import { ToolButton } from '../../ui/tool-button.tsx';
import classes from './board.module.css';
import { cardFields, MOST_CARD_FIELDS, possibleCardFields, summedField } from './card-fields.ts';
import { requestedType, withType } from './columns.ts';

type BoardToolsProps = LayoutProps & { readonly field: Field };

export function BoardTools({ tools = null, ...props }: BoardToolsProps) {
  return tools === null ? null : createPortal(<BoardTool {...props} />, tools);
}

function BoardTool(props: BoardToolsProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const { field } = props;
  return (
    <Floating
      title={t('board.tools')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      target={
        <ToolButton icon="board" isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('board.columnsBy', { name: field.name ?? field.key })}
        </ToolButton>
      }
    >
      <BoardSelects {...props} />
    </Floating>
  );
}

/** Each change is seen at once in the board behind it. */
function BoardSelects({ object, view, field, onChange }: BoardToolsProps) {
  const t = useT();
  const nameOf = ({ key, name }: Field) => ({ value: key, label: name ?? key });
  const sums = sumFields(object.fields);
  const types = object.work_item_types ?? [];
  return (
    <div className={classes.selects}>
      <NativeSelect
        data-autofocus
        label={t('board.by')}
        data={columnFields(object).map(nameOf)}
        value={field.key}
        onChange={({ currentTarget }) => onChange({ ...view, by: currentTarget.value })}
      />
      {sums.length > 0 && (
        <NativeSelect
          label={t('board.sum')}
          data={[{ value: NO_SUM, label: t('board.noSum') }, ...sums.map(nameOf)]}
          value={summedField(object, view.sum)?.key ?? NO_SUM}
          onChange={({ currentTarget }) => onChange({ ...view, sum: currentTarget.value })}
        />
      )}
      {types.length > 1 && (
        <NativeSelect
          label={t('board.type')}
          data={[
            { value: '', label: t('board.anyType') },
            ...types.map(({ id, name }) => ({ value: id, label: name ?? id })),
          ]}
          value={requestedType(view.where) ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...view, where: withType(view.where, currentTarget.value || undefined) })
          }
        />
      )}
      <CardFields {...{ object, view, field, onChange }} />
    </div>
  );
}

/** Each change is seen on the cards at once. */
function CardFields({ object, view, field, onChange }: Omit<BoardToolsProps, 'tools'>) {
  const t = useT();
  const keys = cardFields(object, view.fields, field.key).map(({ key }) => key);
  const isFull = keys.length >= MOST_CARD_FIELDS;
  return (
    <div>
      <Text fz="md" lh="md" fw={500}>
        {t('board.cardFields')}
      </Text>
      <Choices
        isMany
        label={t('board.cardFields')}
        offered={possibleCardFields(object, field.key).map(({ key, name }) => ({
          value: key,
          label: name ?? key,
        }))}
        values={keys}
        onChange={(chosen) =>
          onChange({ ...view, fields: chosen.slice(0, MOST_CARD_FIELDS).map(String) })
        }
      />
      {isFull && (
        <Text fz="xs" lh="md" c="dimmed">
          {t('board.mostCardFields', { count: MOST_CARD_FIELDS })}
        </Text>
      )}
    </div>
  );
}
