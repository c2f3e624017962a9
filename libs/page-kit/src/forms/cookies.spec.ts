import { describe, expect, it } from '@jest/globals';
import { pageCookie, pageCookieIn } from './cookies.js';

const https = { publicScheme: 'https' } as const;
const http = { publicScheme: 'http' } as const;

describe('cookies of the public pages', () => {
  it('are bound to their host with https: the prefix, Secure, the whole host, no domain', () => {
    expect(pageCookie(https, { name: 'guichet-account' }, 'x', 60)).toBe(
      '__Host-guichet-account=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
    expect(pageCookie(http, { name: 'guichet-account' }, 'x', 60)).toBe('guichet-account=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax');
  });

  it('are read by the same name only, so that another host of the domain cannot set them', () => {
    const cookie = { name: 'guichet-cart' };
    expect(pageCookieIn(https, 'guichet-cart=planted; __Host-guichet-cart=own', cookie)).toBe('own');
    expect(pageCookieIn(https, 'guichet-cart=planted', cookie)).toBe('');
    expect(pageCookieIn(http, undefined, cookie)).toBe('');
  });

  it('are kept apart by what they are about', () => {
    const of = (about: string): string => pageCookie(http, { name: 'guichet-order', about }, 'x', 1).split('=')[0]!;
    expect(of('/event/a/book')).toMatch(/^guichet-order-[0-9a-f]{12}$/);
    expect(of('/event/a/book')).not.toBe(of('/event/b/book'));
  });
});
