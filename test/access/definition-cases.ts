// The access matrix of the definition over HTTP: none of these people is an administrator, so the document has only
// the parts that they may read by the oracle.

import { type Case, sorted } from './case.ts';
import { documentOf, emailOf, GUARDED, type Persona, SUBJECTS } from './definition.ts';
import { fieldsOf, fine, refusal } from './oracle.ts';

const DENIED = refusal(403, 'permission_denied');
const ROLES = Object.keys((documentOf() as { readonly roles: object }).roles);

export function definitionCases(person: Persona): readonly Case[] {
  const { grants, places, directory } = person;
  const subjects = grants.read === null ? [] : SUBJECTS;
  const readable = [...subjects.map(({ type }) => type), ...(places === null ? [] : ['places'])];
  const needs = ['workspace:read'] as const;
  return [
    {
      ...{ name: 'definition', person, needs, expectedAnswer: fine() },
      send: () => ({ path: '/definition' }),
      check({ body: { data } }) {
        const { objects, roles, relationships, users = {}, workflows } = data.document;
        const text = JSON.stringify(data);
        return [
          [data.complete, false],
          [sorted(Object.keys(objects)), sorted(readable)],
          [sorted(Object.keys(roles)), sorted(person.roles.filter((one) => ROLES.includes(one)))],
          [Object.keys(users).includes(emailOf('mate')), directory],
          [Object.keys(workflows), subjects.length > 0 ? ['flow'] : []],
          [Object.keys(relationships).length, places === null ? 0 : subjects.length],
          ...subjects.map((subject) => {
            // A field that records have among their custom ones.
            const keys = Object.keys(objects[subject.type].fields).filter((key) => key !== 'extra');
            const expected = fieldsOf(person, subject).filter((key) => keys.includes(key));
            return [sorted(keys), sorted(expected)] as const;
          }),
          ...(person.field === 'none' || grants.read === null
            ? GUARDED.map((key) => [new RegExp(`"${key}"`).test(text), false] as const)
            : []),
        ];
      },
    },
    {
      ...{ name: 'definition as a patch', person, needs, expectedAnswer: DENIED },
      send: () => ({ path: '/definition?form=patch' }),
    },
    {
      ...{ name: 'revisions', person, needs, expectedAnswer: DENIED },
      send: () => ({ path: '/definition/revisions' }),
    },
    {
      ...{ name: 'revision', person, needs, expectedAnswer: DENIED },
      send: () => ({ path: '/definition/revisions/1' }),
    },
    {
      ...{ name: 'plan', person, needs: ['workspace:write'], expectedAnswer: DENIED },
      send: () => ({ path: '/definition/plan', method: 'POST', body: { revision: 1 } }),
    },
  ];
}

export function applyCases(person: Persona): readonly Case[] {
  const body = { revision: 1, plan_id: 'x' };
  return [
    {
      ...{
        name: 'apply',
        person,
        needs: ['workspace:write'],
        expectedAnswer: DENIED,
        writes: true,
      },
      send: () => ({ path: '/definition/apply', method: 'POST', body }),
    },
  ];
}
