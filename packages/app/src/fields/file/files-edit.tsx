import type { EditProps } from '../field-edit.ts';
import { FileControl } from './file-control.tsx';
import type { FileValue } from './file-values.ts';

type Draft = readonly FileValue[];

export function FilesEdit({ draft, field, id, describedBy, onChange }: EditProps<Draft>) {
  return <FileControl files={draft} {...{ field, id, describedBy, onChange }} />;
}
