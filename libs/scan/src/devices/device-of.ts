import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '#tenancy';
import type { Request } from 'express';
import type { DeviceRole } from '../model/connection.dto.js';

/** A device that authenticated with its key. */
export interface Device {
  readonly deviceId: string;
  readonly keyId: string;
}

/** A device with what staff chose for it. */
export interface AssignedDevice {
  readonly id: string;
  readonly name: string;
  readonly role: DeviceRole;
  readonly eventId: string | null;
  readonly gateId: string | null;
  /** The gates that it may use; null: all. */
  readonly gateIds: readonly string[] | null;
}

/** Hands a handler the device that sent the request. Only for routes of `@Access('device')` and `@Access('door')`. */
export const CallingDevice = createParamDecorator(
  (_options: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<Request>().principal as Extract<Principal, { kind: 'device' }>,
);
