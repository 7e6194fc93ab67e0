// The effect of another key: what it keeps, and what clients notice of it.

import type { Path } from '../lib/definition/document.ts';
import { renameWords } from '../lib/definition/rename-words.ts';
import { useT } from '../lib/messages/index.ts';
import classes from './key-dialog.module.css';

/** `path`: of the entry. */
export function RenameNote({ path }: { readonly path: Path }) {
  const t = useT();
  const words = renameWords(path);
  if (words === undefined) return null;
  return (
    <>
      <p className={classes.note}>{t(words.keeps)}</p>
      <p className={classes.note}>{t(words.notice)}</p>
    </>
  );
}
