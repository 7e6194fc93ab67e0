import type { EditProps, FieldEdit } from '../field-edit.ts';
import { FileControl } from './file-control.tsx';
import { type FileValue, filesIn } from './file-values.ts';

type Draft = readonly FileValue[];

function Edit({ draft, field, id, describedBy, onChange }: EditProps<Draft>) {
  return <FileControl files={draft} {...{ field, id, describedBy, onChange }} />;
}

export const file: FieldEdit<Draft> = {
  Edit,
  isGroup: true,
  isChoice: true,
  start: filesIn,
  parse: (draft) => ({ value: draft.length === 0 ? null : draft }),
};
