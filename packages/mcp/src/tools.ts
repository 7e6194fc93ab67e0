// The list of tools, in the order in which clients see them.

import type { Tool } from './tool.ts';
import { aggregate } from './tools/aggregate.ts';
import { changes } from './tools/changes.ts';
import { deleteOne } from './tools/delete.ts';
import { describe } from './tools/describe.ts';
import { get } from './tools/get.ts';
import { merge } from './tools/merge.ts';
import { query } from './tools/query.ts';
import { search } from './tools/search.ts';
import { write } from './tools/write.ts';

export const TOOLS: readonly Tool[] = Object.freeze([
  describe,
  search,
  query,
  get,
  aggregate,
  write,
  deleteOne,
  merge,
  changes,
]);

/** A tool as `tools/list` answers it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' };
  readonly annotations: Tool['annotations'];
}

const LISTED: readonly (ListedTool & Pick<Tool, 'scopes' | 'needsAll'>)[] = TOOLS.map(
  ({ name, description, inputSchema, annotations, scopes, needsAll = false }) => {
    const schema = JSON.parse(JSON.stringify(inputSchema)) as ListedTool['inputSchema'];
    return { name, description, inputSchema: schema, annotations, scopes, needsAll };
  },
);

/** The tools that a key with these scopes can use: the same bytes each time. */
export function listTools(scopes: ReadonlySet<string>): ListedTool[] {
  const has = (scope: string) => scopes.has(scope);
  return LISTED.filter((tool) =>
    tool.needsAll ? tool.scopes.every(has) : tool.scopes.some(has),
  ).map(({ scopes: _, needsAll: __, ...listed }) => listed);
}
