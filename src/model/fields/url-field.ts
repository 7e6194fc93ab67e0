// `url`: an address of the web.

import { isWebAddress, withScheme } from '../../../packages/tables/src/text-shapes.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { defineTextType } from './text-values.ts';

export const urlField = defineTextType({
  name: 'url',
  card: { property: 'URL', reaches: false },
  takes: ['url', 'text', 'select'],
  defaultMaxLength: LIMITS.textLength,
  // Letters beyond ASCII are taken, which the format "uri" does not allow.
  schema: { type: 'string', format: 'iri' },
  search: { kind: 'text', byDefault: false },
  normalise: lowerHost,
  readCell: (text) => ({ value: withScheme(text.trim()) }),
  check(url) {
    return isWebAddress(url) ? undefined : say('must_be_url');
  },
});

/** Scheme and host in lower case (D30); the user name and password between them keep their case. */
function lowerHost(url: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?([^/?#]*)/i.exec(url);
  if (match === null) return url;
  const [start, scheme = '', credentials = '', host = ''] = match;
  return scheme.toLowerCase() + credentials + host.toLowerCase() + url.slice(start.length);
}
