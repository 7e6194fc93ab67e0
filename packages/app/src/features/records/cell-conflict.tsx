// Somebody else has changed the field of a cell meanwhile: the question whose value it shall have.

import { LaterConflictDialog } from '../../editing/later-conflict-dialog.tsx';
import { fieldValue } from '../../lib/field-value.ts';
import type { useCellSaves } from './use-cell-saves.ts';

interface CellConflictProps {
  readonly saves: ReturnType<typeof useCellSaves>;
  readonly onClose: () => void;
}

export function CellConflict({ saves, onClose }: CellConflictProps) {
  const { conflict, closeConflict, save, forget } = saves;
  if (conflict === undefined) return null;
  const { theirs, intent } = conflict;
  const { field, value } = intent;
  return (
    <LaterConflictDialog
      conflict={conflict}
      onSettle={(settlement) => {
        closeConflict();
        onClose();
        if (settlement === 'theirs') forget(theirs, field);
        const base = fieldValue(theirs, field);
        if (settlement === 'mine') void save({ record: theirs, field, value, base });
      }}
    />
  );
}
