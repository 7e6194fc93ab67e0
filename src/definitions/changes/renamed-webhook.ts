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
    changed_fields: namesNow(changed_fields, types, {
      renamed: (type, key) => renamed.fields.get(type)?.get(key),
      has: (type, key) => model.objects.get(type)?.fields.has(key) === true,
    }),
    where: object === undefined ? where : renamedWhere({ renamed, object }, where),
    status_to: namesNow(status_to, types, {
      renamed: (type, status) => renamed.statuses.get(type)?.get(status),
      has: (type, status) => statusesOf(model, type).includes(status),
    }),
  };
  const before = { object_types, changed_fields, where, status_to };
  return JSON.stringify(after) === JSON.stringify(before) ? webhook : { ...webhook, ...after };
}

interface Names {
  renamed(objectType: string, name: string): string | undefined;
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
      const other = renamed(type, name);
      return other === undefined && !has(type, name) ? [] : [other ?? name];
    });
    return found.length === 0 ? [name] : found;
  });
  return [...new Set(now)];
}

function statusesOf(model: RenamedKeys['model'], objectType: string): readonly string[] {
  const options = model.objects.get(objectType)?.fields.get('status')?.rules.options ?? [];
  return options.map(({ value }) => value);
}
