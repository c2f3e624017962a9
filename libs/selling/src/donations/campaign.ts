import { isUuid, RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import { texts } from '../locales/selling.texts.js';
import type { Campaign } from './campaign.entity.js';

/** SQL: what was given for the campaign of a row, without what was given back. */
export const reachedSql = (id: string): string => `(select coalesce(sum(line.amount), 0)::numeric(10, 2) from order_line line
  where line.kind = 'donation' and line.campaign_id = ${id} and line.effective_at is not null
    and not exists (select from order_line back where back.of_line = line.id))`;

/** SQL: how many donations that sum has. */
export const givenSql = (id: string): string => `(select count(*)::int from order_line line
  where line.kind = 'donation' and line.campaign_id = ${id} and line.effective_at is not null
    and not exists (select from order_line back where back.of_line = line.id))`;

const isTakingSql = 'published and (ends_at is null or ends_at > now())';

/** A campaign as its page shows it. */
export type ShownCampaign = Omit<Campaign, 'imageId' | 'published' | 'withOrders' | 'createdAt'> & {
  readonly image: { readonly id: string; readonly width: number; readonly height: number } | null;
  /** Decimal text. */
  readonly reached: string;
  /** How many donations it got. */
  readonly given: number;
  /** Whether donations are taken now. */
  readonly isTaking: boolean;
};

/** SQL of published campaigns. @param where condition on rows of `campaign` */
export const shownCampaignSql = (where: string): string => `select id, title, text, 
    (select json_build_object('id', image.id, 'width', width, 'height', height) from image where image.id = image_id) as image,
    goal::text as goal,
    ends_at as "endsAt", amounts, ${reachedSql('campaign.id')}::text as reached, ${givenSql('campaign.id')} as given,
    ${isTakingSql} as "isTaking"
  from campaign where published and ${where}`;

/** The campaign that somebody gives for now. @throws RefusedInput on `donation` when it takes no donations (any more) */
export async function openCampaign(tx: Tx, id: string): Promise<{ readonly id: string; readonly title: string }> {
  const [campaign] = isUuid(id)
    ? await tx.query<{ id: string; title: string }[]>(`select id, title from campaign where id = $1 and ${isTakingSql}`, [id])
    : [];
  if (!campaign) throw new RefusedInput('donation', texts.localized('campaigns.over'));
  return campaign;
}
