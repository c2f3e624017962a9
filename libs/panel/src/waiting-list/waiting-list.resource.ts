import { WaitingEntry, WaitingListService, WaitingProposalsService, waitingStates, type WaitingStatus } from '#waiting';
import { TenantDb } from '#tenancy';
import { declareProperties, entityReader, inEachLanguage, labels, PanelResource } from '#panel-kit';
import type { PanelEntry, PanelTone, ResourceProvider } from '#panel-kit';
import { Injectable } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const tones = {
  unconfirmed: 'quiet',
  waiting: 'waiting',
  offered: 'waiting',
  booked: 'good',
  expired: 'bad',
  left: 'quiet',
  removed: 'quiet',
  over: 'quiet',
} as const satisfies Record<WaitingStatus, PanelTone>;

/** The waiting lists of events. */
@Injectable()
@PanelResource({ panels: 'tenant', position: 55, modules: 'ticketing' })
export class WaitingListResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly list: WaitingListService,
    private readonly offers: WaitingProposalsService,
  ) {}

  entry(): PanelEntry {
    const { db, list, offers } = this;
    const declared = declareProperties(
      {
        id: { show: 11 },
        email: { type: 'email', isTitle: true, list: true, show: true, filter: true, export: true },
        status: { availableValues: Object.keys(waitingStates), tones, list: true, show: true, filter: true, export: true },
        eventId: { reference: 'events', sort: false, list: true, show: true, filter: 1 },
        priceId: { reference: 'prices', sort: false, list: true, show: true, filter: true },
        quantity: { list: true, show: true, export: true },
        confirmedAt: { list: true, show: true, export: true },
        offeredUntil: { list: true, show: true, export: true },
        reservationId: {
          reference: 'reservations',
          sort: false,
          show: true,
          sql: `case when entry.status = 'booked' then entry.reservationId end`,
        },
        language: { show: true, export: true },
        createdAt: { show: true, filter: true, export: true },
        endedAt: { show: true },
      },
      { entity: WaitingEntry, alias: 'entry' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'confirmedAt', direction: 'asc' },
    });
    return {
      source: { id: 'waiting-list', properties: declared.properties, ...reader },
      group: 'sales',
      icon: 'Clock',
      rare: true,
      ...declared.places,
      sort: { by: 'confirmedAt', direction: 'asc' },
      actions: {
        offerNow: {
          icon: 'Send',
          guard: 'offerNowSure',
          visible: ({ status }) => status === 'waiting',
          act: async (id) => {
            await refusable(() => offers.proposeNow(id));
            return { message: 'offeredNow' };
          },
        },
        remove: {
          icon: 'UserMinus',
          variant: 'danger',
          guard: 'removeSure',
          visible: ({ status }) => status === 'unconfirmed' || status === 'waiting' || status === 'offered',
          act: async (id) => ({ message: (await list.leave(id, 'removed')) ? 'removedNow' : 'error404Record' }),
        },
      },
      words: inEachLanguage((language) => ({ ...words[language], values: { status: labels(waitingStates, language) } })),
    };
  }
}

const words = texts.perLanguage('waitingList', ({ words }) => words);
