// Operations that will go, for clients: headers of their answers, and their text in the OpenAPI document
// (docs/versions.md, "What is deprecated").

import type { Deprecation } from '../route/route.ts';

/** RFC 9745 and RFC 8594. */
export function deprecationHeaders(deprecated: Deprecation | undefined): Record<string, string> {
  if (deprecated === undefined) return {};
  const { since, sunset } = deprecated;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
  };
}

/** The properties of an operation that describe it. */
export function describeOperation({
  description,
  deprecated,
}: {
  readonly description?: string;
  readonly deprecated?: Deprecation;
}): Record<string, unknown> {
  if (deprecated === undefined) return description === undefined ? {} : { description };
  const { since, sunset, instead } = deprecated;
  const end = `Deprecated since ${since}, to be removed not before ${sunset}. ${instead}`;
  return { description: [description, end].filter(Boolean).join(' '), deprecated: true };
}
