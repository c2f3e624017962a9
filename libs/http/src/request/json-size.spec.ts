import { describe, expect, it } from '@jest/globals';
import { bodyFault } from './request-limits.js';
import { jsonFault, jsonLimits } from './json-size.js';

const { depth, values, objects, members } = jsonLimits;
const [deep, wide] = ['body.too_deep', 'body.too_many_values'] as const;
const list = (count: number, member: string): string => `[${Array.from({ length: count }, () => member).join(', ')}]`;
const object = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, [index]])));

describe('the size of JSON, before it is parsed', () => {
  it.each([
    ['a number', '1', undefined],
    ['a long text full of brackets and commas', JSON.stringify('[{,'.repeat(50_000)), undefined],
    ['quotation marks and backslashes in texts', JSON.stringify({ 'a"\\': '"[[\\"\\\\', b: '\\' }), undefined],
    ['as many levels as allowed', '['.repeat(depth) + ']'.repeat(depth), undefined],
    ['one level more', '['.repeat(depth + 1) + ']'.repeat(depth + 1), deep],
    ['one level more of objects', '{"a":'.repeat(depth) + '{}' + '}'.repeat(depth), deep],
    ['as many values as allowed', list(values - 1, '0'), undefined],
    ['one value more', list(values, '0'), wide],
    ['a text without end', '"[[[', undefined],
    ['a megabyte of opening brackets', '['.repeat(1_000_000), deep],
    ['commas alone', ',,', wide],
    ['nothing', '', undefined],
  ])('is judged as the parsed body is: %s', (_what, text, expected) => {
    expect(jsonFault(Buffer.from(text))).toBe(expected);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return;
    }
    expect(bodyFault(parsed)?.code).toBe(expected);
  });

  it('counts objects and lists', () => {
    for (const one of ['{}', '[ ]', '{"a": 1}', '["[", 2]']) {
      expect(jsonFault(Buffer.from(list(objects - 1, one)))).toBeUndefined();
      expect(jsonFault(Buffer.from(list(objects, one)))).toBe(wide);
    }
  });

  it('counts the members of each object', () => {
    expect(jsonFault(Buffer.from(object(members)))).toBeUndefined();
    expect(jsonFault(Buffer.from(object(members + 1)))).toBe(wide);
    expect(jsonFault(Buffer.from(`[{"a": 1}, ${object(members)}, ${object(members)}]`))).toBeUndefined();
    expect(jsonFault(Buffer.from(`[{"a": ${object(members + 1)}}]`))).toBe(wide);
    expect(jsonFault(Buffer.from(object(members + 1)), 1000)).toBeUndefined();
  });
});
