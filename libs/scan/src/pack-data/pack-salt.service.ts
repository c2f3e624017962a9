import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SignedLinks } from '#kernel';
import { currentTenant } from '#tenancy';
import { shortMark } from './position.js';

const blockBytes = 64;

/** The salt of the lists of an event: the same in every process, and not stored. */
export interface PackSalt {
  readonly bytes: Buffer;
  /** Parameters of `ticketHashSql`. */
  readonly inner: Buffer;
  readonly outer: Buffer;
  /** Four characters that differ between two salts. */
  readonly mark: string;
}

/** Derives salts from the server secret. */
@Injectable()
export class PackSaltService {
  constructor(private readonly links: SignedLinks) {}

  of(eventId: string): PackSalt {
    const bytes = Buffer.from(this.links.markOf(`scan-list:${currentTenant().id}:${eventId}`), 'base64url').subarray(0, 16);
    const block = (mask: number): Buffer => Buffer.alloc(blockBytes, mask).map((byte, at) => byte ^ (bytes[at] ?? 0)) as Buffer;
    return { bytes, inner: block(0x36), outer: block(0x5c), mark: shortMark(4, bytes) };
  }

  /** Four bytes for a sealed name: the same name of a ticket always has the same ones, and no other name has. */
  nonceOf(ticketId: string, name: string): Buffer {
    return Buffer.from(this.links.markOf(`scan-name:${currentTenant().id}:${ticketId}:${name}`), 'base64url').subarray(0, 4);
  }
}

/** The hash of a ticket in lists: eight bytes. `ticketHashSql` computes the same. */
export function ticketHash(salt: Buffer, ticketId: string): Buffer {
  return createHmac('sha256', salt)
    .update(Buffer.from(ticketId.replaceAll('-', ''), 'hex'))
    .digest()
    .subarray(0, 8);
}
