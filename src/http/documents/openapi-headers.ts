// The headers of successful answers in the OpenAPI document, and the further answers of files: a part, an address.

import type { Route } from '../route/route.ts';
import { DESCRIPTIONS, HEADERS } from './openapi-parts.ts';

type Json = Record<string, unknown>;
type Answering = Pick<
  Route<never>,
  'etag' | 'idempotent' | 'open' | 'ranges' | 'redirects' | 'status'
>;

export function headersOf(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Requests of open routes are not counted: their answers have no rate headers. */
export function headersOfSuccess(route: Answering): Json {
  return headersOf([
    'X-Request-Id',
    ...(route.open === true ? [] : HEADERS.rate),
    ...(route.etag === true ? ['ETag'] : []),
    ...(route.idempotent === true ? ['Idempotent-Replayed'] : []),
    ...(route.ranges === true ? ['Content-Disposition', 'Accept-Ranges'] : []),
    ...(route.status === 303 ? ['Location'] : []),
  ]);
}

export function answersOfFile(route: Answering, content: Json): Json {
  const part = { ...headersOfSuccess(route), ...headersOf(['Content-Range']) };
  const address = headersOf(['X-Request-Id', ...HEADERS.rate, 'Location']);
  return {
    ...(route.ranges === true
      ? { 206: { description: DESCRIPTIONS[206], headers: part, content } }
      : {}),
    ...(route.redirects === true
      ? { 302: { description: DESCRIPTIONS[302], headers: address } }
      : {}),
  };
}
