// The cards of a board of Trello, with names in place of ids. Comments, checklists and attachments are counted. Pure.

import type { LeftOut } from './format-rows.ts';

type Item = Readonly<Record<string, unknown>>;

const itemsOf = (value: unknown): readonly Item[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const byId = (items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));

export interface Board {
  readonly cards: readonly Item[];
  readonly leftOut: readonly LeftOut[];
}

/** Undefined: the document is not a board. */
export function trelloBoard(document: Item): Board | undefined {
  const { cards, lists, members } = document;
  if (!Array.isArray(cards) || !Array.isArray(lists)) return undefined;
  if (!itemsOf(cards).every((card) => 'idList' in card && 'idBoard' in card)) return undefined;
  const listsById = byId(itemsOf(lists));
  const people = byId(itemsOf(members));
  const labels = byId(itemsOf(document.labels));
  const rows = itemsOf(cards).map((card) => {
    const list = listsById.get(card.idList);
    const ownLabels = Array.isArray(card.labels)
      ? itemsOf(card.labels)
      : namedBy(labels, card.idLabels);
    return {
      Name: card.name,
      Description: card.desc,
      List: list?.name,
      Labels: ownLabels.map(({ name, color }) => textOf(name) || textOf(color)),
      Members: namedBy(people, card.idMembers).map(
        ({ fullName, username }) => textOf(fullName) || textOf(username),
      ),
      Start: card.start,
      Due: card.due,
      Complete: card.dueComplete,
      Archived: card.closed === true || list?.closed === true,
      URL: card.shortUrl ?? card.url,
      ID: card.id,
      'Last activity': card.dateLastActivity,
    };
  });
  return { cards: rows, leftOut: leftOutOf(document) };
}

function leftOutOf({ actions, checklists, cards }: Item): readonly LeftOut[] {
  const comments = itemsOf(actions).filter(({ type }) => type === 'commentCard');
  const ofCards = (name: string) => itemsOf(cards).flatMap((card) => itemsOf(card[name]));
  return [
    { name: 'comments', count: comments.length },
    { name: 'checklists', count: itemsOf(checklists).length },
    { name: 'attachments', count: ofCards('attachments').length },
    { name: 'custom fields', count: ofCards('customFieldItems').length },
  ].filter(({ count }) => count > 0);
}

function namedBy(items: ReadonlyMap<unknown, Item>, ids: unknown): readonly Item[] {
  const known: readonly unknown[] = Array.isArray(ids) ? ids : [];
  return known.map((id) => items.get(id)).filter((item) => item !== undefined);
}
