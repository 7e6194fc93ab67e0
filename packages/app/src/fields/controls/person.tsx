// A person who is found by typing.

import { useT } from '../../lib/messages/index.ts';
import { useNamesOfPeople, usePeople } from '../../lib/person-names.ts';
import { Choices } from '../choices.tsx';
import type { EditProps } from '../field-edit.ts';
import type { ChooseProps } from '../field-filter.ts';
import { OptionsSelect } from '../options-select.tsx';
import { ME, MY_TEAMS } from '../user.tsx';

const NONE: readonly number[] = [];

export function PersonEdit(props: EditProps<string>) {
  const { draft } = props;
  const t = useT();
  const people = [...usePeople()].map(([value, label]) => ({ value: String(value), label }));
  const isKnown = draft === '' || people.some(({ value }) => value === draft);
  const others = useNamesOfPeople(isKnown ? NONE : [Number(draft)]);
  const chosen = { value: draft, label: others.get(Number(draft)) ?? t('person.unknown') };
  return <OptionsSelect {...props} options={isKnown ? people : [chosen, ...people]} />;
}

export function ChoosePerson({ values, isMany, ...props }: ChooseProps) {
  const t = useT();
  const people = usePeople();
  const ids = values.filter((value): value is number => typeof value === 'number');
  const others = ids.filter((id) => !people.has(id));
  const names = useNamesOfPeople(others);
  const offered = [
    { value: ME, label: t('filter.me') },
    ...(isMany ? [{ value: MY_TEAMS, label: t('filter.myTeams') }] : []),
    ...[...people].map(([value, label]) => ({ value, label })),
    ...others.map((value) => ({
      value,
      label: names.get(value) ?? t('person.unknownOf', { id: value }),
    })),
  ];
  return <Choices {...props} {...{ values, isMany, offered }} />;
}
