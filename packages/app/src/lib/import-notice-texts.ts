// The English texts of notices on imports, which the first page does without.

import { importNotices } from './messages/en/import-notices.ts';
import { addTexts } from './messages/index.ts';

addTexts(importNotices);
