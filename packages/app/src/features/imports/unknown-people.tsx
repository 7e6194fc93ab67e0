// The people in a column who are not members: how many, and a member for each whom a person chooses.

import '../../lib/import-notice-texts.ts';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ListedMember } from '@workspace-records/client';
import { folded } from '../../../../tables/src/folded.ts';
import { someMembersQuery } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import classes from './column-details.module.css';
import type { ColumnPlan } from './import-draft.ts';

/** Members that are read; with more, the check alone says who is unknown. */
const MOST_MEMBERS = 100;
const SHOWN = 20;

interface UnknownPeopleProps {
  readonly plan: ColumnPlan;
  readonly texts: readonly string[];
  readonly onChange: (plan: ColumnPlan) => void;
}

export function UnknownPeople({ plan, texts, onChange }: UnknownPeopleProps) {
  const t = useT();
  const { data: members = [] } = useQuery(someMembersQuery(useSession(), {}, MOST_MEMBERS));
  if (members.length === 0 || members.length === MOST_MEMBERS) return null;
  const unknown = unknownPeople(members, texts);
  if (unknown.length === 0) return null;
  const choose = (text: string, address: string) => {
    const { [text]: _, ...others } = plan.values;
    onChange({ ...plan, values: address === '' ? others : { ...others, [text]: address } });
  };
  const nobody = t(plan.missing === 'empty' ? 'import.notFoundEmpty' : 'import.notFoundReject');
  return (
    <>
      <p className={classes.warning}>
        {t('import.notMembers', { count: unknown.length, names: unknown.slice(0, 3).join(', ') })}
      </p>
      <ul className={classes.values}>
        {unknown.slice(0, SHOWN).map((text) => (
          <li key={text} className={classes.value}>
            <span className={classes.word}>{text}</span>
            <NativeSelect
              size="xs"
              aria-label={t('import.memberFor', { name: text })}
              value={String(plan.values[text] ?? '')}
              data={[
                { value: '', label: nobody },
                ...members.flatMap(({ name, email }) =>
                  email === null ? [] : [{ value: email, label: name ?? email }],
                ),
              ]}
              onChange={({ currentTarget }) => choose(text, currentTarget.value)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function unknownPeople(
  members: readonly Pick<ListedMember, 'name' | 'email' | 'id'>[],
  texts: readonly string[],
): readonly string[] {
  const words = members.flatMap(({ name, email, id }) => [name ?? '', email ?? '', String(id)]);
  const known = new Set(words.map(folded));
  return texts.filter((text) => !known.has(folded(text)));
}
