import { describe, expect, it } from '@jest/globals';
import { forEachLanguage, RefusedInputs } from '#kernel';
import { fitFields, type AccountField } from './account-fields.js';

const text = (words: string) => forEachLanguage(() => words);
const field = (name: string, secret: boolean, shape: AccountField['shape']): AccountField => ({
  name,
  label: text(name),
  secret,
  shape,
  help: text(''),
});
const digits = { pattern: /^\d{6}$/, refusal: text('Six digits.') };
const fields = [field('shop', false, digits), field('secret', true, { pattern: /^s_\w+$/, refusal: text('Begins with s_.') })];
const choice = field('delayed', false, 'yes_no');

const refusedBy = (work: () => unknown): string[] => {
  try {
    work();
    return [];
  } catch (error) {
    return (error as RefusedInputs).faults.map(({ field: name, message }) => `${name}: ${message}`);
  }
};

describe('the fields of a payment account', () => {
  it('are trimmed, and only those that are declared', () => {
    expect(fitFields(fields, { shop: ' 123456\n', secret: 's_1', more: 'x' })).toEqual({ shop: '123456', secret: 's_1' });
  });

  it('are refused together, each with its sentence', () => {
    expect(refusedBy(() => fitFields(fields, { shop: '1' }))).toEqual(['shop: Six digits.', 'secret: Begins with s_.']);
  });

  it('keep a stored secret that was left empty, and nothing else', () => {
    const before = { shop: '654321', secret: 's_old' };
    expect(fitFields(fields, { shop: '123456', secret: ' ' }, before)).toEqual({ shop: '123456', secret: 's_old' });
    expect(fitFields(fields, { shop: '123456', secret: 's_new' }, before)).toEqual({ shop: '123456', secret: 's_new' });
    expect(refusedBy(() => fitFields(fields, {}, before))).toEqual(['shop: Six digits.']);
  });

  it('are no unless yes was chosen', () => {
    expect(['yes', 'no', '', 'true'].map((delayed) => fitFields([choice], { delayed })['delayed'])).toEqual(['yes', 'no', 'no', 'no']);
  });
});
