// Webhooks follow what a definition renames, as views do (docs/design/webhooks.md): they ask for the same in the new
// keys. Pure.

import type { KeyedWebhook } from '../../plan/events/webhook-plan.ts';
import { type RenamedKeys, renamedWhere } from './renamed-view.ts';

/** The webhook in the new keys; the same one when it names nothing that is renamed. */
export function renamedWebhook<Webhook extends KeyedWebhook>(
  renamed: RenamedKeys,
  webhook: Webhook,
): Webhook {
  const { object_types, changed_fields, where, status_to } = webhook;
  const { model, objects } = renamed;
  const types = object_types.length === 0 ? [...model.objects.keys()] : object_types;
  const object = model.objects.get(object_types[0] ?? '');
  const after = {
    object_types: object_types.map((type) => objects.get(type) ?? type),
    changed_fields: namesNow(
      changed_fields.map((key) => relationshipNow(renamed, key)),
      types,
      {
        renamed: (type, key) => [renamed.fields.get(type)?.get(key) ?? []].flat(),
        has: (type, key) => model.objects.get(type)?.fields.has(key) === true,
      },
    ),
    where: object === undefined ? where : renamedWhere({ renamed, object }, where),
    status_to: namesNow(status_to, types, {
      renamed: (type, status) => renamed.statuses.get(type)?.get(status) ?? [],
      has: (type, status) => statusesOf(model, type).includes(status),
    }),
  };
  const before = { object_types, changed_fields, where, status_to };
  return JSON.stringify(after) === JSON.stringify(before) ? webhook : { ...webhook, ...after };
}

/** The id of a relationship of the definition, such as `link.pairs`; everything else stays. */
function relationshipNow({ relationships }: RenamedKeys, name: string): string {
  const [kind, key = ''] = name.split(/\.(.*)/s, 2);
  const now = kind === 'link' || kind === 'assoc' ? relationships.get(key) : undefined;
  return now === undefined ? name : `${kind}.${now}`;
}

interface Names {
  /** The new names; none: it is not renamed. */
  renamed(objectType: string, name: string): readonly string[];
  has(objectType: string, name: string): boolean;
}

/** A name may be one in several objects, of which some call it otherwise from now on. */
function namesNow(
  names: readonly string[],
  types: readonly string[],
  { renamed, has }: Names,
): readonly string[] {
  const now = names.flatMap((name) => {
    const found = types.flatMap((type) => {
      const others = renamed(type, name);
      return others.length === 0 && has(type, name) ? [name] : others;
    });
    return found.length === 0 ? [name] : found;
  });
  return [...new Set(now)];
}

function statusesOf(model: RenamedKeys['model'], objectType: string): readonly string[] {
  const options = model.objects.get(objectType)?.fields.get('status')?.rules.options ?? [];
  return options.map(({ value }) => value);
}
