// The objects that the navigation has under “More objects”: a setting of the person in this browser. Rights and records
// stay as they are.

import { useMemo } from 'react';
import { useSession } from './session.ts';
import { readSetting, writeSetting } from './storage.ts';
import { createStore, useStore } from './store.ts';

/** The hidden objects by the name of the setting, as changed since the page was loaded. */
const changed = createStore<Readonly<Record<string, readonly string[]>>>({});

export function useHiddenObjects() {
  const { workspace, me } = useSession();
  const name = `hiddenObjects.${workspace}.${me.user.id}`;
  const known = useStore(changed)[name];
  const hidden = useMemo(() => new Set(known ?? parseHidden(readSetting(name))), [known, name]);
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

/** The types of objects. */
export function parseHidden(text = '[]'): readonly string[] {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
