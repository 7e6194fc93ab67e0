// The start of the application: language, theme, router.

import '../ui/styles.ts';
import { createRoot } from 'react-dom/client';
import { loadLanguage, preferredLanguage } from '../lib/messages/index.ts';
import { Providers } from './providers.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the application');
await loadLanguage(preferredLanguage());
createRoot(root).render(<Providers />);
