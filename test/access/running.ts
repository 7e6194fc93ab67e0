// Runs cases of the access matrix: each with all scopes and with one of the smaller sets in turn, many at once over
// kept connections. Differences from the oracle are collected, not thrown.

import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../http-client.ts';
import type { Case, Sent } from './case.ts';
import { type Cast, FOREIGN_WORD, GUARDED_WORD, MATE_WORD, type Placed } from './cast.ts';
import { type FieldAccess, PERSONAS, type Persona, SUBJECTS } from './definition.ts';
import {
  ALL_SCOPES,
  atTheDoor,
  type ExpectedAnswer,
  type Kind,
  type PrincipalKind,
  SCOPE_SETS,
  type Scope,
  VIEWING_SCOPES,
} from './oracle.ts';

export interface Run {
  readonly case: Case;
  readonly principal: PrincipalKind;
  readonly scopes: readonly Scope[];
  readonly expectedAnswer: ExpectedAnswer;
}

export interface Outcome extends Run {
  readonly sent: Sent;
  readonly answer: Answer;
  readonly mismatches: readonly string[];
}

/**
 * All with a key of all scopes; of each name every fifth again with one of the smaller sets, each in its
 * turn, and every sixth in a session, which agents never have.
 */
export function planRuns(cases: readonly Case[]): readonly Run[] {
  const counts = new Map<string, number>();
  return cases.flatMap((one) => {
    const count = counts.get(one.name) ?? 0;
    counts.set(one.name, count + 1);
    const smaller = SCOPE_SETS[1 + ((count / 5) % (SCOPE_SETS.length - 1))];
    const isViewed = count % 4 === 1;
    const inSession = count % 6 === 0 && one.person.kind === 'user';
    const tried: readonly Pick<Run, 'principal' | 'scopes'>[] = [
      { principal: 'key', scopes: ALL_SCOPES },
      ...(smaller === undefined ? [] : [{ principal: 'key', scopes: smaller } as const]),
      ...(inSession ? [{ principal: 'session', scopes: ALL_SCOPES } as const] : []),
      ...(isViewed ? [{ principal: 'viewing', scopes: VIEWING_SCOPES } as const] : []),
    ];
    return tried.map((asked) => ({
      ...{ case: one, ...asked },
      expectedAnswer:
        atTheDoor(one.person, asked, { ...one, isQuestion: isQuestion(one) }) ?? one.expectedAnswer,
    }));
  });
}

const QUESTIONS = /\/(?:search|query|aggregate)$/;

/** By the request alone, which does not depend on the record. A method without a route changes nothing either. */
function isQuestion({ send, expectedAnswer }: Case): boolean {
  const { method = 'GET', path } = send(NOTHING);
  const isRouted = expectedAnswer.code !== 'method_not_allowed';
  return !isRouted || method === 'GET' || QUESTIONS.test(path);
}

const ACCESSES: readonly FieldAccess[] = ['none', 'read', 'write'];
const FIELD_WRITES = /guarded|jsonb|reference|ref|upsert/;
/** Sent alone and as an operation of a batch. */
const HAS_TWIN = /^(?:batch|update|status|delete|link|unlink|create (?!for))/;
const NOBODYS: readonly Kind[] = ['other_workspace', 'absent', 'malformed'];

/**
 * True for the cases that are tried. Everybody is tried on deals; on each of the others every grant
 * meets one field access, and every field access a third of the grants. Writes without a guarded
 * field are tried by one field access only, and by turns alone and in a batch.
 */
export function isTried({ name, person, about, writes }: Case, turn: number): boolean {
  const subject = about === undefined ? -1 : SUBJECTS.indexOf(about.subject);
  const access = ACCESSES.indexOf(person.field);
  const isPlain = person.name.endsWith(`-${person.field}`);
  const column = Math.trunc(PERSONAS.indexOf(person) / ACCESSES.length);
  const isFull = about === undefined || about.subject.type === 'deals';
  if (isPlain && !isFull && (column + access + subject) % ACCESSES.length !== 0) return false;
  const nobodys = NOBODYS.indexOf(about?.kind ?? 'mine');
  if (name !== 'get' && nobodys !== -1 && turn % NOBODYS.length !== nobodys) return false;
  if (writes !== true) return true;
  if (isPlain && person.field !== 'write' && !FIELD_WRITES.test(name)) return false;
  return !HAS_TWIN.test(name) || Math.trunc(turn / 2) % 2 === Number(name.startsWith('batch'));
}

/**
 * Of cases that are alike but for the person (the same request on the same kind of record with the same
 * outcome, and the same fields to be shown) the first and every `nth` after it. Refusals show nothing of the record: they
 * are alike for every subject, and `nth` of an odd number takes them from each.
 */
export function everyNth(cases: readonly Case[], nth: number): readonly Case[] {
  const seen = new Map<string, number>();
  return cases.filter(({ name, about, person, expectedAnswer: { status, code, param } }) => {
    const shown = status < 400 ? [about?.subject.type, person.field] : [];
    const kind = [name, about?.kind, status, code, param, ...shown].join();
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    return before % nth === 0;
  });
}

export const isAllowed = ({ expectedAnswer }: Run) => expectedAnswer.status < 400;

const NOTHING: Placed = { id: '', title: '', probe: '', rank: 0 };

/**
 * The records of the runs: an allowed write gets one of its own, all else share those that stay.
 */
async function recordsOf(cast: Cast, runs: readonly Run[]): Promise<readonly Placed[]> {
  const ownerOf = ({ case: { about, person } }: Run) => {
    if (about?.kind === 'mine') return person.name;
    return { mate: 'mate', foreign: 'stranger' }[about?.kind as string];
  };
  const consuming = runs.filter(
    (run) => run.case.writes === true && isAllowed(run) && ownerOf(run),
  );
  const wanted = consuming.map((run) => {
    const subject = run.case.about?.subject;
    if (subject === undefined) throw new Error(`${run.case.name} is about no record`);
    return { subject, owner: ownerOf(run) as string };
  });
  const placed = await cast.fresh(wanted);
  const fresh = new Map(consuming.map((run, index) => [run, placed[index] as Placed]));
  return runs.map((run) => {
    const { about, person } = run.case;
    if (about === undefined) return NOTHING;
    return fresh.get(run) ?? cast.record(about.subject, about.kind, person);
  });
}

/** Send them all, many at once. */
export async function execute(cast: Cast, runs: readonly Run[]): Promise<readonly Outcome[]> {
  const records = await recordsOf(cast, runs);
  const outcomes: Outcome[] = [];
  let next = 0;
  async function work() {
    for (let index = next++; index < runs.length; index = next++) {
      const run = runs[index] as Run;
      const record = records[index] as Placed;
      const sent = run.case.send(record);
      const credential = await credentialOf(cast, run);
      const { path, ...request } = sent;
      const answer = await cast.call(path, { ...request, ...credential });
      outcomes[index] = { ...run, sent, answer, mismatches: mismatchesOf(run, record, answer) };
    }
  }
  await Promise.all(Array.from({ length: 32 }, work));
  return outcomes;
}

async function credentialOf(cast: Cast, { principal, scopes, case: { person } }: Run) {
  if (principal === 'key') return { key: await cast.key(person.name, scopes) };
  if (principal === 'viewing') return cast.viewing(person.name);
  const { cookie, token } = await cast.session(person.name);
  return { headers: { cookie, 'sec-fetch-site': 'same-origin' }, owner: token };
}

function mismatchesOf(run: Run, record: Placed, answer: Answer): readonly string[] {
  const { expectedAnswer, principal, scopes } = run;
  const { person, check } = run.case;
  const found = leaksOf(person, principal, answer.text);
  const { error, data, openapi } = answer.json ?? {};
  const seen = [answer.status, error?.code, error?.param];
  const expected = [expectedAnswer.status, expectedAnswer.code, expectedAnswer.param];
  if (!isDeepStrictEqual(seen, expected)) {
    return [...found, `${JSON.stringify(seen)} should be ${JSON.stringify(expected)}`];
  }
  if (expectedAnswer.status >= 400) {
    if (!isDeepStrictEqual(Object.keys(answer.json), ['error'])) found.push('a refusal with data');
    const scope = error.details?.required_scope;
    if (scope !== expectedAnswer.requiredScope) found.push(`required_scope is ${scope}`);
    return found;
  }
  if ((data ?? openapi) === undefined) found.push('no data');
  for (const [actual, wanted] of check?.({ body: answer.json, record, principal, scopes }) ?? []) {
    if (isDeepStrictEqual(actual, wanted)) continue;
    found.push(`${JSON.stringify(actual)} should be ${JSON.stringify(wanted)}`.slice(0, 600));
  }
  return found;
}

/** In the answer to any request: a hidden field or a record out of reach must not appear. */
function leaksOf(
  { grants, field, developer, active }: Persona,
  principal: PrincipalKind,
  text: string,
): string[] {
  const reach = active && (developer || principal !== 'key') ? grants.read : null;
  const hidden = [
    ...(field === 'none' ? [GUARDED_WORD] : []),
    ...(reach === 'organisation' ? [] : [FOREIGN_WORD]),
    ...(reach === 'organisation' || reach === 'team' ? [] : [MATE_WORD]),
  ];
  return hidden.filter((word) => text.includes(word)).map((word) => `${word} is shown`);
}

/** A mismatch as a person can try it again. */
export function describeMismatch(outcome: Outcome): string {
  const { case: one, principal, scopes, sent, mismatches } = outcome;
  const { name, person, about } = one;
  const record = about === undefined ? '' : ` ${about.subject.type}/${about.kind}`;
  const request = `${sent.method ?? 'GET'} ${sent.path} ${JSON.stringify(sent.body ?? null)}`;
  const missing = ALL_SCOPES.filter((scope) => !scopes.includes(scope)).join();
  const who = `${name}${record} as ${person.name} by ${principal} without [${missing}]`;
  return `${who}: ${mismatches.join('; ')} — ${request}`;
}
