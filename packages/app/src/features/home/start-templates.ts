// Templates that a new workspace can begin with: merge patches of its definition, with names in English and German.

import { KEEPING } from '../../lib/definition/document.ts';
import { homeCurrency } from '../../lib/home-currency.ts';

type Text = string | Readonly<Record<string, string>>;

interface Named {
  readonly name: Text;
}

export interface StartTemplate {
  readonly objects: Readonly<
    Record<
      string,
      typeof KEEPING & {
        readonly workflow?: string;
        readonly fields?: Readonly<Record<string, Named>>;
      }
    >
  >;
  readonly workflows: Readonly<
    Record<string, Named & { readonly statuses: Readonly<Record<string, Named>> }>
  >;
  readonly work_item_types?: Readonly<Record<string, Named>>;
}

const both = (en: string, de: string): Text => ({ en, de });

type Look = Partial<Record<'color' | 'category', string>>;

function status(name: Text, transitions: readonly string[], look: Look = {}) {
  return { name, ...look, transitions };
}

const ACTIVE: Look = { color: 'blue', category: 'active' };
const CHECKED: Look = { color: 'purple', category: 'active' };
const DONE: Look = { color: 'green', category: 'done' };

function option(value: string, en: string, de: string, color?: string) {
  return { value, label: both(en, de), ...(color === undefined ? {} : { color }) };
}

const priority = {
  name: both('Priority', 'Priorität'),
  type: 'select',
  options: [
    option('high', 'High', 'Hoch', 'red'),
    option('normal', 'Normal', 'Normal', 'blue'),
    option('low', 'Low', 'Niedrig', 'gray'),
  ],
};

export const WORK: StartTemplate = {
  objects: { work_items: { ...KEEPING, fields: { priority } } },
  workflows: {
    work: {
      name: both('Work', 'Arbeit'),
      initial: 'to_do',
      statuses: {
        to_do: status(both('To do', 'Zu tun'), ['doing', 'done']),
        doing: status(both('In progress', 'In Arbeit'), ['to_do', 'review', 'done'], ACTIVE),
        review: status(both('In review', 'In Prüfung'), ['doing', 'done'], CHECKED),
        done: status(both('Done', 'Erledigt'), ['to_do'], DONE),
      },
    } as Named & { statuses: Record<string, Named> },
  },
  work_item_types: {
    task: { name: both('Task', 'Aufgabe'), prefix: 'TASK', workflow: 'work' } as Named,
    bug: { name: both('Bug', 'Fehler'), prefix: 'BUG', workflow: 'work' } as Named,
  },
};

export const CRM: StartTemplate = {
  objects: {
    companies: {
      ...KEEPING,
      fields: {
        website: { name: both('Website', 'Website'), type: 'url' } as Named,
        industry: { name: both('Industry', 'Branche'), type: 'text' } as Named,
        employees: { name: both('Employees', 'Beschäftigte'), type: 'integer' } as Named,
      },
    },
    contacts: KEEPING,
    deals: {
      ...KEEPING,
      workflow: 'pipeline',
      fields: {
        value: {
          name: both('Value', 'Wert'),
          type: 'currency',
          currency: homeCurrency(),
          indexed: true,
        } as Named,
        close_date: {
          name: both('Close date', 'Abschluss am'),
          type: 'date',
          indexed: true,
        } as Named,
        priority,
      },
    },
    meetings: KEEPING,
    events: KEEPING,
    products: KEEPING,
  },
  workflows: {
    pipeline: {
      name: both('Pipeline', 'Verkauf'),
      initial: 'new',
      statuses: {
        new: status(both('New', 'Neu'), ['qualified', 'lost']),
        qualified: status(both('Qualified', 'Qualifiziert'), ['new', 'offer', 'lost'], ACTIVE),
        offer: status(
          both('Offer sent', 'Angebot gesendet'),
          ['qualified', 'won', 'lost'],
          CHECKED,
        ),
        won: status(both('Won', 'Gewonnen'), ['offer'], DONE),
        lost: status(both('Lost', 'Verloren'), ['new'], { color: 'red', category: 'cancelled' }),
      },
    } as Named & { statuses: Record<string, Named> },
  },
};

/** The lines of a template: an object with its fields, a workflow with its statuses, the types of work items. */
export function linesOf(
  { objects, workflows, work_item_types: types = {} }: StartTemplate,
  say: (text: Text) => string,
  nameOf: (objectType: string) => string,
): readonly { readonly title: string; readonly parts: readonly string[] }[] {
  const namesOf = (entries: Readonly<Record<string, Named>> = {}) =>
    Object.values(entries).map(({ name }) => say(name));
  return [
    ...Object.entries(objects)
      .map(([type, { fields }]) => ({
        title: nameOf(type),
        parts: type === 'work_items' ? [...namesOf(types), ...namesOf(fields)] : namesOf(fields),
      }))
      .filter(({ parts }) => parts.length > 0),
    ...Object.values(workflows).map(({ name, statuses }) => ({
      title: say(name),
      parts: namesOf(statuses),
    })),
  ];
}
