import { useContext } from 'react';
import { InGrid } from '../field-place.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import fields from '../fields.module.css';
import classes from './file.module.css';
import { FileLine } from './file-line.tsx';
import { filesIn } from './file-values.ts';

function Show({ value, field }: ShowProps) {
  const isLine = useContext(InGrid);
  const files = filesIn(value);
  if (isLine) {
    const names = files.map(({ name }) => name).join(', ');
    return (
      <span className={fields.line} title={names}>
        {names}
      </span>
    );
  }
  return (
    <span className={classes.files}>
      {files.map((file) => (
        <FileLine key={file.id} file={file} field={field.key} />
      ))}
    </span>
  );
}

export const file: FieldShow = { Show, width: 200, isSorted: false };
