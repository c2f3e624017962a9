import { exceededMaximumSql, networkFitsSql, networkLimit, type HoldSettings, type NetworkLimit } from '#tickets';
import { queryPrepared, type PreparedStatement, type Tx } from '#tenancy';
import { tooManyHeld } from '../sales/draft-refusals.js';

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
  text: `select ${networkFitsSql(limitedSql)} as fits, ${exceededMaximumSql(limitedSql)} as most`,
};

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
  const values = limitedValues({ id, eventId, tickets, ...networkLimit({ network, networkSite }, settings) });
  const [row] = await queryPrepared<{ fits: boolean; most: number | null }>(tx, fitsStatement, values);
  if (row?.fits === false) throw tooManyHeld(row.most);
}
