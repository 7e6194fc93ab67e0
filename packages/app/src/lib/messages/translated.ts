// The form of a translation: every text of the English part, plain or in the forms of a number.

export type Translated<English> = {
  readonly [Key in keyof English]: English[Key] extends string
    ? string
    : { readonly one: string; readonly other: string };
};
