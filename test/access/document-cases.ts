// The access matrix of the OpenAPI document of a workspace: it spells out the operations that this person may use
// with this key by the oracle, and its text does not contain any word that is kept from them.

import { type Case, type Comparison, sorted } from './case.ts';
import { GUARDED, type Persona, SUBJECTS, type Subject } from './definition.ts';
import { fieldsOf, fine, permissionsOf, type Scope } from './oracle.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties: object } | undefined>>;
  };
}

/** `GET /openapi.json?workspace=true`. */
export function documentCases(person: Persona): readonly Case[] {
  const { grants, places } = person;
  const subjects = grants.read === null ? [] : SUBJECTS;
  const readable = [...subjects.map(({ type }) => type), ...(places === null ? [] : ['places'])];
  return [
    {
      ...{ name: 'openapi', person, needs: ['records:read'], expectedAnswer: fine() },
      send: () => ({ path: '/openapi.json?workspace=true' }),
      check({ body, scopes }) {
        const document = body as Document;
        const types = Object.keys(document.paths).flatMap((path) => {
          return /^\/objects\/(\w+)\/records$/.exec(path)?.[1] ?? [];
        });
        return [
          [sorted(types), sorted(readable)],
          [wordsIn(JSON.stringify(document)), sorted(wordsFor(person))],
          ...subjects.flatMap((subject) => comparisons(document, { person, subject, scopes })),
        ];
      },
    },
  ];
}

/** Words of the definition that are in no other text of the document. */
const WORDS: readonly string[] = [...GUARDED, 'places', 'boats', 'reports', 'ledgers'];

function wordsIn(text: string): readonly string[] {
  return sorted(WORDS.filter((word) => new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i').test(text)));
}

function wordsFor({ grants, field, places }: Persona): readonly string[] {
  if (grants.read === null) return places === null ? [] : ['places'];
  return [
    ...['boats', 'reports', 'ledgers'],
    ...(field === 'none' ? [] : GUARDED),
    ...(places === null ? [] : ['places']),
  ];
}

interface Wanted {
  readonly person: Persona;
  readonly subject: Subject;
  readonly scopes: readonly Scope[];
}

function comparisons(
  { paths, components: { schemas } }: Document,
  { person, subject, scopes }: Wanted,
): readonly Comparison[] {
  const { create, update, delete: erase } = permissionsOf(person, subject, scopes);
  const records = `/objects/${subject.type}/records`;
  const has = (method: string, path: string) => paths[records + path]?.[method] !== undefined;
  const name = subject.type.replaceAll(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  const keysOf = (part: string) => Object.keys(schemas[`${part}Of${name}`]?.properties ?? {});
  const writes = (create?.allowed || update?.allowed) && person.field === 'write';
  return [
    [sorted(keysOf('Fields')), fieldsOf(person, subject)],
    [keysOf('WrittenFields').includes('probe'), writes],
    [has('get', ''), true],
    [has('post', ''), create?.allowed],
    [has('patch', '/{record_id}'), update?.allowed],
    [has('delete', '/{record_id}'), erase?.allowed],
    [has('post', '/{record_id}/status'), update?.allowed && subject.workflow],
    [has('get', '/{record_id}/comments'), subject.commentable && scopes.includes('comments:read')],
  ];
}
