// The rights of a role beyond records: boxes, each with an explanation.

import { useT } from '../../lib/messages/index.ts';
import { draftedValue, FLAGS, pathOf } from './role-draft.ts';
import type { Editing } from './role-page.tsx';
import { FLAG_WORDS } from './role-words.ts';
import classes from './roles.module.css';

export function Flags({ role, edits, onEdit }: Editing) {
  const t = useT();
  return (
    <fieldset className={classes.flags}>
      <legend>{t('roles.beyond')}</legend>
      {FLAGS.map((flag) => {
        const part = { kind: 'flag', flag } as const;
        return (
          <label key={flag} data-changed={pathOf(part) in edits || undefined}>
            <input
              type="checkbox"
              checked={draftedValue(role, edits, part) === 'yes'}
              onChange={({ currentTarget }) =>
                onEdit([[part, currentTarget.checked ? 'yes' : 'no']])
              }
            />
            <span>
              <span className={classes.flag}>{t(FLAG_WORDS[flag].name)}</span>
              <span className={classes.hint}>{t(FLAG_WORDS[flag].text)}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
