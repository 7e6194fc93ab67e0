// A definition file, as a document that the draft can lead to. Pure but for the parser.

import { parseDocument } from 'yaml';
import { type DefinitionDocument, isEntries } from '../../lib/definition/document.ts';
import { mergePatch } from '../../lib/definition/edits.ts';

export type ReadFile =
  | { readonly patch: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

export function readFile(text: string): ReadFile {
  const parsed = parseDocument(text, { prettyErrors: true });
  const [error] = parsed.errors;
  if (error !== undefined) return { problem: error.message.split('\n')[0] ?? error.message };
  const patch: unknown = parsed.toJS({ maxAliasCount: 100 });
  return isEntries(patch) ? { patch } : { problem: '' };
}

/** `over`: the base for a file that is the whole definition, the stored document for one that adds to it. */
export function documentOf(
  over: unknown,
  patch: Readonly<Record<string, unknown>>,
): DefinitionDocument {
  const { $schema: _, ...rest } = patch;
  const merged = mergePatch(over, rest) as DefinitionDocument;
  return { ...merged, objects: merged.objects ?? {} };
}
