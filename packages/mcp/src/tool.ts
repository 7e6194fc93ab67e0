// The form of a tool: name, description and schema as clients list them, and what it does.

import type Type from 'typebox';
import type { Call } from './operations.ts';

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly openWorldHint: boolean;
}

export const READS: Annotations = Object.freeze({ readOnlyHint: true, openWorldHint: false });

interface ToolContract<Arguments extends Type.TSchema> {
  readonly name: string;
  readonly description: string;
  /** The key needs one of these scopes to see the tool; the service checks them at each call. */
  readonly scopes: readonly string[];
  /** True: the key needs all of the scopes. */
  readonly needsAll?: boolean;
  readonly annotations: Annotations;
  readonly inputSchema: Arguments;
  /** Parts of requests that the tool makes → the arguments that they come from, where the names differ. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A tool whose arguments have been checked against its schema. */
export interface Tool extends ToolContract<Type.TSchema> {
  /** The text of the answer. Errors: refusals (`refusals.ts`). */
  run(sent: unknown, call: Call): Promise<string>;
}

/** Declare a tool; its schema types the arguments. */
export function defineTool<Arguments extends Type.TSchema>(
  tool: ToolContract<Arguments> & {
    run(sent: Type.Static<Arguments>, call: Call): Promise<string>;
  },
): Tool {
  return Object.freeze(tool) as unknown as Tool;
}
