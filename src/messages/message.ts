// Messages for people: an English text with an id and the values in it, by which a client says the same in another
// language.

import { MESSAGES } from './catalogue.ts';

export type MessageId = keyof typeof MESSAGES;

export type MessageParams = Readonly<Record<string, string | number | Message>>;

export interface Message {
  readonly text: string;
  readonly id: string;
  /** Only what the text has as well. */
  readonly params?: MessageParams;
}

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type Values<Text> = [NamesIn<Text>] extends [never]
  ? []
  : [params: Readonly<Record<NamesIn<Text>, string | number | Message>>];

/** The message with an id of the catalogue. An id is never used for another meaning. */
export function say<Id extends MessageId>(
  id: Id,
  ...[params]: Values<(typeof MESSAGES)[Id]>
): Message {
  const text: string = MESSAGES[id];
  if (params === undefined) return { id, text };
  const values: MessageParams = params;
  const filled = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => printed(values[name]));
  return { id, text: filled, params: values };
}

function printed(value: MessageParams[string] | undefined): string {
  return typeof value === 'object' ? value.text : String(value);
}

/** The sentence of a message that is a predicate, such as `must be a number`. */
export function about(subject: string, predicate: Message): Message {
  return ended({ ...predicate, text: `${subject} ${predicate.text}` });
}

/** The message with a full stop. */
export function ended(message: Message): Message {
  return message.text.endsWith('.') ? message : { ...message, text: `${message.text}.` };
}

/** A message as clients get it. */
export function writtenMessage({ id, text, params }: Message) {
  const values = params === undefined ? {} : { params: written(params) };
  return { message: text, message_id: id, ...values };
}

/** Details of an error as clients get them: each message in them is its text, with its id and params. */
export function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  if (isMessage(value)) return writtenMessage(value);
  const { message, ...others } = value as Readonly<Record<string, unknown>>;
  const parts = Object.entries(others).map(([name, part]) => [name, written(part)]);
  return {
    ...Object.fromEntries(parts),
    ...(isMessage(message) ? writtenMessage(message) : message === undefined ? {} : { message }),
  };
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'id' in value && 'text' in value;
}
