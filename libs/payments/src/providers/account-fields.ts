import { RefusedInputs, RefusedInput, type Text } from '#kernel';

/** An account of the current tenant, with the fields that its provider declares. They are never logged or sent to anybody else. */
export interface ProviderAccount {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A field of an account, as staff fill it in. */
export interface AccountField {
  readonly name: string;
  readonly label: Text;
  /** It is never shown again. Others are, to everybody who may see the account. */
  readonly secret: boolean;
  /** What is accepted, and what is said otherwise; or a choice, stored as `yes` or `no`. */
  readonly shape: 'yes_no' | { readonly pattern: RegExp; readonly refusal: Text };
  readonly help: Text;
}

/**
 * Trims what was typed and checks the format of each field.
 * @param before what is stored: a secret that was left empty stays as it is
 * @throws RefusedInputs on the names of the fields
 */
export function fitFields(
  fields: readonly AccountField[],
  typed: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const refused: RefusedInput[] = [];
  const values = fields.map(({ name, secret, shape }): [string, string] => {
    const text = (typed[name] ?? '').trim();
    if (shape === 'yes_no') return [name, text === 'yes' ? 'yes' : 'no'];
    const value = secret && text === '' ? (before[name] ?? '') : text;
    if (!shape.pattern.test(value)) refused.push(new RefusedInput(name, shape.refusal));
    return [name, value];
  });
  if (refused.length > 0) throw new RefusedInputs(refused);
  return Object.fromEntries(values);
}
