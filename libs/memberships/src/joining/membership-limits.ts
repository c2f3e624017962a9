import { lockAddress, mostConfirmationMails } from '#tickets';
import { RefusedInput } from '#kernel';
import { currentTenant, type Tx } from '#tenancy';
import { texts } from '../locales/memberships.texts.js';

/**
 * Memberships that forms of the public pages may make: within an hour from one network, except those that were paid or confirmed; of these
 * for one address, until they are cancelled a day later; and as many free ones of an address within an hour, whose cards are mailed.
 */
const most = { network: 50, address: 10 } as const;

const refusals = {
  network: texts.localized('membershipLimits.network'),
  address: texts.localized('membershipLimits.address'),
  often: texts.localized('membershipLimits.often'),
};

/** Too many memberships of this network or address await their payment or confirmation, or too many free ones were made. */
export class TooManyMemberships extends RefusedInput {
  constructor(reason: keyof typeof refusals) {
    super('email', refusals[reason]);
  }
}

/** Serialises forms of one network, and of one address, so that simultaneous ones cannot exceed the limits together. Precedes prices. */
export async function lockForms(tx: Tx, network: string, emailKey: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} memberships of ${network}`]);
  await lockAddress(tx, emailKey);
}

/**
 * Refuses one more membership after `lockForms`. What other networks began for the address does not count, so that strangers cannot keep
 * its owner from joining.
 * @returns whether the address may get one more mail with a link to confirm
 * @throws TooManyMemberships
 */
export async function refuseTooManyMemberships(tx: Tx, network: string, emailKey: string): Promise<{ readonly isMailed: boolean }> {
  // Staff and API keys are not limited.
  const [row] = await tx.query<{ ofNetwork: number; ofBoth: number; pending: number; active: number }[]>(
    `select (count(*) filter (where network = $1 and is_recent))::int as "ofNetwork",
       (count(*) filter (where network = $1 and is_online and status = 'pending'))::int as "ofBoth",
       (count(*) filter (where is_online and status = 'pending'))::int as pending,
       (count(*) filter (where is_online and status = 'active' and amount = 0 and is_recent))::int as active
     from (select network, status, amount, created_at > statement_timestamp() - interval '1 hour' as is_recent,
         email_key = $2 and by_user_id is null and by_key_id is null as is_online
       from membership where network = $1 or email_key = $2) counted`,
    [network, emailKey],
  );
  const { ofNetwork, ofBoth, pending, active } = row as NonNullable<typeof row>;
  if (ofNetwork >= most.network) throw new TooManyMemberships('network');
  if (ofBoth >= most.address) throw new TooManyMemberships('address');
  if (active >= most.address) throw new TooManyMemberships('often');
  return { isMailed: pending < mostConfirmationMails };
}
