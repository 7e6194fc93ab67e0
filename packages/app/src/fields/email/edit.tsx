import { lineEdit } from '../text/edit.tsx';

export const email = lineEdit('email');
