import { useContext } from 'react';
import { InGrid } from '../field-place.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

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

export const long_text: FieldShow = { Show, width: 260 };
