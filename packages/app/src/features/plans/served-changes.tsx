// Changes as the service has them, in a list: those that follow from others, and those of a revision.

import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { type ServedChange, servedText, tellServed } from './plan-words.ts';
import classes from './plans.module.css';

interface ServedChangesProps {
  readonly changes: readonly ServedChange[];
  /** Further ones that are not listed. */
  readonly more?: number;
}

export function ServedChanges({ changes, more = 0 }: ServedChangesProps) {
  const t = useT();
  const { document, present } = useDefinition();
  const told = tellServed(changes, { documents: [document, present.document], t });
  return (
    <ul className={classes.notes}>
      {told.map((one) => (
        <li key={one.path.join('.')}>{servedText(one, t)}</li>
      ))}
      {more > 0 && <li>{t('revisions.moreChanges', { count: more })}</li>}
    </ul>
  );
}
