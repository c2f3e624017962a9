import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { hashTag } from './entity-tag.js';

/** Number of rows of a long list that are read and written at a time. */
const most = 100;

/** Splits a long list into parts, in order. */
export function partsOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) => items.slice(index * most, (index + 1) * most));
}

/**
 * Writes a long list as JSON while its parts are read. Between two parts the event loop is free; one JSON.stringify of tens of thousands of
 * rows would block scans for seconds.
 */
export class JsonList<Item extends object = object> {
  private readonly hash = createHash('sha256');
  private readonly parts: string[] = [];

  /** Appends rows as JSON. */
  add(rows: readonly Item[]): void {
    if (rows.length === 0) return;
    const part = JSON.stringify(rows).slice(1, -1);
    this.hash.update(part).update(',');
    this.parts.push(part);
  }

  /** The strong entity tag of the list: different whenever a member differs. */
  get entityTag(): string {
    return hashTag(this.hash);
  }

  /**
   * The return value of a handler.
   * @param member name of the member that contains the list; without it the list is the whole answer
   */
  answer(response: Response, member?: string): string {
    response.type('json');
    const list = `[${this.parts.join(',')}]`;
    return member === undefined ? list : `{${JSON.stringify(member)}:${list}}`;
  }
}
