// Components whose code comes when they are first shown. React's own `lazy` shows the fallback of its Suspense first, also
// where the code is there already, and then holds back what belongs there until 300 ms after that (FALLBACK_THROTTLE_MS):
// a click opened a dialog after 308 ms, and after 10 this way.

import { type ComponentType, useEffect, useState } from 'react';
import { loadCode } from './load-code.ts';
import { createStore, useStore } from './store.ts';

type Later<Props> = ComponentType<Props> & {
  /** Loads the code ahead of use. */
  readonly load: () => Promise<void>;
};

/** A component loaded on first use, for the top of a module. It renders nothing before its code has arrived. */
export function later<Props extends object>(
  find: () => Promise<{ readonly default: ComponentType<Props> }>,
): Later<Props> {
  const loaded = createStore<ComponentType<Props> | undefined>(undefined);
  const load = async () => {
    const { default: Found } = await loadCode(find);
    loaded.set(Found);
  };
  // biome-ignore lint/correctness/noComponentHookFactories: made once, at the top of a module, as `lazy` makes one.
  const Component = (props: Props) => {
    const Loaded = useStore(loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown }>();
    useEffect(() => {
      if (Loaded === undefined) load().catch((error: unknown) => setFailure({ error }));
    }, [Loaded]);
    if (failure !== undefined) throw failure.error;
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
  return Object.assign(Component, { load });
}
