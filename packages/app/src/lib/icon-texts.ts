// The English names of icons, which the first page does without.

import { icons } from './messages/en/icons.ts';
import { addTexts } from './messages/index.ts';

addTexts(icons);
