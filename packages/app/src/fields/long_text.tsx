import { useContext } from 'react';
import type { ShowProps } from './field-kind.ts';
import { InGrid } from './field-place.ts';
import classes from './fields.module.css';
import { textual, typedDraft } from './plain.tsx';

/** Characters that a column can show at its widest. */
const BEGINNING = 300;
/** The most characters in the tooltip of a long text. */
const HINT = 2000;

/** A long text; in a cell of a list, which has one line, its beginning. */
function Show({ value }: ShowProps) {
  const text = String(value);
  if (!useContext(InGrid)) return <span className={classes.lines}>{text}</span>;
  return (
    <span className={classes.line} title={text.slice(0, HINT)}>
      {text.slice(0, BEGINNING)}
    </span>
  );
}

const parse = (value: string) => ({ value });

export const long_text = textual(parse, {
  name: 'type.longText',
  example: 'type.longTextExample',
  icon: 'M2.500 4h11m-11 2.700h11m-11 2.600h11m-11 2.700h6',
  Show,
  width: 260,
  edit: { control: 'lines', isMultiline: true, ...typedDraft(parse) },
});
