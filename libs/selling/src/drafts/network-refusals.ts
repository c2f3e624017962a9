import { eventFitsSql, eventMaximumSql, networkFitsSql, networkLimit, type HoldSettings, type NetworkLimit } from '#tickets';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** What a draft takes, with the limits of its networks. */
interface Limited extends NetworkLimit {
  readonly id: string;
  readonly eventId: string;
  readonly tickets: readonly { readonly admission: boolean }[];
}

const limitedSql = {
  id: '$1',
  event: '$2',
  tickets: '$3',
  admission: '$4',
  minutes: '$5',
  network: '$6',
  maximum: '$7',
  site: '$8',
  siteMaximum: '$9',
  ofEvent: '$10',
} as const;

const limitedValues = ({ id, eventId, tickets, ...limit }: Limited): unknown[] => [
  id,
  eventId,
  tickets.length,
  tickets.filter(({ admission }) => admission).length,
  limit.holdMinutes,
  limit.network,
  limit.maximum,
  limit.networkSite,
  limit.siteMaximum,
  limit.ofEvent,
];

const fitsStatement: PreparedStatement = {
  name: 'draft-network-fits',
  text: `select ${networkFitsSql(limitedSql)} as fits, ${eventFitsSql(limitedSql)} as here, ${eventMaximumSql(limitedSql)} as most`,
};

async function whyTooMany(tx: Tx, draft: Limited): Promise<RefusedDraft | undefined> {
  const [row] = await queryPrepared<{ fits: boolean; here: boolean; most: number }>(tx, fitsStatement, limitedValues(draft));
  if (!row || row.fits) return undefined;
  return row.here ? new RefusedDraft('too_many_held') : new RefusedDraft('too_many_here', 'tickets', row.most);
}

/**
 * Refuses tickets of a draft when its networks hold too many. The event must be locked.
 * @throws RefusedDraft `too_many_held`, `too_many_here`
 */
export async function refuseTooMany(
  tx: Tx,
  {
    id,
    eventId,
    network,
    networkSite,
  }: Pick<Limited, 'id' | 'eventId'> & { readonly network: string | null; readonly networkSite: string | null },
  tickets: readonly { readonly admission: boolean }[],
  settings: HoldSettings,
): Promise<void> {
  if (network === null) return;
  const refusal = await whyTooMany(tx, { id, eventId, tickets, ...networkLimit({ network, networkSite }, settings) });
  if (refusal) throw refusal;
}
