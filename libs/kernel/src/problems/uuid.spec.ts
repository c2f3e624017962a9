import { describe, expect, it } from '@jest/globals';
import { uuidPipe } from '#http';
import { isUuid } from './uuid.js';

const id = '0B0E7A3C-6a8e-4f5e-9d0c-1f2e3d4c5b6a';

describe('isUuid', () => {
  it('accepts exactly the texts that PostgreSQL accepts as a UUID', () => {
    for (const value of [id, id.toLowerCase(), '00000000-0000-0000-0000-000000000000']) expect(isUuid(value)).toBe(true);
    for (const value of [`${id}\n`, ` ${id}`, id.slice(1), id.replaceAll('-', ''), `{${id}}`, 'g'.repeat(36), [id], 7, null])
      expect(isUuid(value)).toBe(false);
  });
});

describe('uuidPipe', () => {
  it('returns the id in lower case, and answers malformed ids like unknown ones', () => {
    const pipe = uuidPipe(() => new Error('unknown'));
    expect(pipe.transform(id, { type: 'param' })).toBe(id.toLowerCase());
    expect(() => pipe.transform('1', { type: 'param' })).toThrow('unknown');
  });
});
