// Which people are listed, as the address has it: `q`, `role`, `team`, `kind`, `state`. Pure.

import type { MemberFilter } from '../../lib/members.ts';
import type { SearchParams } from '../../lib/search-params.ts';

export const STATES = ['active', 'inactive', 'all'] as const;
export const KINDS = ['user', 'agent', 'all'] as const;

export interface PeopleSearch {
  readonly q: string;
  readonly role: string;
  readonly team: string;
  readonly kind: (typeof KINDS)[number];
  readonly state: (typeof STATES)[number];
}

/** The default search: active people. */
const AT_FIRST: PeopleSearch = { q: '', role: '', team: '', kind: 'user', state: 'active' };

/** Parts without a meaning here are left out. */
export function peopleSearchOf({ q, role, team, kind, state }: SearchParams): PeopleSearch {
  return {
    q: q ?? '',
    role: role !== undefined && /^[a-z]\w*$/.test(role) ? role : '',
    team: team !== undefined && /^[1-9]\d*$/.test(team) ? team : '',
    kind: KINDS.find((one) => one === kind) ?? AT_FIRST.kind,
    state: STATES.find((one) => one === state) ?? AT_FIRST.state,
  };
}

/** The search as parameters of an address, without values that are the default. */
export function searchParamsOf(search: PeopleSearch): SearchParams {
  const named = Object.entries(search) as [keyof PeopleSearch, string][];
  return Object.fromEntries(named.filter(([name, value]) => value !== AT_FIRST[name]));
}

export function memberFilterOf({ q, role, team, kind, state }: PeopleSearch): MemberFilter {
  const text = q.trim();
  return {
    ...(text === '' ? {} : { q: text }),
    ...(role === '' ? {} : { role }),
    ...(team === '' ? {} : { team_id: Number(team) }),
    ...(kind === 'all' ? {} : { kind }),
    ...(state === 'all' ? {} : { active: state === 'active' }),
  };
}

/** True when nobody is left out but those that the page leaves out by itself. */
export function isUnfiltered(search: PeopleSearch): boolean {
  return Object.keys(searchParamsOf(search)).length === 0;
}
