// The open line of a new record in a table.

import type { ObjectDefinition, Where } from '@workspace-records/client';
import { useMemo, useRef } from 'react';
import type { CreationRequest } from '../../editing/creation.ts';
import { InlineField, inlineEditOf } from '../../editing/inline-field.tsx';
import { InlineFoot } from '../../editing/inline-foot.tsx';
import { useCreatable } from '../../editing/use-creatable.ts';
import { useInlineCreation } from '../../editing/use-inline-creation.ts';
import { presetOf } from '../../lib/presets.ts';
import type { GridColumn } from './grid-columns.ts';
import classes from './new-row.module.css';
import tableClasses from './records-table.module.css';

interface NewRowLineProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  readonly where: readonly Where[];
  readonly onClose: () => void;
}

export default function NewRowLine({ object: list, columns, where, onClose }: NewRowLineProps) {
  const wished = useMemo<CreationRequest>(
    () => ({ type: list.object_type, preset: presetOf(list, where), onCreated: () => undefined }),
    [list, where],
  );
  const { object, access, request, chooseType } = useCreatable(wished, 'line');
  if (object === undefined || access === undefined) return null;
  return <Line {...{ object, access, request, columns, onClose }} onType={chooseType} />;
}

interface LineProps extends Omit<Parameters<typeof useInlineCreation>[0], 'isShown' | 'line'> {
  readonly columns: readonly GridColumn[];
}

function Line({ columns, ...parts }: LineProps) {
  const line = useRef<HTMLTableRowElement>(null);
  const shown = useMemo(() => new Set(columns.map(({ field }) => field?.key)), [columns]);
  const creation = useInlineCreation({
    ...parts,
    line,
    isShown: (field) => shown.has(field.key) && inlineEditOf(field) !== undefined,
  });
  const writable = new Map(creation.fields.map((field) => [field.key, field]));
  const cell = { role: 'gridcell', 'data-editor': true } as const;
  return (
    <>
      <tr
        ref={line}
        role="row"
        className={tableClasses.row}
        aria-busy={creation.form.isPending}
        onKeyDown={creation.onKeyDown}
      >
        {columns.map(({ id, kind, field }) => {
          const writableField = field === undefined ? undefined : writable.get(field.key);
          return (
            <td
              key={id}
              {...cell}
              data-kind={kind}
              className={`${tableClasses.cell} ${classes.editor}`}
            >
              {writableField !== undefined && (
                <InlineField field={writableField} creation={creation} />
              )}
            </td>
          );
        })}
      </tr>
      <tr role="row" className={classes.foot} onKeyDown={creation.onKeyDown}>
        <td {...cell}>
          <InlineFoot creation={creation} />
        </td>
      </tr>
    </>
  );
}
