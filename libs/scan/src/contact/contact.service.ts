import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { isObject, projectFolder } from '#kernel';
import { ApiKeysService, TenantDb } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import type { ContactRequest } from './contact.dto.js';
import { contactStatement, type ContactRow } from './contact.statement.js';

/** Hears from devices. */
@Injectable()
export class ContactService {
  private newest: Promise<string | null> | undefined;

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
  ) {}

  /** Stores what the device says, at most every 10 seconds. @throws Problem 401/403 when the key was revoked or suspended */
  async hear(device: Device, said: ContactRequest): Promise<ContactRow> {
    const { battery, charging, unsent, clock_offset_ms: offset, clock_error_ms: error } = said;
    const values = [said.app_version, device.deviceId, device.keyId, battery, charging, unsent, offset, error];
    const place = [said.event, said.gate, said.position, said.network];
    const [row] = await this.db.statement<ContactRow & Record<string, unknown>>(
      contactStatement,
      [...values, ...place].map((value) => value ?? null),
      true,
    );
    if (!row) throw await this.keys.refusalOf(device.keyId);
    return row;
  }

  /** The newest build of the scanner app, read once; null: this installation has none. */
  newestApp(): Promise<string | null> {
    this.newest ??= readFile(join(projectFolder(), 'dist', 'door', 'version.json'), 'utf8')
      .then((text) => {
        const stored: unknown = JSON.parse(text);
        return isObject(stored) && typeof stored['version'] === 'string' ? stored['version'] : null;
      })
      .catch(() => null);
    return this.newest;
  }
}
