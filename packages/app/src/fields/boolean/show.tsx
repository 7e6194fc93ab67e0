import { useT } from '../../lib/messages/index.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';

function Show({ value }: ShowProps) {
  const t = useT();
  return value === true ? t('field.yes') : t('field.no');
}

export const boolean: FieldShow = { Show, width: 90 };
