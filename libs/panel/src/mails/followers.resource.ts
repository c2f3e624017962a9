import { Follower, FollowersService } from '#notices';
import { TenantDb } from '#tenancy';
import { declareProperties, entityReader, inEachLanguage, PanelResource } from '#panel-kit';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** The people who follow the venue by mail and confirmed that. */
@PanelResource({ panels: 'tenant', position: 82, modules: 'events' })
export class FollowersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly followers: FollowersService,
  ) {}

  entry(): PanelEntry {
    const { db, followers } = this;
    const declared = declareProperties(
      {
        id: { show: 4 },
        email: { type: 'email', isTitle: true, list: true, show: true, filter: true, export: true },
        language: { list: true, show: true, filter: true, export: true },
        confirmedAt: { list: true, show: true, filter: true, export: true },
      },
      { entity: Follower, alias: 'follower' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      where: 'follower.eventId is null and follower.confirmedAt is not null',
      sort: { by: 'confirmedAt', direction: 'desc' },
    });
    return {
      source: { id: 'followers', properties: declared.properties, ...reader, remove: (id) => followers.leave(id) },
      group: 'sales',
      icon: 'Bell',
      rare: true,
      ...declared.places,
      sort: { by: 'confirmedAt', direction: 'desc' },
      words: inEachLanguage((language) => words[language]),
    };
  }
}

const words = texts.perLanguage('followers', ({ words }) => words);
