// A row of the grid: a checkbox that selects it, the name of the record as a link, and the values. It is rendered again
// only when its own properties change, not when the grid scrolls or the focus moves in another row.

import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { memo } from 'react';
import { RecordOfFiles } from '../../fields/field-place.ts';
import { kindOf } from '../../fields/kinds.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { PeekButton } from '../../ui/peek-button.tsx';
import { RecordLink } from '../../ui/record-link.tsx';
import { RecordMark } from '../../ui/record-mark.tsx';
import { CellReading } from './cell-reading.tsx';
import { hasEditor, isEditable } from './editable.ts';
import type { GridColumn } from './grid-columns.ts';
import { LazyCellEditor } from './lazy-cell-editor.tsx';
import classes from './records-table.module.css';
import type { RowActs } from './row-acts.ts';
import type { CellState, RowStates } from './use-cell-saves.ts';

export interface RowProps {
  readonly record: RecordData;
  /** The index from the top of the list. */
  readonly index: number;
  /** Pixels from the top. */
  readonly start: number;
  readonly columns: readonly GridColumn[];
  /** The object, where its records have a mark before their names. */
  readonly mark: ObjectDefinition | undefined;
  /** The column of the cell that the Tab key reaches; -1: the cell is in another row. */
  readonly active: number;
  readonly isEditing: boolean;
  /** The first and the last marked column; -1: none. */
  readonly from: number;
  readonly to: number;
  /** The column of the cell with the handle that fills the cells below; -1: it is in another row. */
  readonly fill: number;
  readonly isChosen: boolean;
  readonly canChange: boolean;
  readonly states: RowStates | undefined;
  readonly acts: RowActs;
}

export const RecordRow = memo(function RecordRow(props: RowProps) {
  const { record, index, start, columns, isChosen } = props;
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-row={index}
      data-open={props.isEditing || undefined}
      className={`${classes.row} ${classes.record}`}
      style={{ top: start }}
      onClickCapture={() => props.acts.open(record.id)}
    >
      <RecordOfFiles value={record}>
        {columns.map((column, at) => (
          <Cell key={column.id} {...props} column={column} at={at} />
        ))}
      </RecordOfFiles>
    </tr>
  );
});

interface CellProps extends RowProps {
  readonly column: GridColumn;
  readonly at: number;
}

function Cell({ column, at, ...row }: CellProps) {
  const { record, active, from, to, canChange, states } = row;
  const { kind, field } = column;
  const isActive = active === at;
  const isEditing = isActive && row.isEditing;
  const state = field === undefined ? undefined : states?.[field.key];
  const isReadOnly = !canChange || !hasEditor(column);
  // The link of a name and the checkbox take the focus themselves.
  const tabIndex = kind === 'field' ? (isActive ? 0 : -1) : undefined;
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid takes the focus.
      role="gridcell"
      data-column={at}
      data-kind={kind}
      data-align={kind === 'field' && field !== undefined ? kindOf(field).align : undefined}
      data-marked={(at >= from && at <= to) || undefined}
      data-editing={isEditing || undefined}
      aria-colindex={at + 1}
      aria-selected={at >= from && at <= to ? true : undefined}
      aria-readonly={kind === 'select' ? undefined : isReadOnly}
      aria-invalid={state?.problem === undefined ? undefined : true}
      data-unsaved={state !== undefined || undefined}
      title={state?.problem}
      tabIndex={tabIndex}
      className={classes.cell}
    >
      <Content {...{ record, column, state }} {...row} isActive={isActive} />
      {row.fill === at && canChange && isEditable(column) && !isEditing && (
        <span data-fill className={classes.fill} aria-hidden="true" />
      )}
      {isEditing && field !== undefined && isReadOnly && (
        <CellReading {...{ record, field }} acts={row.acts} />
      )}
      {isEditing && field !== undefined && !isReadOnly && (
        <LazyCellEditor {...{ record, field }} acts={row.acts} />
      )}
    </td>
  );
}

interface ContentProps extends Pick<RowProps, 'record' | 'mark' | 'isChosen' | 'acts'> {
  readonly column: GridColumn;
  readonly state: CellState | undefined;
  readonly isActive: boolean;
}

function Content({ column: { kind, field }, record, state, ...props }: ContentProps) {
  if (kind === 'select') return <ChooseBox record={record} {...props} />;
  if (kind === 'name') {
    const name = typeof state?.value === 'string' ? state.value : recordName(record);
    return (
      <>
        {props.mark !== undefined && <RecordMark object={props.mark} name={name} />}
        <NameLink {...{ record, name }} isActive={props.isActive} />
        <PeekButton id={record.id} name={name} />
      </>
    );
  }
  if (field === undefined) return null;
  return (
    <Value field={field} value={state === undefined ? fieldValue(record, field) : state.value} />
  );
}

interface ValueProps {
  readonly field: Field;
  readonly value: unknown;
}

const Value = memo(function Value({ field, value }: ValueProps) {
  const { Show } = kindOf(field);
  return value === null ? null : <Show value={value} field={field} />;
});

interface NameLinkProps {
  readonly record: RecordData;
  readonly name: string;
  readonly isActive: boolean;
}

function NameLink({ record: { object_type, id }, name, isActive }: NameLinkProps) {
  return (
    <RecordLink
      type={object_type}
      id={id}
      className={classes.name}
      data-record={id}
      data-focus
      tabIndex={isActive ? 0 : -1}
    >
      {name}
    </RecordLink>
  );
}

function ChooseBox({ record, isChosen, isActive, acts }: Omit<ContentProps, 'column' | 'state'>) {
  const t = useT();
  return (
    <input
      type="checkbox"
      data-focus
      aria-label={t('grid.chooseRow', { name: recordName(record) })}
      checked={isChosen}
      tabIndex={isActive ? 0 : -1}
      onChange={(event) => {
        acts.choose(record.id, (event.nativeEvent as MouseEvent).shiftKey === true);
      }}
    />
  );
}

interface SkeletonRowProps {
  readonly index: number;
  readonly start: number;
  readonly columns: readonly GridColumn[];
}

/** A placeholder of the height of a row that is being loaded. */
export function SkeletonRow({ index, start, columns }: SkeletonRowProps) {
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={`${classes.row} ${classes.record}`}
      style={{ top: start }}
    >
      {columns.map(({ id, kind }, at) => (
        <td
          key={id}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid takes the focus.
          role="gridcell"
          data-column={at}
          data-kind={kind}
          aria-colindex={at + 1}
          tabIndex={-1}
          className={classes.cell}
        >
          {kind !== 'select' && (
            <span
              className={classes.bone}
              style={kind === 'name' ? { width: `${40 + ((index * 17) % 40)}%` } : undefined}
            />
          )}
        </td>
      ))}
    </tr>
  );
}
