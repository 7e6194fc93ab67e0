// The types of fields, each with its icon, its name and an example.

import { useEffect, useRef } from 'react';
import type { FieldType } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { TYPE_NAMES } from '../../lib/type-names.ts';
import { FieldIcon } from './field-icon.tsx';
import { FIELD_KINDS, FIELD_TYPES } from './field-kinds.ts';
import classes from './type-chooser.module.css';

export function TypeChooser({ onChoose }: { readonly onChoose: (type: FieldType) => void }) {
  const t = useT();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <p className={classes.text}>{t('fields.chooseType')}</p>
      <ul className={classes.types}>
        {FIELD_TYPES.map((type, at) => (
          <li key={type}>
            <button
              ref={at === 0 ? first : undefined}
              type="button"
              className={classes.type}
              onClick={() => onChoose(type)}
            >
              <span className={classes.icon}>
                <FieldIcon type={type} />
              </span>
              <span>
                <span className={classes.name}>{t(TYPE_NAMES[type])}</span>
                <span className={classes.example}>{t(FIELD_KINDS[type].example)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
