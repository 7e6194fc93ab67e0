// The section `webhooks` of the OpenAPI document: the requests that the service sends to receivers.

import type Type from 'typebox';

/** A request that the service sends. */
export interface SentMessage {
  readonly summary: string;
  /** The schema of its body. */
  readonly schema: Type.TSchema;
}

/** An operation for each message; `emit` gives a schema as the document shows it. */
export function webhooksOf(
  messages: Readonly<Record<string, SentMessage>>,
  emit: (schema: Type.TSchema) => unknown,
): Record<string, Record<string, unknown>> {
  const entries = Object.entries(messages).map(([name, { summary, schema }]) => {
    const post = {
      operationId: `webhook_${name.replace('.', '_')}`,
      tags: ['Webhooks'],
      summary,
      security: [],
      parameters: HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema: emit(schema) } } },
      responses: { '2XX': { description: 'Received. Every other answer is a failure.' } },
    };
    return [name, { post }] as const;
  });
  return Object.fromEntries(entries);
}

const sent = (name: string, description: string) => {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
};

const HEADERS = [
  sent('webhook-id', 'The id of the event, the same for all attempts.'),
  sent('webhook-timestamp', 'The time of the attempt, in seconds since 1970.'),
  sent('webhook-signature', '`v1,` and an HMAC-SHA256 in base64; two while a secret is rotated.'),
  sent('webhook-attempt', '1 for the first attempt.'),
];
