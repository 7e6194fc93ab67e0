// The objects that the navigation has under “More objects”: a setting of the person in this browser, by default those that
// the definition does not list. Rights and records stay as they are.

import type { ObjectSummary } from '@workspace-records/client';
import { useMemo } from 'react';
import { useObjects } from './schema-queries.ts';
import { useSession } from './session.ts';
import { readSetting, writeSetting } from './storage.ts';
import { createStore, useStore } from './store.ts';

/** The hidden objects by the name of the setting, as changed since the page was loaded. */
const changed = createStore<Readonly<Record<string, readonly string[]>>>({});

export function useHiddenObjects() {
  const { workspace, me } = useSession();
  const name = `hiddenObjects.${workspace}.${me.user.id}`;
  const known = useStore(changed)[name];
  const objects = useObjects();
  const hidden = useMemo(
    () => new Set(known ?? parseHidden(readSetting(name)) ?? unlistedOf(objects)),
    [known, name, objects],
  );
  return {
    hidden: hidden as ReadonlySet<string>,
    setHidden(type: string, isHidden: boolean) {
      const others = [...hidden].filter((one) => one !== type);
      const all = isHidden ? [...others, type] : others;
      writeSetting(name, JSON.stringify(all));
      changed.set({ ...changed.get(), [name]: all });
    },
  };
}

function unlistedOf(objects: readonly ObjectSummary[]): readonly string[] {
  return objects.filter(({ listed }) => listed === false).map(({ object_type }) => object_type);
}

/** The types of objects; undefined: the person has chosen none yet. */
export function parseHidden(text = ''): readonly string[] | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : undefined;
  } catch {
    return undefined;
  }
}
