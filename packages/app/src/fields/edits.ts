// The editor of a field, by its type. A type that is newer than this application is not edited.

import type { Field } from '@workspace-records/client';
import { ChoiceCell, ChoiceEdit, ChooseOption } from './controls/choice.tsx';
import { LineCell, LineEdit, LinesEdit } from './controls/line.tsx';
import { OptionsEdit } from './controls/options.tsx';
import { ChoosePerson, PersonEdit } from './controls/person.tsx';
import { ChooseRecord, RecordEdit } from './controls/record.tsx';
import type { AnyFieldEdit, Control, ControlName } from './field-edit.ts';
import { FilesEdit } from './file/files-edit.tsx';
import { isKnownType, kindOf } from './kinds.ts';

// biome-ignore lint/suspicious/noExplicitAny: a draft goes only to the control that it came from.
const CONTROLS: Readonly<Record<ControlName, Control<any>>> = {
  line: { Edit: LineEdit, Cell: LineCell },
  lines: { Edit: LinesEdit, Line: LineEdit },
  choice: { Edit: ChoiceEdit, Cell: ChoiceCell, Choose: ChooseOption },
  options: { Edit: OptionsEdit, Choose: ChooseOption },
  record: { Edit: RecordEdit, Choose: ChooseRecord },
  person: { Edit: PersonEdit, Choose: ChoosePerson },
  files: { Edit: FilesEdit },
};

const edits = new Map<string, AnyFieldEdit>();

export function editOf(field: Pick<Field, 'type'>): AnyFieldEdit | undefined {
  if (!isKnownType(field)) return undefined;
  const { control, ...draft } = kindOf(field).edit;
  const edit = edits.get(field.type) ?? { ...CONTROLS[control], ...draft };
  edits.set(field.type, edit);
  return edit;
}
