// Changes of what somebody else has changed since: one's own is kept, or theirs.

import { Button } from '@mantine/core';
import { entryOf } from '../../lib/definition/changes.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { type EditConflict, isSamePath, ontoPresent } from '../../lib/definition/edits.ts';
import { plainValue } from '../../lib/definition-text.ts';
import { useT } from '../../lib/messages/index.ts';
import framed from '../../ui/framed-rows.module.css';
import { Section } from '../../ui/section.tsx';
import { placeText } from './plan-words.ts';
import classes from './plans.module.css';
import { settingText } from './setting-words.ts';
import { valueText } from './value-words.ts';

export function Conflicts({ conflicts }: { readonly conflicts: readonly EditConflict[] }) {
  const t = useT();
  return (
    <Section title={t('clash.title')} text={t('clash.text')}>
      <ul className={framed.rows}>
        {conflicts.map((conflict) => (
          <Conflict key={conflict.edit.path.join('.')} conflict={conflict} />
        ))}
      </ul>
    </Section>
  );
}

function Conflict({ conflict: { edit, kind, theirs } }: { readonly conflict: EditConflict }) {
  const t = useT();
  const { present, document, edits, replace } = useDefinition();
  const otherEdits = edits.filter(({ path }) => !isSamePath(path, edit.path));
  const setting = settingText(edit.path, t);
  const telling = { documents: [document, present.document], t };
  const valueWords = (value: unknown) =>
    valueText(edit.path, plainValue(edit.path.at(-1), value), telling);
  const keepMine = () => replace([...otherEdits, ...ontoPresent(present.document, edit)]);
  const nothing = t('clash.nothing');
  return (
    <li className={classes.change}>
      <div className={classes.head}>
        <span className={classes.title}>
          {placeText(entryOf(edit.path), [document, present.document], t)}
        </span>
      </div>
      {kind === 'gone' ? (
        <p className={classes.line}>{t('clash.gone')}</p>
      ) : (
        <dl className={classes.values}>
          <dt>{t('clash.theirs', { setting })}</dt>
          <dd>{valueWords(theirs) ?? nothing}</dd>
          <dt>{t('clash.mine', { setting })}</dt>
          <dd>{valueWords(edit.after) ?? nothing}</dd>
        </dl>
      )}
      <div className={classes.choice}>
        <Button variant="default" onClick={() => replace(otherEdits)}>
          {t('clash.takeTheirs')}
        </Button>
        {kind === 'changed' && (
          <Button variant="default" onClick={keepMine}>
            {t('clash.keepMine')}
          </Button>
        )}
      </div>
    </li>
  );
}
