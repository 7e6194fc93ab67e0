// The store of unsaved edits: each is bound to its subject, survives the page, and is erased with the session.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OWN_TAB } from '../src/lib/live-tabs.ts';
import { fieldPlace, openEdits } from '../src/lib/unsaved-edits.ts';

/** As browsers keep it: its entries are its own properties. */
class MemoryStorage {
  getItem(name: string) {
    return Reflect.get(this, name) ?? null;
  }
  setItem(name: string, value: string) {
    Reflect.set(this, name, value);
  }
  removeItem(name: string) {
    Reflect.deleteProperty(this, name);
  }
}

beforeEach(() => void vi.stubGlobal('localStorage', new MemoryStorage()));
afterEach(() => void vi.unstubAllGlobals());

const record = { object_type: 'companies', id: 'a' };
const edit = (key: string, draft: unknown) => ({
  ...fieldPlace(record, { key }),
  name: 'Acme',
  draft,
});

test('another page has the edits of the person, and no page those of another', () => {
  const page = openEdits('wrs.edits:acme:1:');
  page.put(edit('name', 'one'));
  page.put(edit('remark', 'two'));
  page.put(edit('remark', 'three'));
  page.drop(edit('name', ''));
  const left = [...openEdits('wrs.edits:acme:1:').get().values()];
  expect(left).toEqual([{ ...edit('remark', 'three'), tab: OWN_TAB }]);
  expect(openEdits('wrs.edits:acme:11:').get().size).toBe(0);
  expect(openEdits('wrs.edits:other:1:').get().size).toBe(0);
});

test('pages that type at the same time keep both edits', () => {
  const [one, other] = [openEdits('wrs.edits:acme:1:'), openEdits('wrs.edits:acme:1:')];
  one.put(edit('name', 'one'));
  other.put(edit('remark', 'two'));
  expect(openEdits('wrs.edits:acme:1:').get().size).toBe(2);
});

test('after the session nothing is left, also of a request that fails then', () => {
  const page = openEdits('wrs.edits:acme:1:');
  page.put(edit('name', 'one'));
  page.erase();
  page.put(edit('name', 'one'));
  expect([page.get().size, Object.keys(localStorage)]).toEqual([0, []]);
});

test('a storage that is full or forbidden loses nothing that the page has', () => {
  vi.stubGlobal('localStorage', undefined);
  const page = openEdits('wrs.edits:acme:1:');
  page.put(edit('name', 'one'));
  expect(page.find(edit('name', ''))?.draft).toBe('one');
});
