// A route made ready to serve: validators compiled once, paths as the router wants them. Only the shape checks run
// per request.

import type Type from 'typebox';
import {
  ApiError,
  ERROR_CATALOGUE,
  type ErrorCode,
  errorFromProblems,
  type Problem,
} from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { Scope } from '../../model/rights/access.ts';
import { parseQueryString, type QueryShape, toInteger } from '../request/query-string.ts';
import { compileShape, type ShapeCheck } from '../request/validate.ts';
import { type FilterParameter, type Route, scopesOf } from './route.ts';

export interface CompiledRoute<Context> {
  readonly route: Route<Context>;
  /** `GET /objects/{object_type}`, for the log. */
  readonly label: string;
  readonly scopes: readonly Scope[] | undefined;
  /** False for requests that only read, whatever their method is. */
  readonly writes: boolean;
  /** False for questions: requests after which nothing is stored, not even a job. Others are refused to viewings (D536). */
  readonly stores: boolean;
  /**
   * True for writes to other data than records: after them the process checks for changes of credentials and rights
   * before the next request.
   */
  readonly administers: boolean;
  readonly params: PartOfRequest;
  readonly query: PartOfRequest & { readonly shape: QueryShape };
  readonly checkBody: ShapeCheck | undefined;
}

interface PartOfRequest {
  readonly integers: ReadonlySet<string>;
  readonly check: ShapeCheck;
}

export function compileRoute<Context>(route: Route<Context>): CompiledRoute<Context> {
  const integers = integersOf(route.query);
  const names = new Set(Object.keys(propertiesOf(route.query)));
  const ignoresOthers = route.ignoresOtherQuery === true;
  const shape = { names, integers, filters: route.filters === true, ignoresOthers };
  return Object.freeze({
    route,
    label: `${route.method} ${route.path}`,
    scopes: scopesOf(route),
    writes: route.method !== 'GET' && route.scope !== 'records:read',
    stores: route.method !== 'GET' && (route.scope !== 'records:read' || route.status !== 200),
    administers: route.method !== 'GET' && scopesOf(route)?.every(isOfRecords) !== true,
    params: {
      integers: integersOf(route.params),
      check: compileShape(route.params, { subject: 'The path' }),
    },
    query: { integers, shape, check: compileShape(route.query, { subject: 'The query string' }) },
    checkBody:
      route.body === undefined ? undefined : compileShape(route.body, { subject: 'The body' }),
  });
}

function isOfRecords(scope: Scope): boolean {
  return /^(?:records|comments):/.test(scope);
}

/** Path values: outside their pattern 400, or the route's 404 where it lists no 400 (D9). */
export function requireParams<Context>(
  { route, params: { integers, check } }: CompiledRoute<Context>,
  sent: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const name in sent) {
    const text = sent[name] ?? '';
    if (text.includes('\0')) {
      problems.push({
        param: name,
        code: 'validation_failed',
        message: say('path_value_malformed'),
      });
    }
    values[name] = integers.has(name) ? toInteger(text) : text;
  }
  if (problems.length === 0) problems.push(...check(values));
  if (problems.length === 0) return values;
  if (route.errors.includes('validation_failed') && route.malformedPathIsNotFound !== true) {
    throw errorFromProblems(problems);
  }
  const [name = ''] = Object.keys(sent).filter((one) => isNamed(problems, one));
  throw new ApiError(notFoundCode(route.errors, name === Object.keys(sent)[0]), { param: name });
}

/** Query parameters of the route's shape, and the filters; refuses everything else. */
export function requireQuery<Context>(
  { query: { shape, check } }: CompiledRoute<Context>,
  text: string,
): { readonly values: Record<string, unknown>; readonly filters: readonly FilterParameter[] } {
  const { values, filters, problems } = parseQueryString(text, shape);
  const wrong = check(values);
  if (problems.length === 0 && wrong.length === 0) return { values, filters };
  const named = new Set(problems.map(({ param }) => param));
  throw errorFromProblems([...problems, ...wrong.filter(({ param }) => !named.has(param))]);
}

function isNamed(problems: readonly Problem[], name: string): boolean {
  return problems.some(({ param }) => param === name);
}

/** A route lists what its path leads to from the outside in: the object type, then the record. */
function notFoundCode(errors: readonly ErrorCode[], outermost: boolean): ErrorCode {
  const codes = errors.filter((code) => ERROR_CATALOGUE[code].status === 404);
  return codes.at(outermost ? 0 : -1) ?? 'route_not_found';
}

function propertiesOf(schema: Type.TSchema): Readonly<Record<string, { readonly type?: unknown }>> {
  return (schema as { readonly properties?: Record<string, object> }).properties ?? {};
}

function integersOf(schema: Type.TSchema): ReadonlySet<string> {
  const properties = Object.entries(propertiesOf(schema));
  return new Set(properties.filter(([, { type }]) => type === 'integer').map(([name]) => name));
}
