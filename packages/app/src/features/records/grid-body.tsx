// The rows of the grid that are in the document: those in view, and the one that has the focus.

import type { RecordRows } from '../../lib/record-lists.ts';
import type { GridModel, Rows } from './grid-parts.ts';
import { RecordRow, SkeletonRow } from './record-row.tsx';
import classes from './records-table.module.css';
import type { RowActs } from './row-acts.ts';
import type { useCellSaves } from './use-cell-saves.ts';
import type { ChosenRows } from './use-chosen-rows.ts';
import type { Grid } from './use-grid.ts';

interface GridBodyProps {
  readonly virtualizer: Rows;
  readonly rows: RecordRows;
  readonly grid: Grid;
  readonly chosen: ChosenRows;
  readonly saves: ReturnType<typeof useCellSaves>;
  readonly model: GridModel;
  readonly rowActs: RowActs;
}

export function GridBody({
  virtualizer,
  rows,
  grid,
  chosen,
  saves,
  model,
  rowActs,
}: GridBodyProps) {
  const { columns, mark, canUpdate } = model;
  const { place: activeCell, area, isEditing } = grid;
  return (
    <tbody role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const record = rows.records[index - rows.first];
        if (record === undefined) return <SkeletonRow key={index} {...{ index, start, columns }} />;
        const isMarked = area !== undefined && index >= area.top && index <= area.bottom;
        return (
          <RecordRow
            key={record.id}
            {...{ record, index, start, columns, mark }}
            active={activeCell.row === index ? activeCell.column : -1}
            isEditing={isEditing && activeCell.row === index}
            from={isMarked ? area.left : -1}
            to={isMarked ? area.right : -1}
            fill={
              (area?.bottom ?? activeCell.row) === index ? (area?.right ?? activeCell.column) : -1
            }
            isChosen={chosen.isMatching || chosen.ids.has(record.id)}
            canChange={canUpdate(record)}
            states={saves.states.get(record.id)}
            acts={rowActs}
          />
        );
      })}
    </tbody>
  );
}
