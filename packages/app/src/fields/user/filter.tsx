import { useT } from '../../lib/messages/index.ts';
import { useNamesOfPeople, usePeople, usePersonName } from '../../lib/person-names.ts';
import { Choices } from '../choices.tsx';
import type { ChooseProps, FieldFilter, WordProps } from '../field-filter.ts';
import { CHOICE_PHRASES } from '../phrases.ts';

/** The current user, and the people of their teams: the same condition for everybody. */
const ME = Object.freeze({ me: true });
const MY_TEAMS = Object.freeze({ my_teams: true });

function has(value: unknown, word: string): boolean {
  return typeof value === 'object' && value !== null && word in value;
}

function PersonWord({ value, field }: WordProps) {
  const t = useT();
  if (has(value, 'me')) return t('filter.me');
  if (has(value, 'my_teams')) return t('filter.myTeams');
  return typeof value === 'number' ? <Name value={value} field={field} /> : String(value);
}

function Name({ value }: WordProps) {
  return usePersonName(Number(value));
}

function Choose({ values, isMany, ...props }: ChooseProps) {
  const t = useT();
  const people = usePeople();
  const ids = values.filter((value): value is number => typeof value === 'number');
  const unlistedIds = ids.filter((id) => !people.has(id));
  const names = useNamesOfPeople(unlistedIds);
  const offered = [
    { value: ME, label: t('filter.me') },
    ...(isMany ? [{ value: MY_TEAMS, label: t('filter.myTeams') }] : []),
    ...[...people].map(([value, label]) => ({ value, label })),
    ...unlistedIds.map((value) => ({
      value,
      label: names.get(value) ?? t('person.unknownOf', { id: value }),
    })),
  ];
  return <Choices {...props} {...{ values, isMany, offered }} />;
}

export const user: FieldFilter = { phrases: CHOICE_PHRASES, Choose, Word: PersonWord };
