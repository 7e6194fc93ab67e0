import { lineEdit } from '../text/edit.tsx';
import { parseEmail } from './parse.ts';

export const email = lineEdit('email', parseEmail);
