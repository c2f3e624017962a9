import { Router } from 'express';
import { describe, expect, it } from '@jest/globals';
import type { PanelEntry } from '../resource/panel-entry.js';
import { guardedPaths } from './guarded-content.js';
import { guardedEntries } from './guarded-entries.js';

const act = () => Promise.resolve({});
const source = { id: 'bookings', properties: [{ name: 'id', type: 'uuid', isId: true }] };
const complete = { see: 'ticket.see', actions: { print: 'ticket.see' } } as const;
const entryOf = (more: object): PanelEntry => ({ source, actions: { print: { act } }, ...more }) as unknown as PanelEntry;

/** What keeps the application from starting. */
function refusal(more: object, rights: object = {}): string {
  try {
    guardedEntries([entryOf(more)], { bookings: { ...complete, ...rights } });
    return 'starts';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the application does not start', () => {
  it.each([
    ['an action', { actions: { print: { act }, wipe: { act } } }, 'bookings: action wipe'],
    ['a page', { pages: { board: {} } }, 'bookings: action board'],
    ['a form for new records', { source: { ...source, create: act } }, 'bookings: create'],
    ['a form for records', { source: { ...source, update: act } }, 'bookings: change'],
    ['a deletion', { source: { ...source, remove: act } }, 'bookings: remove'],
    ['a printed list', { prints: {} }, 'bookings: prints'],
    ['a column of an export', { exports: [{ name: 'secret', type: 'string' }] }, 'bookings: column secret'],
    ['a line of a search', { hit: { details: ['secret'] } }, 'bookings: column secret'],
    ['a value that is not plain', { source: { ...source, properties: [{ name: 'lines', type: 'mixed' }] } }, 'bookings: value lines'],
  ])('with %s without a declared right', (_what, more, fault) => {
    expect(refusal(more).split('\n').slice(1)).toEqual([fault]);
  });

  it('with a resource, or a row of the table, that the other side does not know', () => {
    expect(refusal({})).toBe('starts');
    expect(refusal({}, { actions: { ...complete.actions, gone: 'ticket.see' } })).toContain('bookings: gone is no action');
    expect(() => guardedEntries([entryOf({})], {})).toThrow('bookings: no rights');
    expect(() => guardedEntries([], { bookings: complete })).toThrow('bookings: no such resource');
  });

  it('with a page outside of its declared path', () => {
    const pages = Router().get('/other', (_request, response) => void response.end());
    expect(() => guardedPaths([{ path: '/own', needs: 'person', pages }])).toThrow('/other has no declared right');
    expect(() => guardedPaths([{ path: '/own', needs: 'person', pages: Router().use(pages) }])).toThrow('/other has no declared right');
  });
});
