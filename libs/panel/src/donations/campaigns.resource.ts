import { ImagesService } from '#catalogue';
import { definedOf, foldedColumnSql, SETTINGS, type Settings } from '#kernel';
import { Campaign, CampaignsService, givenSql, reachedSql, type CampaignChange, type NewCampaign } from '#selling';
import { currentTenant, TenantDb, tenantUrl } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import { declareProperties, entityReader, PanelResource, searchProperty, textOf } from '#panel-kit';
import { Inject } from '@nestjs/common';
import { pictureAction, pictureProperty, shownPicture } from '../forms/picture.action.js';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('campaigns', ({ words: own }) => own);

/** What the venue collects donations for. */
@PanelResource({ panels: 'tenant', position: 118, modules: 'ticketing' })
export class CampaignsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly campaigns: CampaignsService,
    private readonly images: ImagesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { db, campaigns, images } = this;
    const declared = declareProperties(
      {
        title: { isTitle: true, list: true, form: true, filter: true, export: true },
        reached: { type: 'decimal', sql: reachedSql('campaign.id'), sort: false, list: true, show: true, filter: false, export: true },
        goal: { required: false, help: 'goalHelp', list: true, show: true, form: true, filter: false, export: true },
        given: { type: 'number', sql: givenSql('campaign.id'), sort: false, list: true, show: true, filter: false, export: true },
        endsAt: { help: 'endsAtHelp', list: true, show: true, form: true, filter: false, export: true },
        text: { type: 'textarea', required: false, help: 'textHelp', show: true, form: true, filter: false },
        imageId: { filter: false },
        picture: { ...pictureProperty, show: true },
        amounts: { required: false, help: 'amountsHelp', show: true, form: true, filter: false },
        withOrders: { initial: true, help: 'withOrdersHelp', show: true, form: true, filter: true, export: true },
        published: { initial: false, list: true, show: true, form: true, filter: true, export: true },
        page: { type: 'url', sql: 'null::text', sort: false, show: true, filter: false },
        createdAt: { show: true, export: true },
        id: { show: true, export: true },
        search: { ...searchProperty, filter: 1 },
      },
      { entity: Campaign, alias: 'campaign' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      searched: { own: [foldedColumnSql('campaign.title')], ids: ['campaign.id'] },
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'campaigns',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        const page = row['published'] === true ? tenantUrl(this.settings, currentTenant(), `/donate/${id}`) : null;
        return { ...row, page, picture: shownPicture(row['imageId'] as string | null) };
      },
      create: async (values) => {
        const made = await refusable(() => campaigns.create(toChange(values) as NewCampaign), { 'tenant.module': 'title' });
        return { id: made.id, name: textOf(values['title']) };
      },
      update: async (id, values) => ((await refusable(() => campaigns.update(id, toChange(values)))) ? source.findOne(id) : null),
      remove: async (id) => {
        await refusable(() => campaigns.remove(id));
      },
    };
    return {
      source,
      group: 'programme',
      icon: 'Heart',
      rare: true,
      ...declared.places,
      actions: {
        picture: pictureAction(
          images,
          async (id) => (await campaigns.find(id))?.imageId,
          (id, picture) => campaigns.update(id, { picture }),
        ),
      },
      sort: { by: 'createdAt', direction: 'desc' },
      hit: { details: ['reached', 'goal'], state: 'published' },
      words,
    };
  }
}

const textIn = (value: PanelValue | undefined): string | null | undefined =>
  value === undefined ? undefined : value === null || value === '' ? null : String(value);

/** Converts the form's values to the service's input. */
function toChange({ title, text, goal, endsAt, amounts, published, withOrders }: PanelRow): CampaignChange {
  const end = textIn(endsAt);
  return definedOf({
    title: title === undefined ? undefined : textOf(title),
    text: textIn(text),
    goal: textIn(goal),
    endsAt: end == null ? end : new Date(end),
    amounts: textIn(amounts),
    published: typeof published === 'boolean' ? published : undefined,
    withOrders: typeof withOrders === 'boolean' ? withOrders : undefined,
  });
}
