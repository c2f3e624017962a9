import { Injectable } from '@nestjs/common';
import { TenantDb } from './tenant-db.js';

/** How guests reach the current tenant. The profile (`#places`) changes it. */
@Injectable()
export class VenueContactService {
  constructor(private readonly db: TenantDb) {}

  /** The address that answers to mails go to; null when the tenant has given none. */
  async email(): Promise<string | null> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ email: string | null }[]>('select email from configuration where id = 1'),
    );
    return row?.email?.trim() || null;
  }
}
