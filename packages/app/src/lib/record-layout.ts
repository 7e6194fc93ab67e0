// A way to show the records of a list: the page has the question and its tools, a layout has the records.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import type { ComponentType } from 'react';
import { isFew, isOfTime, isQueryable } from './field-facts.ts';
import type { LayoutName, ViewState } from './view-state.ts';

export interface LayoutProps {
  readonly object: ObjectDefinition;
  /** The state in the address, on top of the saved view that it names. */
  readonly view: ViewState;
  /** `replaces`: the history does not keep the state before, as while a person types. */
  readonly onChange: (view: ViewState, replaces?: boolean) => void;
  /** The place of tools of the layout in the row of tools; null before that has come. */
  readonly tools?: HTMLElement | null;
}

export type Layouts = Readonly<Partial<Record<LayoutName, ComponentType<LayoutProps>>>>;

/** Every object has moments of its own records; a calendar is offered for those that people set. */
function isOwnDay(field: Field): boolean {
  const { key } = field;
  return key !== 'created_at' && key !== 'updated_at' && isQueryable(field) && isOfTime(field);
}

/** False where an object has no field whose values could be columns. */
export function canShow(layout: LayoutName, { workflow, fields }: ObjectDefinition): boolean {
  if (layout === 'table') return true;
  if (layout === 'calendar') return fields.some(isOwnDay);
  return workflow !== null || fields.some((field) => isFew(field) && isQueryable(field));
}
