// A case of the access matrix: one request of one person, the oracle's answer to it, and the required body of the
// answer. Cases are data until the record they are about is known.

import type { Placed } from './cast.ts';
import type { Persona, Subject } from './definition.ts';
import type { ExpectedAnswer, Kind, PrincipalKind, Scope } from './oracle.ts';

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** The actual and the expected value. */
export type Comparison = readonly [actual: unknown, expected: unknown];

export interface Seen {
  // biome-ignore lint/suspicious/noExplicitAny: checks look into bodies of any shape.
  readonly body: any;
  readonly record: Placed;
  readonly principal: PrincipalKind;
  readonly scopes: readonly Scope[];
}

export interface Case {
  /** The attempt, the same for all people. */
  readonly name: string;
  readonly person: Persona;
  /** The route's scope first. */
  readonly needs: readonly Scope[];
  /** True: one of them is enough. */
  readonly anyOf?: boolean;
  /** The part of the request that needs a further one; the operation of a batch by default. */
  readonly neededBy?: (needed: Scope) => string;
  /** True: a key may not. */
  readonly sessionOnly?: boolean;
  /** With all scopes. */
  readonly expectedAnswer: ExpectedAnswer;
  /** The record it is about. */
  readonly about?: { readonly subject: Subject; readonly kind: Kind };
  /** True for writes: an allowed one gets a record of its own. */
  readonly writes?: boolean;
  readonly send: (record: Placed) => Sent;
  /** Only for an answer that is not a refusal. */
  readonly check?: (seen: Seen) => readonly Comparison[];
}

export const recordsPath = ({ type }: Subject) => `/objects/${type}/records`;

export const query = (parameters: Readonly<Record<string, string>>) =>
  `?${new URLSearchParams(parameters)}`;

export const sorted = (items: Iterable<unknown>) => [...items].map(String).sort();

export const idsOf = (items: readonly { readonly id: unknown }[]) =>
  sorted(items.map(({ id }) => id));
