import { folded } from '../../../tables/src/folded.ts';
import { useT } from '../lib/messages/index.ts';
import { usePersonName } from '../lib/person-names.ts';
import { Avatar } from '../ui/avatar.tsx';
import type { WordProps } from './field-filter.ts';
import type { FieldKind, ShowProps } from './field-kind.ts';
import classes from './fields.module.css';
import { CHOICE_PHRASES } from './phrases.ts';
import { PLAIN_DRAFT } from './plain.tsx';

/** The conditions for the current user and for the people of their teams, which are the same for everybody. */
export const ME = Object.freeze({ me: true });
export const MY_TEAMS = Object.freeze({ my_teams: true });

function has(value: unknown, word: string): boolean {
  return typeof value === 'object' && value !== null && word in value;
}

function Name({ value }: WordProps) {
  return usePersonName(Number(value));
}

function Show({ value }: ShowProps) {
  const name = usePersonName(Number(value));
  return (
    <span className={classes.marked}>
      <Avatar name={name} size="small" />
      <span className={classes.line}>{name}</span>
    </span>
  );
}

function PersonWord({ value, field }: WordProps) {
  const t = useT();
  if (has(value, 'me')) return t('filter.me');
  if (has(value, 'my_teams')) return t('filter.myTeams');
  return typeof value === 'number' ? <Name value={value} field={field} /> : String(value);
}

export const user: FieldKind = {
  name: 'type.user',
  example: 'type.userExample',
  icon: 'M8 8a2.800 2.800 0 1 0 0-5.500A2.800 2.800 0 0 0 8 8zm-5.500 5.500c.4-2.500 2.500-3.700 5.500-3.700s5.100 1.200 5.500 3.700',
  Show,
  width: 170,
  isSorted: false,
  firstOn: { head: 6, linked: 7 },
  text: {
    // People are typed by name, e-mail address or number.
    needs: 'people',
    print: (value, { field, nameOf }) => nameOf(value, field) ?? `#${value}`,
    parse(typed, { named }) {
      const found = named.get(folded(typed).replace(/^#/, ''));
      if (found === 'ambiguous') return { problem: 'grid.ambiguous' };
      return found === undefined ? { problem: 'grid.noPerson' } : { value: Number(found) };
    },
  },
  phrases: CHOICE_PHRASES,
  Word: PersonWord,
  edit: {
    control: 'person',
    isChoice: true,
    start: PLAIN_DRAFT.start,
    parse: (draft) => ({ value: draft === '' ? null : Number(draft) }),
  },
};
