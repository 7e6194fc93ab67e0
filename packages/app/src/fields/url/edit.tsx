import { lineEdit } from '../text/edit.tsx';

export const url = lineEdit('url');
