import { lineEdit } from '../text/edit.tsx';

export const phone = lineEdit('tel');
