import { text } from '../text/show.tsx';

export const phone = { ...text, width: 150 };
