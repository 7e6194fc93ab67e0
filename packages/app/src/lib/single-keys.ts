// Whether single keys are shortcuts: a setting of this browser, because speech input types letters (WCAG 2.1.4).

import { readSetting, writeSetting } from './storage.ts';
import { createStore, useStore } from './store.ts';

const NAME = 'singleKeys';

const isOn = createStore(readSetting(NAME) !== 'off');

export function hasSingleKeys(): boolean {
  return isOn.get();
}

export function useSingleKeys(): boolean {
  return useStore(isOn);
}

export function setSingleKeys(on: boolean): void {
  writeSetting(NAME, on ? 'on' : 'off');
  isOn.set(on);
}
