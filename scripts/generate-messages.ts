// The messages of the service for its clients: the English text of each id, with the names of inserted values.

import { ERROR_CATALOGUE } from '../src/errors.ts';
import { MESSAGES } from '../src/messages/catalogue.ts';
import { formatted } from './generate-client.ts';

/** The text of packages/client/src/messages.ts. */
export function clientMessages(): string {
  const codes = Object.entries(ERROR_CATALOGUE).map(([code, { message }]) => [code, message]);
  const messages = { ...Object.fromEntries(codes), ...MESSAGES };
  return formatted(`// Made from the messages of the service by scripts/generate.ts; changes here are lost.

    /** English texts by \`message_id\`; the values of \`params\` are in braces. */
    export const MESSAGES = ${JSON.stringify(messages)} as const;

    export type MessageId = keyof typeof MESSAGES;
  `);
}
