import { Injectable } from '@nestjs/common';
import { TenantDb } from './tenant-db.js';

/** How guests reach the current tenant. */
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

  /** @param email checked by the caller; null for none */
  setEmail(email: string | null): Promise<void> {
    return this.db.transaction(async (tx) => {
      await tx.query(
        'insert into configuration (id, email) values (1, $1) on conflict (id) do update set email = excluded.email',
        [email],
      );
    });
  }
}
