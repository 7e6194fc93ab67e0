import { useT } from '../../lib/messages/index.ts';
import { Choices } from '../choices.tsx';
import type { ChooseProps, FieldFilter, WordProps } from '../field-filter.ts';
import { CHOICE_PHRASES } from '../phrases.ts';

function BooleanWord({ value }: WordProps) {
  const t = useT();
  return value === true ? t('field.yes') : t('field.no');
}

function Choose(props: ChooseProps) {
  const t = useT();
  const offered = [
    { value: true, label: t('field.yes') },
    { value: false, label: t('field.no') },
  ];
  return <Choices {...props} offered={offered} />;
}

/** The operators for two values; choosing one value comes first. */
const phrases = ['eq', 'ne', 'empty', 'filled', 'in', 'not_in'].flatMap((id) =>
  CHOICE_PHRASES.filter((phrase) => phrase.id === id),
);

export const boolean: FieldFilter = { phrases, Choose, Word: BooleanWord };
