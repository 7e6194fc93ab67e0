import type { Parsed } from '../field-edit.ts';
import type { FieldText } from '../field-text.ts';

/** `example.com/path`: a host with a domain, which people type and copy without the scheme. */
const HOST = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(:\d+)?([/?#]\S*)?$/u;

/** The rule of the service; an address without a scheme gets one. */
export function parseUrl(typed: string): Parsed {
  const text = typed.trim();
  const value = HOST.test(text) ? `https://${text}` : text;
  const isUrl = /^https?:\/\/[^\s/?#]\S*$/i.test(value) && URL.canParse(value);
  return isUrl ? { value } : { problem: 'edit.notUrl' };
}

export const url: FieldText = { print: String, parse: parseUrl };
