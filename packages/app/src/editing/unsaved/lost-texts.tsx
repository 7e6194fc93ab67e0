// The texts of fields that a form no longer has: removed, or out of the person's reach.

import { useTextContext } from '../../fields/use-text-context.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { StoredForm } from '../creation-state.ts';
import { formTexts, linesOf } from './edit-texts.ts';
import classes from './unsaved.module.css';

interface LostTextsProps {
  readonly reason?: PlainKey;
  readonly form: Pick<StoredForm, 'drafts' | 'fields'>;
  /** Keys of the fields of the form. */
  readonly present?: ReadonlySet<string>;
}

export function LostTexts({ form, present, reason = 'edits.lostFields' }: LostTextsProps) {
  const t = useT();
  const contextOf = useTextContext();
  const texts = formTexts(form, contextOf).filter(({ field }) => present?.has(field.key) !== true);
  if (texts.length === 0) return null;
  return (
    <section className={classes.note} aria-label={t(reason)} role="alert">
      <p className={classes.reason}>{t(reason)}</p>
      <dl className={classes.values}>
        {texts.map(({ field, text }) => (
          <div key={field.key}>
            <dt>{field.name ?? field.key}</dt>
            <dd className={classes.text}>{text}</dd>
          </div>
        ))}
      </dl>
      <CopyButton text={linesOf(texts)} />
    </section>
  );
}
