import { SetMetadata } from '@nestjs/common';

/** Options of the version headers of a route. */
export interface Versioning {
  /** A list has a weak entity tag, because it is sent with and without compression, and no change depends on it. */
  readonly list?: boolean;
  /** Default `private, no-cache`. */
  readonly cache?: string;
  /** Whether the answer has a `Last-Modified` header. */
  readonly modified?: boolean;
}

const versioningKey = 'guichet:versioning';
const preferKey = 'guichet:prefer';
const foundKey = 'guichet:reads-found';

/**
 * Adds an `ETag` to the route's answers. A GET whose `If-None-Match`, or else `If-Modified-Since`, matches the current version is answered
 * 304. The handler returns a `Reply`. The API document describes the headers.
 */
export function Versioned(versioning: Versioning = {}): MethodDecorator {
  return SetMetadata(versioningKey, versioning);
}

/** Supports `Prefer: return=minimal` (RFC 7240): no body, and 204 instead of 200. The handler returns a `Reply`. */
export function AppliesPrefer(): MethodDecorator {
  return SetMetadata(preferKey, true);
}

/** The version options of a route; undefined without `@Versioned`. */
export function versioningOf(handler: object): Versioning | undefined {
  return Reflect.getMetadata(versioningKey, handler) as Versioning | undefined;
}

/** Whether a route supports `Prefer`. */
export function appliesPrefer(handler: object): boolean {
  return Reflect.getMetadata(preferKey, handler) === true;
}

/**
 * Describes that the route's body is a class with `@AcceptsFound`: the answer names ignored members in `Ignored-Members`, and
 * `Prefer: handling=lenient` is followed.
 */
export function ReadsFound(): MethodDecorator {
  return SetMetadata(foundKey, true);
}

/** Whether a route has `@ReadsFound`. */
export function readsFound(handler: object): boolean {
  return Reflect.getMetadata(foundKey, handler) === true;
}
