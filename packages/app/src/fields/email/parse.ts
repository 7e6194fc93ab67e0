import type { Parsed } from '../field-edit.ts';
import type { FieldText } from '../field-text.ts';

/** The rule of the service. */
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\.]+$/u;

export function parseEmail(typed: string): Parsed {
  const value = typed.trim();
  return EMAIL.test(value) ? { value } : { problem: 'edit.notEmail' };
}

export const email: FieldText = { print: String, parse: parseEmail };
