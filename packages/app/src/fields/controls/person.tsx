// A person who is found by typing.

import { useState } from 'react';
import { folded } from '../../../../tables/src/folded.ts';
import { useT } from '../../lib/messages/index.ts';
import { useFoundPeople, useNamesOfPeople } from '../../lib/person-names.ts';
import { Choices } from '../choices.tsx';
import type { EditProps } from '../field-edit.ts';
import type { ChooseProps } from '../field-filter.ts';
import { OptionsSelect } from '../options-select.tsx';
import { ME, MY_TEAMS } from '../user.tsx';

const NONE: readonly number[] = [];

export function PersonEdit(props: EditProps<string>) {
  const { draft } = props;
  const t = useT();
  const [text, search] = useState('');
  const people = [...useFoundPeople(text)].map(([value, label]) => ({
    value: String(value),
    label,
  }));
  const isKnown = draft === '' || people.some(({ value }) => value === draft);
  const others = useNamesOfPeople(isKnown ? NONE : [Number(draft)]);
  const chosen = { value: draft, label: others.get(Number(draft)) ?? t('person.unknown') };
  return (
    <OptionsSelect {...props} options={isKnown ? people : [chosen, ...people]} onSearch={search} />
  );
}

export function ChoosePerson({ values, isMany, ...props }: ChooseProps) {
  const t = useT();
  const [text, search] = useState('');
  const people = useFoundPeople(text);
  const ids = values.filter((value): value is number => typeof value === 'number');
  const unlisted = ids.filter((id) => !people.has(id));
  const names = useNamesOfPeople(unlisted);
  const offered = [
    { value: ME, label: t('filter.me') },
    ...(isMany ? [{ value: MY_TEAMS, label: t('filter.myTeams') }] : []),
    ...[...people].map(([value, label]) => ({ value, label })),
    ...unlisted.map((value) => ({
      value,
      label: names.get(value) ?? t('person.unknownOf', { id: value }),
    })),
  ];
  const wanted = folded(text);
  const matching = offered.filter(({ label }) => folded(label).includes(wanted));
  return <Choices {...props} {...{ values, isMany }} offered={matching} onSearch={search} />;
}
