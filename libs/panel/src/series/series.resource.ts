import { EventSeries, SeriesService } from '#catalogue';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { currentPanelRequest, declareProperties, entityReader, PanelResource, related, relatedProperty, textOf } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';
import { datesOf } from './series.reader.js';
import { singleWords } from './series.words.js';

/** The series of the tenant's events. They are made and deleted with their dates; here they get another name. */
@PanelResource({ panels: 'tenant', position: 95, modules: 'events' })
export class SeriesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly series: SeriesService,
  ) {}

  entry(): PanelEntry {
    const { db, series } = this;
    const declared = declareProperties(
      {
        name: { isTitle: true, help: 'nameHelp', list: true, show: true, form: true, filter: true },
        eventsCount: {
          type: 'number',
          list: true,
          filter: false,
          sql: '(select count(*)::int from event where event.series_id = series.id)',
        },
        nextAt: {
          type: 'datetime',
          list: true,
          filter: false,
          sql: '(select min(event.starts_at) from event where event.series_id = series.id and event.starts_at > now())',
        },
        page: { ...relatedProperty('page'), show: true },
        dates: { ...relatedProperty('dates'), show: true },
        slug: { show: true, filter: false },
        createdAt: { show: true },
        id: { show: true },
      },
      { entity: EventSeries, alias: 'series' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'name', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'series',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        if (!row) return null;
        const { viewPage } = singleWords[currentPanelRequest().language];
        const page = related([{ title: viewPage, href: `/series/${textOf(row['slug'])}`, isOutside: true }]);
        return { ...row, page, dates: await datesOf(db, id) };
      },
      update: async (id, { name }) => ((await refusable(() => series.rename(id, textOf(name)))) ? source.findOne(id) : null),
    };
    return {
      source,
      group: 'programme',
      icon: 'Repeat',
      rare: true,
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      words: texts.perLanguage('series', ({ words }) => words),
    };
  }
}
