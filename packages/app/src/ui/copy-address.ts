// Copies an address, that of the page by default, and says whether the browser has allowed it: without HTTPS it does not.

import type { Translate } from '../lib/messages/index.ts';
import { showToast } from './toast.ts';

export async function copyAddress(t: Translate, address: string = location.href): Promise<void> {
  try {
    await navigator.clipboard.writeText(address);
    showToast({ text: t('record.copied') });
  } catch {
    showToast({ text: t('copy.refused'), isProblem: true });
  }
}
