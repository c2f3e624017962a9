import { Injectable } from '@nestjs/common';
import { TenantDb } from '../../database/transactions/tenant-db.js';

/** A tenant's contact details; null for missing ones. */
export interface VenueContact {
  /** Reply address of mails. */
  readonly email: string | null;
  /** Street, postal code and town on one line. */
  readonly address: string | null;
  /** ISO 3166 alpha-2. */
  readonly country: string | null;
  readonly website: string | null;
  readonly logoImageId: string | null;
  /** Colour of its pages, `#rrggbb`; null: the usual one. */
  readonly accentColour: string | null;
}

/** Each mail reads it: one round trip. */
const contactStatement = {
  name: 'venue-contact',
  text: `select email, street_address as street, postal_code as code, city, country, website, logo_image_id as logo, accent_colour as accent
    from {tenant}.configuration where id = 1`,
};

interface Row extends Record<string, unknown> {
  readonly email: string | null;
  readonly street: string | null;
  readonly code: string | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly website: string | null;
  readonly logo: string | null;
  readonly accent: string | null;
}

/** Reads the contact details of the current tenant. The profile (`#places`) changes them. */
@Injectable()
export class VenueContactService {
  constructor(private readonly db: TenantDb) {}

  async read(): Promise<VenueContact> {
    const [row] = await this.db.statement<Row>(contactStatement, []);
    const town = [row?.code, row?.city].filter(Boolean).join(' ');
    return {
      email: row?.email?.trim() || null,
      address: [row?.street, town].filter(Boolean).join(', ') || null,
      country: row?.country ?? null,
      website: row?.website?.trim() || null,
      logoImageId: row?.logo ?? null,
      accentColour: row?.accent ?? null,
    };
  }
}
