import type { Socket } from 'node:net';
import express from 'express';
import { describe, expect, it } from '@jest/globals';
import { distantClientOf } from './host-look-ups.service.js';

const app = express();
app.set('trust proxy', ['198.51.100.7']);

/** Whether a request counts for its client. */
function counts(remoteAddress: string, ip = remoteAddress): boolean {
  return distantClientOf({ app, headers: {}, ip, socket: { remoteAddress } as Socket }) !== undefined;
}

describe('a question of a proxy', () => {
  it('does not count when it asks by itself: from this machine, a private network or TRUSTED_PROXIES', () => {
    expect(['127.0.0.1', '::ffff:10.0.0.4', 'fd00::1', '198.51.100.7'].map((address) => counts(address))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([counts('198.51.100.8'), counts('198.51.100.7', '203.0.113.9'), counts('10.0.0.4', '203.0.113.9')]).toEqual([true, true, true]);
  });
});
