// Switches a guard of the sources off for a while, to see that a test detects the fault.

/**
 * Run something while a module exports other things to all its importers. Unlike a mocked module it leaves all others
 * as they are: loading the sources again takes longer than most tests, for this file and for those after it.
 */
export async function withExports<Module extends object, Result>(
  module: Module,
  replace: (real: Module) => Partial<Module>,
  run: () => Promise<Result>,
): Promise<Result> {
  const real = { ...module };
  const replaced = Object.entries(replace(real));
  const put = (entries: readonly (readonly [string, unknown])[]) => {
    for (const [name, value] of entries) {
      Object.defineProperty(module, name, {
        configurable: true,
        enumerable: true,
        get: () => value,
      });
    }
  };
  const before = replaced.map(([name]) => [name, real[name as keyof Module]] as const);
  put(replaced);
  try {
    return await run();
  } finally {
    put(before);
  }
}
