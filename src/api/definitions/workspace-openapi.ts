// The OpenAPI document of one workspace as one caller sees it: the public document with the paths and schemas of the
// objects spelled out, without the parts that the caller may not read.

import Type from 'typebox';
import type { Config } from '../../config.ts';
import { inSlices } from '../../control/process/slices.ts';
import { componentSteps } from '../../http/documents/openapi.ts';
import type { Reply, Route } from '../../http/route/route.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, objectAccess } from '../../model/rights/access.ts';
import { sessionOf } from '../../model/rights/principal.ts';
import type { Steps } from '../../model/steps.ts';
import { entityTag } from '../../model/values/entity-tag.ts';
import type { FieldType } from '../../model/values/field-types.ts';
import { defineRoute, type ServiceContext } from '../context.ts';
import { closed } from '../shapes.ts';
import { filterSchema, type Json } from './workspace-openapi-fields.ts';
import { namesOfObjects } from './workspace-openapi-names.ts';
import { componentsOf, type SeenObject, seeObject } from './workspace-openapi-object.ts';
import { pathsOf, type Share, sharedOperation, tagOf } from './workspace-openapi-paths.ts';

/** The parts of the public document that are looked at here. */
interface Contract {
  readonly info: Json;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Json;
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>> & {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly parameters: {
      readonly filter: { readonly schema: { readonly additionalProperties: Json } };
    } & Readonly<Record<string, Json>>;
  };
}

interface Operation extends Json {
  readonly tags: readonly string[];
  readonly security: readonly { readonly apiKey?: readonly string[] }[];
  readonly 'x-session'?: 'required';
}

/** The route; `publicDocument` is called once, when the first document is made. */
export function workspaceDocument(
  publicDocument: (config: Config) => object,
): Route<ServiceContext> {
  let contract: Contract | undefined;
  const cached: CachedDocument[] = [];
  return defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Schema',
    summary: 'Retrieve the OpenAPI document of the workspace',
    description: [
      'This document with the objects, fields, options and statuses that the user may read, and the',
      'writes that the key may do. Without a query string it is the public document, and needs no key.',
    ].join(' '),
    scope: 'records:read',
    params: Type.Object({}, closed),
    query: Type.Object({ workspace: Type.Enum(['true']) }, closed),
    status: 200,
    result: Type.Record(Type.String(), Type.Unknown(), { description: 'OpenAPI 3.1.' }),
    etag: true,
    errors: ['validation_failed'],
    async handle({ model, caller }, { config }) {
      const known = cached.find((one) => isFor(one, caller));
      if (known !== undefined) return known.reply;
      contract ??= JSON.parse(JSON.stringify(publicDocument(config))) as Contract;
      const body = await inSlices(workspaceOpenApiSteps(contract, model, caller));
      const text = JSON.stringify(body);
      const reply = { body, text, headers: { ETag: entityTag(text) } };
      cached.unshift({ access: caller.access, scopes: caller.scopes, reply });
      cached.length = Math.min(cached.length, KEPT);
      return reply;
    },
  });
}

/** Documents that are kept: one of 20 objects with 500 fields each takes 0.3 s to make. */
const KEPT = 8;

interface CachedDocument extends Pick<Caller, 'access' | 'scopes'> {
  readonly reply: Reply;
}

/**
 * Rights are compiled once for each revision and set of roles, and say all that a document shows.
 */
function isFor({ access, scopes }: CachedDocument, caller: Caller): boolean {
  const isSame = [...scopes].every((scope) => caller.scopes.has(scope));
  return access === caller.access && isSame && scopes.size === caller.scopes.size;
}

/** Operations on records of any object, which are spelled out. */
const OF_RECORDS = /^\/objects\/\{object_type\}\/records/;

function* workspaceOpenApiSteps(
  contract: Contract,
  model: WorkspaceModel,
  caller: Caller,
): Steps<Json> {
  const { share, shared } = openShared(contract);
  const filterOf = openFilters(share);
  const { schemas } = contract.components;
  const offered = offeredTo(caller, contract.paths);
  const isOfRecords = (path: string) => OF_RECORDS.test(path);
  const paths = Object.fromEntries(Object.entries(offered).filter(([path]) => !isOfRecords(path)));
  const general = Object.entries(offered)
    .filter(([path]) => isOfRecords(path))
    .map(([path, item]) => [path, sharedItem(item, share)] as const);
  const names = namesOfObjects(model);
  const objects: SeenObject[] = [];
  for (const object of model.objects.values()) {
    yield;
    if (objectAccess(caller, object).reach.read === null) continue;
    const seen = seeObject({ model, caller }, object, names.get(object.object_type) as string);
    objects.push(seen);
    Object.assign(paths, pathsOf(general, { seen, schemas, share }));
    Object.assign(
      shared.schemas as object,
      componentsOf(seen, schemas.RecordData as Json, filterOf),
    );
  }
  const { webhooks: sent, ...others } = contract;
  // Only for callers who can make webhooks.
  const webhooks = caller.scopes.has('webhooks:write') ? { webhooks: sent } : {};
  return {
    ...others,
    info: infoOf(contract, model),
    tags: tagsOf(contract, paths, objects),
    paths,
    ...webhooks,
    components: yield* componentSteps({ ...paths, ...webhooks }, shared),
  };
}

function sharedItem(item: Readonly<Record<string, Json>>, share: Share) {
  const operations = Object.entries(item).map(([method, operation]) => {
    return [method, sharedOperation(operation, share)] as const;
  });
  return Object.fromEntries(operations);
}

/** The operations that the key has a scope for; a session has all, and some are for it alone. */
function offeredTo({ scopes, principal }: Caller, paths: Contract['paths']): Contract['paths'] {
  const isSession = sessionOf(principal) !== undefined;
  const isOpen = ({ security, 'x-session': session }: Operation) =>
    isSession ||
    (security.length === 0 && session === undefined) ||
    security.some(({ apiKey }) => apiKey?.every((scope) => scopes.has(scope)) === true);
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([, operation]) => isOpen(operation));
    return [path, Object.fromEntries(operations)] as const;
  });
  return Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0));
}

/** Components that are added to those of the public document; equal ones have one name. */
function openShared({ components }: Contract) {
  const shared: Record<string, Record<string, Json>> = Object.fromEntries(
    Object.entries(components).map(([kind, parts]) => [kind, { ...parts }]),
  );
  const { additionalProperties } = components.parameters.filter.schema;
  shared.schemas = { ...components.schemas, QueryFilter: additionalProperties };
  const nameByText = new Map<string, string>();
  const share: Share = (kind, name, part) => {
    const parts = shared[kind] ?? {};
    shared[kind] = parts;
    const text = `${kind} ${JSON.stringify(part)}`;
    let free = nameByText.get(text) ?? name;
    for (let number = 2; !nameByText.has(text) && free in parts; number += 1)
      free = `${name}_${number}`;
    nameByText.set(text, free);
    parts[free] = part;
    return { $ref: `#/components/${kind}/${free}` };
  };
  return { share, shared };
}

/** One filter for each type of field; types that are compared alike share one. */
function openFilters(share: Share): (type: FieldType) => Json {
  const known = new Map<FieldType, Json>();
  return (type) => {
    const name = type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const filter = known.get(type) ?? share('schemas', `${name}Filter`, filterSchema(type));
    known.set(type, filter);
    return filter;
  };
}

function infoOf({ info }: Contract, { workspace }: WorkspaceModel): Json {
  const about = `The workspace ${workspace.name}, as the user of the key may see it.`;
  return { ...info, title: workspace.name, description: `${about}\n\n${info.description}` };
}

/** The general tags that are used, and one tag for each object. */
function tagsOf({ tags }: Contract, paths: Json, objects: readonly SeenObject[]): readonly Json[] {
  const items = Object.values(paths) as readonly Readonly<Record<string, Operation>>[];
  const used = new Set(items.flatMap((item) => Object.values(item).flatMap((one) => one.tags)));
  return [
    ...tags.filter(({ name }) => used.has(name)),
    ...objects.map((seen) => ({
      name: tagOf(seen),
      description: seen.object.description ?? `${seen.object.name}.`,
    })),
  ];
}
