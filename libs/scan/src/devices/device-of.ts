import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '#tenancy';
import type { Request } from 'express';

/** A device that authenticated with its key. */
export interface Device {
  readonly deviceId: string;
  readonly keyId: string;
}

/** Hands a handler the device that sent the request. Only for routes of `@Access('device')` and `@Access('door')`. */
export const CallingDevice = createParamDecorator(
  (_options: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().principal as Extract<Principal, { kind: 'device' }>,
);
