// The translations of a definition document, of the names that base.yaml gives, and of system fields. Pure.

import type { Steps } from '../steps.ts';
import type { DefinitionDocument, FieldDefinition, ObjectDefinition } from './definition.ts';
import { BUILT_IN_OBJECT_TYPES } from './model.ts';
import {
  statusPlace,
  systemFieldPlace,
  type Text,
  type TextByLanguage,
  type Translations,
} from './texts.ts';

/** The names that base.yaml gives: its objects stay as readable as they are, and clients read it as before. */
const OF_BASE: Readonly<Record<string, string>> = {
  Companies: 'Firmen',
  Company: 'Firma',
  Contacts: 'Kontakte',
  Contact: 'Kontakt',
  Deals: 'Geschäfte',
  Deal: 'Geschäft',
  Meetings: 'Besprechungen',
  Meeting: 'Besprechung',
  Events: 'Veranstaltungen',
  Event: 'Veranstaltung',
  Products: 'Produkte',
  Product: 'Produkt',
  'Work items': 'Vorgänge',
  'Work item': 'Vorgang',
  'E-mail': 'E-Mail',
  Phone: 'Telefon',
  'Job title': 'Position',
  Title: 'Titel',
  'Starts at': 'Beginn',
  'Ends at': 'Ende',
  Location: 'Ort',
  Description: 'Beschreibung',
  'Due date': 'Fällig am',
  Type: 'Typ',
  Parent: 'Gehört zu',
  'Contacts and deals': 'Kontakte und Geschäfte',
  'Companies and meetings': 'Firmen und Besprechungen',
  'Contacts and meetings': 'Kontakte und Besprechungen',
  'Deals and meetings': 'Geschäfte und Besprechungen',
  'Contacts and events': 'Kontakte und Veranstaltungen',
  'Companies and events': 'Firmen und Veranstaltungen',
};

const BASE_TEXTS: ReadonlyMap<string, TextByLanguage> = new Map(
  Object.entries(OF_BASE).map(([en, de]) => [en, Object.freeze({ en, de })]),
);

/** Whether a translation is the service's own, of a name that the document has in one language. */
export function isOfBase(text: TextByLanguage): boolean {
  return BASE_TEXTS.get(text.en ?? '') === text;
}

/** The names of fields that every record has; a document does not name them. */
const SYSTEM_FIELDS: Readonly<Record<string, TextByLanguage>> = {
  id: { en: 'ID', de: 'ID' },
  public_id: { en: 'Public ID', de: 'Nummer' },
  status: { en: 'Status', de: 'Status' },
  custom_status_id: { en: 'Status', de: 'Status' },
  owner_user_id: { en: 'Owner', de: 'Besitzer' },
  created_at: { en: 'Created at', de: 'Angelegt am' },
  updated_at: { en: 'Updated at', de: 'Geändert am' },
};

/** All names of a document that it has in several languages, and those of system fields. */
export function* translationSteps(document: DefinitionDocument): Steps<Translations> {
  const texts = new Map<string, TextByLanguage>(
    Object.entries(SYSTEM_FIELDS).map(([key, text]) => [systemFieldPlace(key), text]),
  );
  const note: Note = (place, given, isBuiltIn) => {
    if (typeof given === 'string') {
      const text = isBuiltIn ? BASE_TEXTS.get(given) : undefined;
      if (text !== undefined) texts.set(place, text);
      return;
    }
    if (given === undefined) return;
    const entries = Object.entries(given).map(([language, one]) => [language.toLowerCase(), one]);
    texts.set(place, Object.freeze(Object.fromEntries(entries)));
  };
  for (const [type, object] of Object.entries(document.objects)) {
    yield;
    noteObject(note, type, object);
  }
  for (const [id, { name, statuses }] of Object.entries(document.workflows ?? {})) {
    note(`workflows.${id}.name`, name);
    for (const [status, { name: own }] of Object.entries(statuses))
      note(statusPlace(id, status), own);
  }
  for (const [slug, { name }] of Object.entries(document.work_item_types ?? {}))
    note(`work_item_types.${slug}.name`, name);
  for (const [key, { name }] of Object.entries(document.relationships ?? {}))
    note(`relationships.${key}.name`, name, true);
  return texts;
}

type Note = (place: string, text: Text | undefined, isBuiltIn?: boolean) => void;

function noteObject(note: Note, type: string, object: ObjectDefinition): void {
  const isBuiltIn = BUILT_IN_OBJECT_TYPES.includes(type);
  const objectPath = `objects.${type}`;
  note(`${objectPath}.name`, object.name, isBuiltIn);
  note(`${objectPath}.singular_name`, object.singular_name, isBuiltIn);
  for (const [key, field] of Object.entries(object.fields)) {
    note(`${objectPath}.fields.${key}.name`, field.name, isBuiltIn);
    noteField(note, `${objectPath}.fields.${key}`, field);
  }
}

function noteField(note: Note, place: string, { section, options }: FieldDefinition): void {
  note(`${place}.section`, section);
  for (const { value, label } of options ?? []) note(`${place}.options.${value}`, label);
}
