// Errors of JSON Schema, as Ajv reports them, with their place in the value and in the words of a caller. Pure.

import type { ErrorObject } from 'ajv';

/** The message of an error by its keyword; that of `other` for a keyword without one. */
export interface SchemaWords<Message> {
  readonly [keyword: string]: (error: ErrorObject) => Message;
  readonly other: (error: ErrorObject) => Message;
}

export interface SchemaProblem<Message> {
  /** The steps from the value to the part that has the problem: also to a property that is missing, or not known. */
  readonly path: readonly string[];
  readonly message: Message;
}

export function describeError<Message>(
  error: ErrorObject,
  words: SchemaWords<Message>,
): SchemaProblem<Message> {
  const { additionalProperty, missingProperty, tag } = error.params;
  const property = additionalProperty ?? missingProperty ?? tag;
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = property === undefined ? steps : [...steps, String(property)];
  return { path, message: (words[error.keyword] ?? words.other)(error) };
}

/** True for an error that only wraps another one, and for that of the null branch of an optional property. */
export function isWrapper({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'type' && params.type === 'null');
}
