import { useContext } from 'react';
import type { FieldKind, ShowProps } from './field-kind.ts';
import { InGrid } from './field-place.ts';
import fields from './fields.module.css';
import classes from './file/file.module.css';
import { FileLine } from './file/file-line.tsx';
import { filesIn } from './file/file-values.ts';
import { INCOMPARABLE } from './plain.tsx';

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

export const file: FieldKind = {
  ...INCOMPARABLE,
  name: 'type.file',
  example: 'type.fileExample',
  icon: 'M4 2.500h5l3 3v8H4zM9 2.500v3h3',
  Show,
  width: 200,
  text: {
    // The names, for reading: a file comes with an upload and not with a text.
    print: (value) =>
      filesIn(value)
        .map(({ name }) => name)
        .join('; '),
    parse: () => ({ problem: 'file.noText' }),
  },
  edit: {
    control: 'files',
    isGroup: true,
    isChoice: true,
    start: filesIn,
    parse: (draft) => ({ value: draft.length === 0 ? null : draft }),
  },
};
