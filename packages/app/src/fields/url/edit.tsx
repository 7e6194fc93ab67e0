import { lineEdit } from '../text/edit.tsx';
import { parseUrl } from './parse.ts';

export const url = lineEdit('url', parseUrl);
