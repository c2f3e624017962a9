import { Inject, Injectable } from '@nestjs/common';
import { entityTag, JsonList, reply, toPage, type PageQuery, type Preconditions, type Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { CampaignsService, type CountedCampaign } from '#selling';
import { currentTenant, tenantUrl } from '#tenancy';
import { bookingProblem } from '#tickets';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { toCampaignChange, toNewCampaign, type CampaignChangeBody, type NewCampaignBody } from './campaign-body.dto.js';
import { toCampaign, type CampaignAnswer } from './campaign.dto.js';

/** Campaigns of the current tenant, for which donations are collected. */
@Injectable()
export class SemanticCampaignsService {
  constructor(
    private readonly campaigns: CampaignsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async list(query: PageQuery): Promise<Reply<JsonList<CampaignAnswer>>> {
    const page = toPage(query);
    const { campaigns, total } = await this.campaigns.list(page);
    const list = new JsonList<CampaignAnswer>();
    list.add(campaigns.map((campaign) => this.render(campaign)));
    return reply(list, { member: 'results', page: { page, total } });
  }

  async create(body: NewCampaignBody): Promise<Reply<CampaignAnswer>> {
    const campaign = await this.campaigns.create(toNewCampaign(body));
    return this.answer(campaign, `/api/v2/campaigns/${campaign.id}/`);
  }

  async get(id: string): Promise<Reply<CampaignAnswer>> {
    return this.answer(await this.campaigns.find(id));
  }

  async change(id: string, body: CampaignChangeBody, conditions: Preconditions): Promise<Reply<CampaignAnswer>> {
    const campaign = await this.campaigns.update(id, toCampaignChange(body), (current) => {
      const answered = this.render(current);
      conditions.check({ tags: [entityTag(answered)] });
      refuseOtherThanAnswered(body, answered, ['identifier', 'url', 'reached', 'donations']);
    });
    return this.answer(campaign);
  }

  /** @throws Problem `campaign.unknown` when there is none */
  private answer(campaign: CountedCampaign | undefined, location?: string): Reply<CampaignAnswer> {
    if (!campaign) throw bookingProblem('campaign.unknown');
    return reply(this.render(campaign), { location });
  }

  private render(campaign: CountedCampaign): CampaignAnswer {
    return toCampaign(campaign, (path) => tenantUrl(this.settings, currentTenant(), path));
  }
}
