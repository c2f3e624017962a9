import type { Principal } from '#tenancy';
import type { Request } from 'express';

/** A device whose key came with the request. */
export interface Device {
  readonly deviceId: string;
  readonly keyId: string;
}

/** The device that sent a request. Only for routes of `@Access('device')` and `@Access('door')`. */
export function deviceOf(request: Request): Device {
  return request.principal as Extract<Principal, { kind: 'device' }>;
}
