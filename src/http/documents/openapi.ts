// The OpenAPI 3.1 document, made from the routes only (D68). Schemas with `$id` become components; every response
// names the codes it can carry.

import type Type from 'typebox';
import { ERROR_CATALOGUE, type ErrorCode } from '../../errors.ts';
import { runSteps, type Steps } from '../../model/steps.ts';
import { encodedOnce } from '../answer/content-coding.ts';
import { describeOperation } from '../answer/deprecation.ts';
import { SHOWN } from '../request/shown-schema.ts';
import { type FileContract, type Route, scopesOf } from '../route/route.ts';
import { answersOfFile, headersOf, headersOfSuccess } from './openapi-headers.ts';
import { COMMON_COMPONENTS, DESCRIPTIONS, HEADERS, SESSION } from './openapi-parts.ts';
import { type SentMessage, webhooksOf } from './openapi-webhooks.ts';
import { fileOf, type PublicDocument, type PublicFile } from './reference.ts';

/** General information about the interface. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The tags in the order in which they are shown. */
  readonly tags: Readonly<Record<string, string>>;
  /** Requests that the service sends to others, by name. */
  readonly webhooks: Readonly<Record<string, SentMessage>>;
}

type Json = Record<string, unknown>;
type AnyRoute = Pick<Route<never>, Exclude<keyof Route<never>, 'handle'>>;

const files = new WeakMap<readonly AnyRoute[], WeakMap<About, PublicFile>>();

/** `GET /v1/openapi.json`, which needs no key; made once for all servers of the process that have these routes. */
export function openApiDocument(routes: readonly AnyRoute[], about: About): PublicDocument {
  return {
    path: '/v1/openapi.json',
    load() {
      const known = files.get(routes) ?? new WeakMap<About, PublicFile>();
      files.set(routes, known);
      const file = known.get(about) ?? madeFile(JSON.stringify(buildOpenApi(routes, about)));
      known.set(about, file);
      return file;
    },
  };
}

/** Compressed once, when it is made. */
function madeFile(text: string): PublicFile {
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'max-age=0, must-revalidate',
  };
  return { ...fileOf(text, headers), encoded: encodedOnce(text) };
}

export function buildOpenApi(routes: readonly AnyRoute[], about: About): Json {
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    paths[route.path] = item;
    item[route.method.toLowerCase()] = operationOf(route, schemas);
  }
  const webhooks = webhooksOf(about.webhooks, (schema) => emit(schema, schemas));
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/v1' }],
    tags: Object.entries(about.tags).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    'x-session': SESSION,
    paths,
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: runSteps(
      componentSteps(
        { ...paths, ...webhooks },
        {
          ...COMMON_COMPONENTS,
          responses: Object.fromEntries(
            Object.entries(SHARED_RESPONSES).map(([status, { name, codes }]) => [
              name,
              failureOf(Number(status), codes),
            ]),
          ),
          schemas: { ...sorted(schemas), ...COMMON_COMPONENTS.schemas },
        },
      ),
    ),
  };
}

/** The components that the paths refer to, directly or through others. */
export function* componentSteps(
  paths: Json,
  components: Readonly<Record<string, Json>>,
): Steps<Json> {
  const used = new Set<string>();
  function* follow(part: unknown): Steps<void> {
    yield;
    for (const [, place] of JSON.stringify(part).matchAll(/"#\/components\/(\w+\/[\w-]+)"/g)) {
      if (place === undefined || used.has(place)) continue;
      used.add(place);
      const [kind = '', name = ''] = place.split('/');
      yield* follow(components[kind]?.[name]);
    }
  }
  for (const path of Object.values(paths)) {
    yield* follow(path);
    // Operations name a security scheme without a reference: `"security":[{"apiKey":[…]}]`.
    for (const [, name] of JSON.stringify(path).matchAll(/[[,]\{"(\w+)":\[/g)) {
      used.add(`securitySchemes/${name}`);
    }
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, parts]) => [
      kind,
      Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`${kind}/${name}`))),
    ]),
  );
}

/** The codes a route can answer: its own, and those every route of its kind shares. */
export function errorCodesOf(route: AnyRoute): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>([
    ...route.errors,
    ...(route.open === true ? [] : OF_CALLERS),
    ...(route.operator === true ? OF_OPERATORS : []),
    'validation_failed',
    // An ignored body has to arrive completely as well (D155).
    'request_timeout',
    'payload_too_large',
    'internal_error',
    'service_unavailable',
  ]);
  if (route.method !== 'GET') codes.add('cross_site_request');
  if (route.scope !== null) codes.add('insufficient_scope');
  if (route.sessionOnly === true) codes.add('permission_denied');
  if (route.fresh === true) codes.add('fresh_sign_in_required');
  if (route.open !== true && route.duringSetUp !== true) codes.add('second_factor_missing');
  if (route.takesFile !== undefined) codes.add('unsupported_media_type');
  if (route.body !== undefined) {
    const ofBodies = ['invalid_json', 'unsupported_media_type'] as const;
    for (const code of ofBodies) codes.add(code);
  }
  if (route.idempotent === true) {
    codes.add('idempotency_key_in_use').add('idempotency_key_reused');
  }
  const catalogue = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  return catalogue.filter((code) => codes.has(code));
}

/** The errors of every route that needs a caller. */
const OF_CALLERS = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_expired',
  'invalid_credentials',
  'tenant_host_mismatch',
  'developer_access_revoked',
  'rate_limited',
] as const satisfies readonly ErrorCode[];

const OF_OPERATORS = ['missing_api_key', 'invalid_api_key', 'route_not_found'] as const;

function operationOf(route: AnyRoute, schemas: Record<string, Json>): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...describeOperation(route),
    security: securityOf(route),
    ...(route.sessionOnly === true ? { 'x-session': 'required' } : {}),
    parameters: parametersOf(route, schemas),
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, schemas) }),
    ...(route.takesFile === undefined ? {} : { requestBody: fileBodyOf(route.takesFile) }),
    responses: responsesOf(route, schemas),
  };
}

/**
 * The keys of programs; one of them is enough. Generated clients send every alternative that a document has, so sessions of
 * browsers are not among them (D720).
 */
function securityOf(route: AnyRoute): readonly Json[] {
  if (route.operator === true) return [{ operatorKey: [] }];
  if (route.open === true || route.sessionOnly === true || route.feed === true) return [];
  return (scopesOf(route) ?? [undefined]).map((scope) => ({
    apiKey: scope === undefined ? [] : [scope],
  }));
}

function parametersOf(route: AnyRoute, schemas: Record<string, Json>): readonly Json[] {
  const header = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('query', route.query, schemas),
    ...(route.filters === true ? [header('filter')] : []),
    ...(route.idempotent === true ? [header('IdempotencyKey')] : []),
    ...(route.preconditions === true ? [header('IfMatch')] : []),
    ...(isConditional(route) ? [header('IfNoneMatch')] : []),
    ...(route.ranges === true ? [header('Range'), header('IfRange')] : []),
    ...(route.events === true ? [header('LastEventId')] : []),
  ];
}

function isConditional({ method, etag }: AnyRoute): boolean {
  return method === 'GET' && etag === true;
}

function parametersIn(
  place: 'path' | 'query',
  schema: Type.TSchema,
  schemas: Record<string, Json>,
): readonly Json[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = emit(property, schemas) as Json;
    const mustBeSent = place === 'path' || (required.includes(name) && !('default' in property));
    return {
      name,
      in: place,
      required: mustBeSent,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function requestBodyOf(route: AnyRoute, schemas: Record<string, Json>): Json {
  const schema = emit(route.body, schemas);
  return { required: route.bodyOptional !== true, content: { 'application/json': { schema } } };
}

function fileBodyOf({ types, arrives }: FileContract): Json {
  const all = arrives === undefined ? types : [...types, '*/*'];
  return { required: true, content: inTypes(all, { type: 'string' }) };
}

function inTypes(types: readonly string[], schema: unknown): Json {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function responsesOf(route: AnyRoute, schemas: Record<string, Json>): Json {
  const codes = errorCodesOf(route);
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))].sort();
  const failures = statuses.map((status) => {
    const ofStatus = codes.filter((code) => ERROR_CATALOGUE[code].status === status);
    return [status, responseOf(status, ofStatus, route)] as const;
  });
  const content = inTypes(mediaTypesOf(route), emit(route.result, schemas));
  return {
    [route.status]: {
      description: DESCRIPTIONS[route.status],
      headers: headersOfSuccess(route),
      content,
    },
    ...(route.accepted === undefined ? {} : { 202: acceptedOf(route.accepted, schemas) }),
    ...answersOfFile(route, content),
    ...(isConditional(route)
      ? { 304: { description: 'Not modified.', headers: headersOf(['X-Request-Id', 'ETag']) } }
      : {}),
    ...Object.fromEntries(failures),
  };
}

function mediaTypesOf({ events, givesFile }: AnyRoute): readonly string[] {
  return givesFile ?? [events === true ? 'text/event-stream' : 'application/json'];
}

function acceptedOf(schema: Type.TSchema, schemas: Record<string, Json>): Json {
  return {
    description: 'Accepted: a job continues the work.',
    headers: headersOf(['X-Request-Id', ...HEADERS.rate]),
    content: { 'application/json': { schema: emit(schema, schemas) } },
  };
}

/** Requests of open routes have no caller and are not counted: their answers have no rate headers. */
function responseOf(status: number, codes: readonly ErrorCode[], { open }: AnyRoute): Json {
  if (open === true) return failureOf(status, codes, []);
  const shared = SHARED_RESPONSES[status];
  return shared !== undefined && String(shared.codes) === String(codes)
    ? { $ref: `#/components/responses/${shared.name}` }
    : failureOf(status, codes);
}

/** The responses that nearly every route shares, described once. */
const SHARED_RESPONSES: Readonly<
  Record<number, { readonly name: string; readonly codes: readonly ErrorCode[] }>
> = {
  401: {
    name: 'Unauthorized',
    codes: ['missing_api_key', 'invalid_api_key', 'api_key_expired', 'invalid_credentials'],
  },
  408: { name: 'RequestTimeout', codes: ['request_timeout'] },
  413: { name: 'PayloadTooLarge', codes: ['payload_too_large'] },
  415: { name: 'UnsupportedMediaType', codes: ['unsupported_media_type'] },
  429: { name: 'RateLimited', codes: ['rate_limited'] },
  500: { name: 'InternalError', codes: ['internal_error'] },
  503: { name: 'ServiceUnavailable', codes: ['service_unavailable'] },
};

function failureOf(
  status: number,
  codes: readonly ErrorCode[],
  rate: readonly string[] = HEADERS.rate,
): Json {
  const names = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  else names.push(...rate);
  if (status === 429 || status === 503) names.push('Retry-After');
  const lines = codes.map((code) => `- \`${code}\`: ${ERROR_CATALOGUE[code].message}`);
  return {
    description: lines.join('\n'),
    headers: headersOf(names),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
    'x-error-codes': codes,
  };
}

/** Keywords whose values are data and not schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** A schema as the document shows it; named ones move to the components. */
function emit(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => emit(item, schemas));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, [SHOWN]: shown, ...rest } = schema as Json & { readonly $id?: string };
  const emitted = shown === undefined ? emitKeywords(rest, schemas) : (shown as Json);
  if ($id === undefined) return emitted;
  const known = schemas[$id];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(emitted)) {
    throw new Error(`two schemas are named ${$id}`);
  }
  schemas[$id] = emitted;
  return { $ref: `#/components/schemas/${$id}` };
}

function emitKeywords(schema: Json, schemas: Record<string, Json>): Json {
  const { patternProperties, required: _, ...rest } = schema;
  const emitted: Json = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (keyword === 'properties') emitted[keyword] = emitEach(value as Json, schemas);
    else emitted[keyword] = DATA.has(keyword) ? value : emit(value, schemas);
  }
  if (Array.isArray(emitted.enum) && emitted.enum.every((value) => typeof value === 'string')) {
    emitted.type ??= 'string';
  }
  if (schema.discriminator !== undefined) emitted.discriminator = withMapping(schema, emitted);
  const needed = requiredNames(schema);
  if (needed.length > 0) emitted.required = needed;
  const patterns = (patternProperties ?? {}) as Json;
  const any = patterns['^.*$'];
  if (any !== undefined) emitted.additionalProperties = emit(any, schemas);
  else if (patternProperties !== undefined) emitted.patternProperties = emitEach(patterns, schemas);
  return emitted;
}

/** Maps each value to its named branch; Ajv finds it by itself. */
function withMapping({ discriminator, oneOf }: Json, shown: Json): Json {
  const { propertyName } = discriminator as { readonly propertyName: string };
  const branches = oneOf as readonly { readonly properties: Readonly<Record<string, Json>> }[];
  const mapping = branches.flatMap(({ properties }, index) => {
    const values = (properties[propertyName]?.enum ?? []) as readonly string[];
    const { $ref } = (shown.oneOf as readonly Json[])[index] ?? {};
    return values.map((value) => [value, $ref] as const);
  });
  return { propertyName, mapping: Object.fromEntries(mapping) };
}

/** A map from names to schemas: its keys are not keywords. */
function emitEach(map: Json, schemas: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(map).map(([name, schema]) => [name, emit(schema, schemas)]),
  );
}

/** Properties with a default are optional: the pipeline fills them in. */
function requiredNames({ required, properties }: Json): readonly string[] {
  if (!Array.isArray(required)) return [];
  const known = (properties ?? {}) as Record<string, Json | undefined>;
  return required.filter((name: string) => !('default' in (known[name] ?? {})));
}

function sorted(schemas: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}
