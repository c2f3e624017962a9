import { SetMetadata } from '@nestjs/common';

/** How a route shows the version of what it answers. */
export interface Versioning {
  /** A list: its entity tag is weak, because lists are sent compressed and not, and nothing is changed on condition of one. */
  readonly list?: boolean;
  /** Default `private, no-cache`. */
  readonly cache?: string;
  /** The answer also says when the object changed last. */
  readonly modified?: boolean;
}

const versioningKey = 'guichet:versioning';
const preferKey = 'guichet:prefer';

/**
 * The answers of a route carry an `ETag`, and a GET whose `If-None-Match`, or else `If-Modified-Since`, names the version that is current
 * is answered 304. The handler returns a `Reply`. The API document describes the headers.
 */
export function Versioned(versioning: Versioning = {}): MethodDecorator {
  return SetMetadata(versioningKey, versioning);
}

/** `Prefer: return=minimal` (RFC 7240) is honoured: no body, and 204 instead of 200. The handler returns a `Reply`. */
export function AppliesPrefer(): MethodDecorator {
  return SetMetadata(preferKey, true);
}

/** How a route shows versions; undefined when it does not. */
export function versioningOf(handler: object): Versioning | undefined {
  return Reflect.getMetadata(versioningKey, handler) as Versioning | undefined;
}

/** Whether a route honours `Prefer`. */
export function appliesPrefer(handler: object): boolean {
  return Reflect.getMetadata(preferKey, handler) === true;
}
