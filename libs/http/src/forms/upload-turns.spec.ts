import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { describe, expect, it } from '@jest/globals';
import { tenantSlot } from '#kernel';
import type { MeasureSender } from './senders.js';
import { inUploadTurn, type FormContent } from './upload-turns.js';

/** A form whose reading and use are ended by the test. */
class Form {
  readonly response = Object.assign(new EventEmitter(), { destroyed: false });
  readonly answered: Promise<string>;
  reading = false;
  used = false;
  /** Ends the turn of the sender, when it is measured. */
  late: (() => void) | undefined;
  private readonly ends: (() => void)[] = [];

  constructor(tenant: string, length: number, content: FormContent = 'files') {
    const request = { headers: { 'content-length': String(length) } } as unknown as Request;
    const body = Object.assign(new EventEmitter(), { isPaused: () => false, complete: true });
    const read = (measure: MeasureSender): Promise<void> => {
      this.reading = true;
      return new Promise((resolve, reject) => {
        const end = measure(body, () => undefined);
        if (body.listenerCount('data') > 0) this.late = () => reject(new Error('too slow'));
        this.ends.push(() => {
          end();
          resolve();
        });
      });
    };
    const use = async (): Promise<string> => {
      this.used = true;
      await new Promise<void>((resolve) => this.ends.push(resolve));
      return 'answered';
    };
    const work = { read, use, contentOf: () => content };
    this.answered = tenantSlot.run({ id: tenant }, () => inUploadTurn(request, this.response as unknown as Response, work));
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
  it('exclude the reading of small forms, and measure all other senders', async () => {
    const slow = ['a', 'b', 'c', 'd'].flatMap((tenant) => Array.from({ length: 3 }, () => new Form(tenant, large)));
    const small = new Form('e', 200_000);
    await pass();
    expect([...slow, small].map(({ reading }) => reading)).toEqual(Array.from({ length: 13 }, () => true));
    // Only senders that take a turn are measured, see `senders.spec.ts`.
    expect([...slow.map(({ late }) => late !== undefined), small.late]).toEqual([...slow.map(() => true), undefined]);
    const starved = new Form('e', large);
    await pass();
    expect(starved.reading).toBe(false);
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

  it('let a tenant use three small forms with files at once: other tenants use theirs meanwhile', async () => {
    const many = ['a', 'b', 'c'].flatMap((tenant) => Array.from({ length: 10 }, () => new Form(tenant, 200_000)));
    const large1 = new Form('a', large);
    await pass();
    for (const form of [...many, large1]) await form.end();
    const usedOf = (tenant: number): number => many.slice(10 * tenant, 10 * tenant + 10).filter(({ used }) => used).length;
    // Without a limit all thirty are used, and fill the queue of pictures.
    expect([0, 1, 2].map(usedOf)).toEqual([3, 3, 3]);
    const other = new Form('d', 200_000);
    await pass();
    await other.end();
    // Large forms wait apart: they would keep their turns for reading.
    expect([other.used, large1.used]).toEqual([true, true]);
    // A form without files is used at once.
    const texts = new Form('a', 200_000, 'texts');
    await pass();
    await texts.end();
    expect(texts.used).toBe(true);
    const all = [...many, large1, other, texts];
    for (let round = 0; round < 4; round += 1) for (const form of all) if (form.used) await form.end();
    await Promise.all(all.map(({ answered }) => answered));
  }, 20_000);

  it('let a form that is refused wait for nothing after it was read', async () => {
    const used = Array.from({ length: 6 }, () => new Form('a', large));
    await pass();
    for (const form of used) await form.end();
    const refused = [new Form('a', large, 'nothing'), new Form('a', 200_000, 'nothing')];
    await pass();
    for (const form of refused) await form.end();
    expect(refused.map((form) => form.used)).toEqual([true, true]);
    for (const form of [...used, ...refused]) await form.end();
    await Promise.all([...used, ...refused].map(({ answered }) => answered));
  });
});
