// `workspace-records types`: its output for a workspace, and that the compiler checks the calls of the client against
// it.

import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addTypesCommand, typesOf } from '../../src/cli/commands/types.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import type { Objects } from '../data/acme.d.ts';
import { openWorld, type World } from '../world.ts';
import { clientOf } from './client-world.ts';
import { useObjects } from './typed-calls.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let world: World;

beforeAll(async () => {
  world = await openWorld();
  for (const [name, value] of Object.entries(world.database.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.close();
});

/** Run the command; returns its output. */
async function types(slug: string, ...more: readonly string[]): Promise<string> {
  let out = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  try {
    const program = new Command().exitOverride();
    addTypesCommand(program);
    await program.parseAsync(['types', '--workspace', slug, ...more], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return out;
}

test('the command prints every object of a workspace', async () => {
  // Update with npx vitest run -u test/client/types.full.test.ts; typed-calls.ts is compiled against it.
  await expect(await types('acme')).toMatchFileSnapshot('../data/acme.d.ts');
  await expect(types('nowhere')).rejects.toThrow('There is no workspace "nowhere"');
});

test('of a person, the types have the fields they may read and write', async () => {
  const own = await types('acme', '--as', 'rob@acme.example');
  const client = await world.as('rob');
  const { data } = (await client.get('/objects')).body;
  const shown = [...own.matchAll(/^ {2}(\w+): \{\n {4}read: /gm)].map(([, name]) => name);
  expect(shown.sort()).toEqual(data.map((one: { object_type: string }) => one.object_type).sort());
  const partOf = (name: string) => own.split(`export interface ${name} {`)[1]?.split('\n}')[0];
  expect(partOf('Deals')).toMatch(/^ {2}code: /m);
  expect(partOf('DealsWrite')).not.toMatch(/code\??:/);
  expect(own).not.toMatch(/secret|revenue/);
  expect(await types('acme')).toMatch(/secret/);
  expect(own).toContain('types --workspace acme --as rob@acme.example');
  await expect(types('acme', '--as', 'no@one')).rejects.toThrow('There is no user "no@one"');
});

test('the compiler holds the calls of the client to the types', () => {
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const file = join(import.meta.dirname, 'typed-calls.ts');
  const options = ['strict', 'noEmit', 'exactOptionalPropertyTypes', 'allowImportingTsExtensions'];
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      ...[compiler, '--ignoreConfig', '--target', 'es2022', '--lib', 'es2022,dom'],
      ...['--module', 'nodenext', '--types', '', '--singleThreaded'],
      ...options.map((name) => `--${name}`),
      file,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

test("the compiler's view of the fields is true", async () => {
  const { client } = await clientOf<Objects>(world, 'ada');
  expect(await useObjects(client)).toEqual({
    asked: 1,
    selected: { amount: 5, tags: ['hot'] },
    custom: { name: 'Acme', custom_fields: { note: 'Good' } },
    status: 'open',
    keys: true,
  });
});

test('names are names of TypeScript, whatever they are in the workspace', () => {
  const object = (name: string, fields: object) => ({ name, singular_name: name, fields });
  const document = {
    objects: {
      '3d-models': object('Models */ of things', { a: { type: 'select', options: [] } }),
      my_parts: object('Parts', { class: { type: 'json', required: true, storage: 'jsonb' } }),
      'my-parts': object('Other parts', {
        kind: { type: 'multi_select', options: [{ value: 'a "quoted" one' }, { value: "it's" }] },
        needed: { type: 'boolean', required: true },
        standard: { type: 'integer', required: true, default: 4 },
        shut: { type: 'text', editable: false },
      }),
      objects: object('Objects', {}),
      work_items: object('Work', {
        work_item_type_id: { type: 'text', required: true },
        only_some: { type: 'date', required: true },
      }),
    },
    workflows: {
      w: { name: 'W', initial: 'a-b', statuses: { 'a-b': { name: 'A' }, c: { name: 'C' } } },
    },
    work_item_types: {
      task: { name: 'Task', prefix: 'T', workflow: 'w', fields: ['only_some'] },
      bug: { name: 'Bug', prefix: 'B', workflow: 'w' },
    },
  } as unknown as DefinitionDocument;
  const identity = { id: 1, slug: 'odd', name: 'Odd', schema: 's', revision: 2 };
  const model = compileModel({ ...identity, cursor_secret: Buffer.alloc(32) }, document);
  expect(typesOf(model).replaceAll(/^ *\/\*\* .*\n/gm, '')).toMatchInlineSnapshot(`
    "// The objects of the workspace "odd", revision 2. Made by
    // workspace-records types --workspace odd

    export interface Object3dModels {
      id: string;
      owner_user_id: number | null;
      created_at: string;
      updated_at: string;
      a: string | null;
    }

    export interface Object3dModelsWrite {
      owner_user_id?: number | null;
      a?: string | null;
    }

    export interface MyParts {
      id: string;
      owner_user_id: number | null;
      created_at: string;
      updated_at: string;
      custom_fields: {
        class: unknown;
      };
    }

    export interface MyPartsWrite {
      owner_user_id?: number | null;
      custom_fields: {
        class: unknown;
      };
    }

    export interface MyParts2 {
      id: string;
      owner_user_id: number | null;
      created_at: string;
      updated_at: string;
      kind: ("a \\"quoted\\" one" | "it's")[] | null;
      needed: boolean | null;
      standard: number | null;
      shut: string | null;
    }

    export interface MyParts2Write {
      owner_user_id?: number | null;
      kind?: ("a \\"quoted\\" one" | "it's")[] | null;
      needed: boolean;
      standard?: number;
    }

    export interface Objects2 {
      id: string;
      owner_user_id: number | null;
      created_at: string;
      updated_at: string;
    }

    export interface Objects2Write {
      owner_user_id?: number | null;
    }

    export interface WorkItems {
      id: string;
      public_id: string;
      status: "a-b" | "c";
      custom_status_id: "a-b" | "c";
      owner_user_id: number | null;
      created_at: string;
      updated_at: string;
      work_item_type_id: "task" | "bug" | null;
      only_some?: string | null;
    }

    export interface WorkItemsWrite {
      owner_user_id?: number | null;
      work_item_type_id: "task" | "bug";
      only_some?: string;
    }

    export interface Objects {
      "3d-models": {
        read: Object3dModels;
        write: Object3dModelsWrite;
      };
      my_parts: {
        read: MyParts;
        write: MyPartsWrite;
      };
      "my-parts": {
        read: MyParts2;
        write: MyParts2Write;
      };
      objects: {
        read: Objects2;
        write: Objects2Write;
      };
      work_items: {
        read: WorkItems;
        write: WorkItemsWrite;
      };
    }
    "
  `);
});
