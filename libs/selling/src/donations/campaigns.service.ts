import { amountList, amountOf, ImagesService, isAmount, type PreparedImage } from '#catalogue';
import type { Page } from '#http';
import { isPlainText, isUuid, RefusedInput, refuseUnfitTexts, toCents } from '#kernel';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/selling.texts.js';
import { Campaign } from './campaign.entity.js';
import { givenSql, reachedSql, shownCampaignSql, type ShownCampaign } from './campaign.js';

type Writable = Omit<Campaign, 'id' | 'imageId' | 'createdAt'>;

/** A campaign to make. */
export type NewCampaign = Pick<Writable, 'title'> & Partial<Writable>;

/** A campaign with what was given for it until now. */
export type CountedCampaign = Campaign & {
  /** Decimal text. */
  readonly reached: string;
  /** How many donations that sum has. */
  readonly given: number;
};

/** null removes the picture. */
export type CampaignChange = Partial<Writable> & { readonly picture?: PreparedImage | null };

/** Characters of its texts, and how many amounts it proposes. */
export const campaignLimits = { title: 100, text: 20_000, amounts: 5 } as const;

/** Manages the campaigns of the current tenant, for which donations are collected. */
@Injectable()
export class CampaignsService {
  constructor(
    private readonly db: TenantDb,
    private readonly images: ImagesService,
  ) {}

  /** The published campaigns that take donations, the newest first. */
  shown(): Promise<ShownCampaign[]> {
    const sql = `select * from (${shownCampaignSql('true')} order by created_at desc, id) campaign where "isTaking"`;
    return this.db.transaction((tx) => tx.query<ShownCampaign[]>(sql));
  }

  /** A published campaign, also one that has ended. @returns undefined when there is none */
  async show(id: string): Promise<ShownCampaign | undefined> {
    if (!isUuid(id)) return undefined;
    const [campaign] = await this.db.transaction((tx) => tx.query<ShownCampaign[]>(shownCampaignSql('id = $1'), [id]));
    return campaign;
  }

  /** Newest first. @returns also the total number */
  list(page: Page | undefined): Promise<{ campaigns: CountedCampaign[]; total: number }> {
    return this.db.transaction(async (tx) => {
      const campaigns = await tx.find(Campaign, { order: { createdAt: 'DESC', id: 'ASC' }, ...page });
      return { campaigns: await counted(tx, campaigns), total: page ? await tx.count(Campaign) : campaigns.length };
    });
  }

  /** @returns undefined when there is none */
  find(id: string): Promise<CountedCampaign | undefined> {
    return this.db.transaction((tx) => found(tx, id));
  }

  /** @throws RefusedInput on `title`, `text`, `goal`, `amounts` */
  create(input: NewCampaign): Promise<CountedCampaign> {
    demandModule('ticketing');
    const checked = checkedCampaign(input);
    return this.db.transactionOnce(async (tx) => {
      const { identifiers } = await tx.insert(Campaign, checked);
      return (await found(tx, identifiers[0]?.['id'] as string)) as CountedCampaign;
    });
  }

  /**
   * @param underLock sees the campaign while it is locked; an error that it throws cancels the change
   * @returns undefined when there is none @throws RefusedInput as `create`; what `underLock` throws
   */
  update(
    id: string,
    { picture, ...change }: CampaignChange,
    underLock?: (current: CountedCampaign) => void,
  ): Promise<CountedCampaign | undefined> {
    return this.db.transaction(async (tx) => {
      const current = await tx.findOne(Campaign, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (!current) return undefined;
      if (underLock) for (const one of await counted(tx, [current])) underLock(one);
      const checked: Partial<Campaign> = checkedCampaign({ ...current, ...change });
      const imageId = picture === undefined ? current.imageId : picture && (await this.images.storeIn(tx, picture));
      await tx.update(Campaign, { id }, { ...checked, imageId });
      if (imageId !== current.imageId) await this.forgetPicture(tx, current.imageId);
      return found(tx, id);
    });
  }

  /**
   * Deletes a campaign for which nobody gave or is giving.
   * @returns false when there is none
   * @throws RefusedInput on `title` when somebody did: it can be hidden only
   */
  remove(id: string): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const current = await tx.findOne(Campaign, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!current) return false;
      const [line] = await tx.query<unknown[]>(`select 1 from order_line where kind = 'donation' and campaign_id = $1 limit 1`, [id]);
      if (line) throw new RefusedInput('title', texts.localized('campaigns.used'));
      await tx.delete(Campaign, { id });
      await this.forgetPicture(tx, current.imageId);
      return true;
    });
  }

  private async forgetPicture(tx: Tx, imageId: string | null): Promise<void> {
    if (imageId !== null) await this.images.removeIn(tx, imageId);
  }
}

const found = async (tx: Tx, id: string): Promise<CountedCampaign | undefined> =>
  (await counted(tx, await tx.find(Campaign, { where: { id } })))[0];

async function counted(tx: Tx, campaigns: readonly Campaign[]): Promise<CountedCampaign[]> {
  const rows = await tx.query<{ id: string; reached: string; given: number }[]>(
    `select id, ${reachedSql('campaign.id')}::text as reached, ${givenSql('campaign.id')} as given from campaign where id = any($1)`,
    [campaigns.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return campaigns.map((campaign) => ({ reached: '0.00', given: 0, ...byId.get(campaign.id), ...campaign }));
}

/** @throws RefusedInput on the first member that does not fit */
function checkedCampaign({ title, text, goal, endsAt, amounts, published, withOrders }: NewCampaign): NewCampaign {
  if (!isPlainText(title, 1, campaignLimits.title)) throw refused('title', 'title');
  refuseUnfitTexts({ text }, { text: campaignLimits.text });
  if (goal != null && !isPositive(goal)) throw refused('goal', 'goal');
  const chosen = amountList(amounts ?? '', campaignLimits.amounts);
  if (chosen === undefined) throw refused('amounts', 'amounts');
  return {
    title: title.trim(),
    ...(text !== undefined && { text: text?.trim() || null }),
    ...(goal !== undefined && { goal: goal === null ? null : amountOf(goal) }),
    ...(endsAt !== undefined && { endsAt }),
    ...(amounts !== undefined && { amounts: chosen || null }),
    ...(published !== undefined && { published }),
    ...(withOrders !== undefined && { withOrders }),
  };
}

const isPositive = (value: string): boolean => isAmount(value) && toCents(amountOf(value)) > 0;

const faults = {
  title: texts.localized('campaigns.title', { most: campaignLimits.title }),
  goal: texts.localized('campaigns.goal'),
  amounts: texts.localized('campaigns.amounts', { most: campaignLimits.amounts }),
} as const;

const refused = (field: string, fault: keyof typeof faults): RefusedInput => new RefusedInput(field, faults[fault]);
