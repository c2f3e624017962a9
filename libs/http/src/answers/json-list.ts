import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { hashTag } from './entity-tag.js';

/** So many rows of a long list are read and written at a time. */
const most = 100;

/** A long list in parts of the same order, to be read one after the other. */
export function partsOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) => items.slice(index * most, (index + 1) * most));
}

/**
 * A long list as JSON, written in parts as they are read. Between two parts others have their turn; one call of JSON.stringify for tens of
 * thousands would let the queue at the door wait for seconds.
 */
export class JsonList {
  private readonly hash = createHash('sha256');
  private readonly parts: string[] = [];

  add(rows: readonly object[]): void {
    if (rows.length === 0) return;
    const part = JSON.stringify(rows).slice(1, -1);
    this.hash.update(part).update(',');
    this.parts.push(part);
  }

  /** The strong entity tag of the list: another one as soon as any member is another. */
  get entityTag(): string {
    return hashTag(this.hash);
  }

  /**
   * What a handler returns.
   * @param member where the list stands in the answer; without it the list is the answer
   */
  answer(response: Response, member?: string): string {
    response.type('json');
    const list = `[${this.parts.join(',')}]`;
    return member === undefined ? list : `{${JSON.stringify(member)}:${list}}`;
  }
}
