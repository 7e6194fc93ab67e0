// An object with computed fields, compiled from its fields alone.

import { compileModel } from '../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../src/model/definition/definition.ts';
import type { ObjectModel } from '../src/model/definition/model.ts';

export function objectWith(fields: object): ObjectModel {
  const things = { name: 'Things', singular_name: 'Thing', fields };
  const document = { objects: { things } } as unknown as DefinitionDocument;
  const identity = { id: 1, slug: 'made', name: 'Made', schema: 'ws_made', revision: 1 };
  const model = compileModel({ ...identity, cursor_secret: Buffer.alloc(32) }, document);
  return model.objects.get('things') as ObjectModel;
}
