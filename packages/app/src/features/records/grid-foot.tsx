// The footer of the grid: how many records match, and below each column the total that a person has chosen.

import { Menu } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { memo } from 'react';
import { kindOf } from '../../fields/kinds.ts';
import { isOfTime } from '../../lib/field-facts.ts';
import { useFormats } from '../../lib/format.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { MOST_TOTALS, type TotalKind, totalsOf } from '../../lib/totals.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { GridColumn } from './grid-columns.ts';
import classes from './grid-foot.module.css';
import tableClasses from './records-table.module.css';
import type { Figures, Footer } from './use-totals.ts';

interface GridFootProps {
  readonly columns: readonly GridColumn[];
  readonly footer: Footer;
  readonly kinds: ReadonlyMap<string, TotalKind>;
  /** The key of the field whose menu is open. */
  readonly menu: string | undefined;
  readonly onMenu: (key: string | undefined) => void;
  readonly onTotal: (key: string, kind: TotalKind | undefined) => void;
}

/** Beside the grid, whose rows are records. Rendered again only when something of it has changed. */
export const GridFoot = memo(function GridFoot({ columns, footer, ...props }: GridFootProps) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as one.
    <div
      role="group"
      aria-label={t('totals.title')}
      className={classes.foot}
      data-old={footer.isOld || undefined}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          data-kind={column.kind}
          data-align={column.field === undefined ? undefined : kindOf(column.field).align}
          className={`${tableClasses.cell} ${classes.cell}`}
        >
          {column.kind === 'name' && <Count footer={footer} />}
          {column.kind === 'field' && column.field !== undefined && (
            <TotalCell field={column.field} footer={footer} {...props} />
          )}
        </div>
      ))}
    </div>
  );
});

function Count({ footer: { figures, isFailed } }: { readonly footer: Footer }) {
  const t = useT();
  const { number } = useFormats();
  if (figures === undefined) {
    return isFailed ? <Failed /> : <span className={tableClasses.bone} />;
  }
  const { count, isLeast } = figures;
  return (
    <span className={classes.count}>
      {isLeast ? t('totals.more', { count: number(count) }) : t('totals.count', { count })}
    </span>
  );
}

type TotalCellProps = Pick<GridFootProps, 'footer' | 'kinds' | 'menu' | 'onMenu' | 'onTotal'> & {
  readonly field: Field;
};

function TotalCell({ field, footer, kinds, menu, onMenu, onTotal }: TotalCellProps) {
  const t = useT();
  const possible = totalsOf(field);
  if (possible.length === 0) return null;
  const kind = kinds.get(field.key);
  const button = (
    <button
      type="button"
      // The menu of the heading leads here too.
      tabIndex={-1}
      className={classes.total}
      data-chosen={kind !== undefined || undefined}
      onClick={() => onMenu(field.key)}
    >
      <Hidden>{field.name ?? field.key}: </Hidden>
      {kind === undefined ? (
        <span>{t('totals.add')}</span>
      ) : (
        <>
          <span className={classes.word}>{t(wordOf(field, kind))}</span>
          <TotalValue {...{ field, kind, footer }} />
        </>
      )}
    </button>
  );
  // Most of them are never opened.
  if (menu !== field.key) return button;
  const isFull = kind === undefined && kinds.size >= MOST_TOTALS;
  return (
    <Menu opened onChange={() => onMenu(undefined)} returnFocus={false} position="top-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {isFull && <Menu.Label>{t('totals.full', { count: MOST_TOTALS })}</Menu.Label>}
        <Menu.RadioGroup value={kind ?? NONE}>
          {[undefined, ...possible].map((one) => (
            <Menu.RadioItem
              key={one ?? NONE}
              value={one ?? NONE}
              closeMenuOnClick
              disabled={isFull && one !== undefined}
              onChange={() => onTotal(field.key, one)}
            >
              {t(one === undefined ? 'totals.none' : wordOf(field, one))}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

const NONE = 'none';

const WORDS: Readonly<Record<TotalKind, PlainKey>> = {
  sum: 'totals.sum',
  avg: 'totals.avg',
  min: 'totals.min',
  max: 'totals.max',
  filled: 'totals.filled',
  empty: 'totals.empty',
};

function wordOf(field: Field, kind: TotalKind): PlainKey {
  const isTime = isOfTime(field);
  if (isTime && kind === 'min') return 'totals.first';
  if (isTime && kind === 'max') return 'totals.last';
  return WORDS[kind];
}

interface TotalValueProps {
  readonly field: Field;
  readonly kind: TotalKind;
  readonly footer: Footer;
}

function TotalValue({ field, kind, footer: { figures, isFailed } }: TotalValueProps) {
  const { number } = useFormats();
  if (isFailed) return <Failed />;
  const value = valueAt(figures, field);
  if (value === undefined) return <span aria-hidden="true">…</span>;
  if (value === null) return <span>–</span>;
  if (kind === 'filled' || kind === 'empty') return <span>{number(Number(value))}</span>;
  const { Show } = kindOf(field);
  return <Show field={field} value={kind === 'avg' ? rounded(Number(value)) : value} />;
}

/** Undefined: it is still to come. */
function valueAt(figures: Figures | undefined, { key }: Field): unknown {
  return figures?.values[key];
}

/** An average with more digits than its values says nothing more. */
function rounded(value: number): number {
  return Number(value.toFixed(2));
}

function Failed() {
  const t = useT();
  return (
    <span title={t('totals.failed')} className={classes.failed}>
      <Icon name="warning" size={12} />
    </span>
  );
}
