// The message catalogue: a text for each key in each language, with the names of inserted values in braces. English
// is the reference: its keys and its names are types, so a text that lacks one does not compile. `{name, inside}`: a
// common noun within a sentence (sentence-case.ts).

import type { MessageId, RecordsError } from '@workspace-records/client';
import { readSetting, writeSetting } from '../storage.ts';
import { createStore, useStore } from '../store.ts';
import type { agents } from './en/agents.ts';
import type { deliveries } from './en/deliveries.ts';
import type { factor } from './en/factor.ts';
import type { icons } from './en/icons.ts';
import type { importNotices } from './en/import-notices.ts';
import { en } from './en/index.ts';
import type { merge } from './en/merge.ts';
import { insideSentence } from './sentence-case.ts';

/** The texts of each language but English, in a folder named by its code; loaded on use. */
const FOLDERS = import.meta.glob<Texts>(['./*/index.ts', '!./en/index.ts']);
const TEXTS = new Map(
  Object.entries(FOLDERS).map(([path, load]) => [path.split('/')[1] ?? path, load] as const),
);

/** The code of a language, such as `de` (BCP 47). */
export type Language = string;
export const LANGUAGES: readonly Language[] = ['en', ...TEXTS.keys()];

/** The name of a language in itself: `Deutsch`. */
export function languageName(language: Language): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

/** Tests of plain functions run without a browser. */
const LANGUAGES_OF_BROWSER: readonly string[] = globalThis.navigator?.languages ?? [];

/** English texts, also those that come with the code that says them (`addTexts`). */
type English = typeof en &
  typeof deliveries &
  typeof factor &
  typeof agents &
  typeof icons &
  typeof importNotices &
  typeof merge;

export type MessageKey = keyof English;

/** A text, or one for each form of a number (`Intl.PluralRules`), which is then called `count`. */
type Text = string | { readonly one: string; readonly other: string };

type PlainOf<Key extends MessageKey> = English[Key] extends { readonly other: infer Other }
  ? Other
  : English[Key];

type NamesIn<Plain> = Plain extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}, inside` ? Bare : Name) | NamesIn<Rest>
  : never;

type Arguments<Key extends MessageKey> = [NamesIn<PlainOf<Key>>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<PlainOf<Key>>, string | number>>];

export type Catalogue = {
  readonly [Key in MessageKey]: English[Key] extends string ? string : Text;
};

export type Translate = <Key extends MessageKey>(key: Key, ...values: Arguments<Key>) => string;

/** Messages without anything to put in, which tables of them can name. */
export type PlainKey = {
  [Key in MessageKey]: Arguments<Key> extends [] ? Key : never;
}[MessageKey];

export type ServiceTexts = Readonly<Record<MessageId, string>>;

/** Names that the service gives, by their English. */
export type BaseNames = Readonly<Record<string, string>>;

interface Chosen {
  readonly language: Language;
  readonly catalogue: Catalogue;
  readonly t: Translate;
  /** The texts of the service by the ids of its messages; undefined: those of the service. */
  readonly service: ServiceTexts | undefined;
  /** A sentence of the service without an id, such as a reason that is stored with a job. */
  tell(said: string): string;
  readonly baseNames: BaseNames;
}

const ENGLISH: Texts = {
  ...{ catalogue: en as unknown as Catalogue, service: undefined, baseNames: {} },
  tell: (said) => said,
};

const chosen = createStore<Chosen>(chosenOf('en', ENGLISH));

/** Adds English texts that are not part of the first page. */
export function addTexts(texts: Partial<Catalogue>): void {
  Object.assign(en, texts);
}

export function useT(): Translate {
  return useStore(chosen).t;
}

export function useLanguage(): Language {
  return useStore(chosen).language;
}

export function currentLanguage(): Language {
  return chosen.get().language;
}

/** For code outside of components. */
export function translate(): Translate {
  return chosen.get().t;
}

/** A message of the service, such as a problem of a field. */
export interface ServiceMessage {
  readonly message: string;
  readonly message_id?: string;
  readonly params?: unknown;
}

/** The message in the language; in English where the language has no text for its id. */
export function messageText({ message, message_id = '', params = {} }: ServiceMessage): string {
  const service: Partial<ServiceTexts> = chosen.get().service ?? {};
  const text = Object.hasOwn(service, message_id) ? service[message_id as MessageId] : undefined;
  if (text === undefined) return message;
  const values = params as Readonly<Record<string, string | number | ServiceMessage>>;
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'object' ? messageText(value) : apart(String(value ?? ''));
  });
}

/** The message of an error, by its id or, without one, by its code. */
export function errorText({ code, message, details = {} }: ErrorWithMessage): string {
  const { message_id = code, params } = details;
  return messageText({ message, message_id, params });
}

type ErrorWithMessage = Pick<RecordsError, 'code' | 'message'> & {
  readonly details: Partial<ServiceMessage> | undefined;
};

/** A sentence of the service without an id; English where the language has none for it. */
export function told(said: string): string {
  return chosen.get().tell(said);
}

/** A name of the base definition; the same where the language has none for it. */
export function baseName(name: string): string {
  const { baseNames } = chosen.get();
  return Object.hasOwn(baseNames, name) ? (baseNames[name] ?? name) : name;
}

/** The locale of numbers and dates where the person is: `en-GB` and not `en`, when the browser says so. */
export function localeOf(
  language: Language,
  wished: readonly string[] = LANGUAGES_OF_BROWSER,
): string {
  return wished.find((one) => one.split('-')[0] === language) ?? language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  writeSetting('language', language);
  await loadLanguage(language);
}

/** The language that was chosen here, else the first one of the browser that there is. */
export function preferredLanguage(
  setting = readSetting('language'),
  wished: readonly string[] = LANGUAGES_OF_BROWSER,
): Language {
  const codes = [setting ?? '', ...wished].map((code) => code.split('-')[0] ?? '');
  return codes.find((code) => LANGUAGES.includes(code)) ?? 'en';
}

/** Languages other than English are loaded on use. */
export async function loadLanguage(language: Language): Promise<void> {
  const texts = (await TEXTS.get(language)?.()) ?? ENGLISH;
  document.documentElement.lang = language;
  chosen.set(chosenOf(language, texts));
}

type Texts = Pick<Chosen, 'catalogue' | 'baseNames' | 'service' | 'tell'>;

function chosenOf(language: Language, texts: Texts): Chosen {
  const { catalogue } = texts;
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(localeOf(language));
  const t = (key: MessageKey, values: Readonly<Record<string, string | number>> = {}) => {
    const text: Text = catalogue[key];
    const isOne = typeof text !== 'string' && plurals.select(Number(values.count)) === 'one';
    const plain = typeof text === 'string' ? text : isOne ? text.one : text.other;
    return plain.replaceAll(/\{(\w+)(, inside)?\}/g, (_, name: string, inside?: string) => {
      const value = values[name];
      if (typeof value === 'number') return numbers.format(value);
      return apart(inside === undefined ? (value ?? '') : insideSentence(value ?? ''));
    });
  };
  return { ...texts, language, t: t as Translate };
}

/** Scripts that are written from right to left. */
const FROM_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Between the marks of an isolate, such a name does not change the direction of its sentence. */
function apart(value: string): string {
  return FROM_RIGHT.test(value) ? `\u2068${value}\u2069` : value;
}
