// The abilities of the records of an object: to have an owner, be found by search, be created, changed, deleted and
// commented on.

import { isBuiltIn, valueAt, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import classes from './model.module.css';
import type { ObjectSettingsProps } from './object-settings.tsx';

interface Ability {
  readonly path: readonly string[];
  readonly label: PlainKey;
}

const ABILITIES: readonly Ability[] = [
  { path: ['owned'], label: 'object.owned' },
  { path: ['searchable'], label: 'object.searchable' },
  { path: ['capabilities', 'create'], label: 'object.create' },
  { path: ['capabilities', 'update'], label: 'object.update' },
  { path: ['capabilities', 'delete'], label: 'object.delete' },
];

/** `/search` leaves them out unless the definition says otherwise. */
const UNSEARCHED: ReadonlySet<string> = new Set(['deals', 'products']);

export function ObjectAbilities({ type, object }: ObjectSettingsProps) {
  const t = useT();
  const { change } = useDefinition();
  const standard = ({ path }: Ability) => path[0] !== 'searchable' || !UNSEARCHED.has(type);
  return (
    <fieldset className={classes.choices}>
      <legend>{t('object.abilities')}</legend>
      {ABILITIES.map((ability) => {
        const { path, label } = ability;
        const setting = valueAt(object, path);
        return (
          <label key={label} className={classes.check}>
            <input
              type="checkbox"
              checked={typeof setting === 'boolean' ? setting : standard(ability)}
              onChange={({ currentTarget }) =>
                change((now) => withValue(now, ['objects', type, ...path], currentTarget.checked))
              }
            />
            {t(label)}
          </label>
        );
      })}
      {!(isBuiltIn(type) && type !== 'products') && (
        <label className={classes.check}>
          <input
            type="checkbox"
            checked={object.comments === true}
            onChange={({ currentTarget: { checked } }) =>
              change((now) => withValue(now, ['objects', type, 'comments'], checked || undefined))
            }
          />
          {t('object.comments')}
        </label>
      )}
    </fieldset>
  );
}
