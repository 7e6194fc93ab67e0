// The store of unsaved edits: each is bound to its subject, survives the page, and is erased with the session.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formPlace, moveToDialog } from '../src/editing/creation-state.ts';
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

test('the draft of a line that is continued in the dialog changes places with the draft there', () => {
  const page = openEdits('wrs.edits:acme:1:');
  const request = { type: 'companies', preset: { tier: 'gold' } };
  const [line, dialog] = [formPlace(request, 'line'), formPlace(request)];
  const draftOf = (name: string) => ({ drafts: { name }, fields: {}, preset: request.preset });
  page.put({ ...line, name: null, draft: draftOf('Line') });
  page.put({ ...dialog, name: null, draft: draftOf('Dialog') });
  const begun = page.find(line);
  if (begun === undefined) throw new Error('the draft is not kept');
  expect(moveToDialog(page, begun)).toEqual(request);
  expect(page.find(dialog)?.draft).toEqual(draftOf('Line'));
  expect(page.find(line)?.draft).toEqual(draftOf('Dialog'));
  const continued = page.find(dialog);
  if (continued !== undefined) moveToDialog(page, continued);
  expect(page.find(dialog)?.draft).toEqual(draftOf('Line'));
});
