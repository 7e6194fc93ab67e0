// The editor of a cell, loaded after the list is shown: a list that is only read does not need it.

import type { Field, RecordData } from '@workspace-records/client';
import type { ComponentType } from 'react';
import type { CellEditorProps } from '../../editing/cell-editor.tsx';
import type { StatusCellProps } from '../../editing/status-cell.tsx';
import { fieldValue } from '../../lib/field-value.ts';
import { recordName } from '../../lib/record-name.ts';
import { createStore, useStore } from '../../lib/store.ts';
import { fieldPlace } from '../../lib/unsaved-edits.ts';
import type { RowActs } from './row-acts.ts';

interface Editors {
  readonly Editor: ComponentType<CellEditorProps>;
  readonly Status: ComponentType<StatusCellProps>;
}

const loaded = createStore<Editors | undefined>(undefined);

export async function loadCellEditor(): Promise<void> {
  const [{ CellEditor }, { StatusCell }] = await Promise.all([
    import('../../editing/cell-editor.tsx'),
    import('../../editing/status-cell.tsx'),
  ]);
  loaded.set({ Editor: CellEditor, Status: StatusCell });
}

/** Typed before it was there, which the browser has put nowhere; undefined: the text is edited at its end. */
let typedEarly: string | undefined;

export function noteTyped(key: string | undefined): void {
  if (loaded.get() !== undefined) typedEarly = key === undefined ? undefined : '';
  else if (key !== undefined) typedEarly = (typedEarly ?? '') + key;
}

function takeTyped(): string | undefined {
  const typed = typedEarly;
  typedEarly = undefined;
  return typed;
}

interface LazyCellEditorProps {
  readonly record: RecordData;
  readonly field: Field;
  readonly acts: RowActs;
}

export function LazyCellEditor({ record, field, acts }: LazyCellEditorProps) {
  const editors = useStore(loaded);
  if (editors === undefined) return null;
  const { Editor, Status } = editors;
  const label = `${field.name ?? field.key}, ${recordName(record)}`;
  const cell = { record, field };
  if (field.key === 'status') return <Status {...{ record, label }} onClose={acts.close} />;
  return (
    <Editor
      field={field}
      place={fieldPlace(record, field)}
      value={fieldValue(record, field)}
      label={label}
      takeTyped={takeTyped}
      onType={(draft) => acts.type(cell, draft)}
      onSave={(edited, step) => acts.save({ ...cell, ...edited }, step)}
      onCancel={() => acts.cancel(cell)}
    />
  );
}
