import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { tenantSlot } from '#kernel';
import type { PaceCheck } from './pace.js';
import { inUploadTurn } from './upload-turns.js';

/** A form whose reading and use are ended by the test. */
class Form {
  readonly response = Object.assign(new EventEmitter(), { destroyed: false });
  readonly answered: Promise<string>;
  reading = false;
  used = false;
  isLate: PaceCheck = () => false;
  private readonly ends: (() => void)[] = [];

  constructor(tenant: string, length: number) {
    const request = { headers: { 'content-length': String(length) } } as unknown as Request;
    const read = (isLate: PaceCheck): Promise<void> => {
      this.reading = true;
      this.isLate = isLate;
      return new Promise((resolve) => this.ends.push(resolve));
    };
    const use = async (): Promise<string> => {
      this.used = true;
      await new Promise<void>((resolve) => this.ends.push(resolve));
      return 'answered';
    };
    this.answered = tenantSlot.run({ id: tenant }, () => inUploadTurn(request, this.response as unknown as Response, read, use));
  }

  /** Ends the running step: first the reading, then the use. */
  async end(): Promise<void> {
    this.ends.shift()?.();
    await pass();
  }
}

const pass = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const large = 1_000_000;

describe('the limits of uploads', () => {
  it('exclude small forms, and end slow senders while another tenant has no slot', async () => {
    const slow = ['a', 'b', 'c', 'd'].flatMap((tenant) => Array.from({ length: 3 }, () => new Form(tenant, large)));
    const small = new Form('e', 200_000);
    await pass();
    expect([...slow, small].map(({ reading }) => reading)).toEqual(Array.from({ length: 13 }, () => true));
    // 20 kB per second is sufficient while nobody else waits.
    expect(slow.map(({ isLate }) => isLate(200_000, 10_000))).not.toContain(true);
    expect([slow[0]?.isLate(100_000, 10_000), small.isLate(0, 10_000)]).toEqual([true, false]);
    const starved = new Form('e', large);
    expect(slow.map(({ isLate }) => isLate(200_000, 10_000))).not.toContain(false);
    expect([slow[0]?.isLate(0, 2000), slow[0]?.isLate(2_000_000, 10_000)]).toEqual([false, false]);
    await slow[0]?.end();
    expect(starved.reading).toBe(true);
    for (const form of [...slow, small, starved]) await form.end();
    for (const form of [...slow, small, starved]) await form.end();
    await Promise.all([...slow, small, starved].map(({ answered }) => answered));
  });

  it('free the slot when the form is read, before its use, which may be slow', async () => {
    const used = Array.from({ length: 6 }, () => new Form('a', large));
    await pass();
    for (const form of used.slice(0, 3)) await form.end();
    // If the slot were kept during the use, the second three would wait for the first ones.
    expect(used.map(({ reading, used: isUsed }) => [reading, isUsed])).toEqual([
      ...Array.from({ length: 3 }, () => [true, true]),
      ...Array.from({ length: 3 }, () => [true, false]),
    ]);
    for (const form of used.slice(3)) await form.end();
    // Six forms of a tenant are in use at once; further ones are read and then wait.
    const seventh = new Form('a', large);
    await pass();
    await seventh.end();
    expect([seventh.reading, seventh.used]).toEqual([true, false]);
    await used[0]?.end();
    expect(seventh.used).toBe(true);
    for (const form of [...used.slice(1), seventh]) await form.end();
    await Promise.all([...used, seventh].map(({ answered }) => answered));
  });
});
