import type { SeriesPoolsService } from '#tickets';
import { currentPanelRequest, formAction, PanelFieldError, textOf } from '#panel-kit';
import type { PanelAction } from '#panel-kit';
import { hasModule } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { sharedPlacesWords } from './events.words.js';

/** Lets the dates of an event's series share their places, or changes how many. */
export function sharedPlacesAction(pools: SeriesPoolsService): PanelAction {
  const found = async (eventId: string) => {
    const pool = await pools.find(eventId);
    if (!pool) throw new PanelFieldError({}, 'error404Record');
    return pool;
  };
  return formAction({
    icon: 'Share2',
    visible: ({ seriesId }) => Boolean(seriesId) && hasModule('ticketing'),
    form: async (id) => {
      const words = sharedPlacesWords[currentPanelRequest().language];
      const { name, capacity, booked, dates } = await found(id);
      return {
        lead: [words.lead(name)],
        facts: [words.booked(booked, dates)],
        fields: [
          {
            name: 'capacity',
            kind: 'text',
            label: words.capacity,
            help: words.capacityHelp,
            value: capacity === null ? '' : String(capacity),
            longest: 7,
          },
        ],
        submit: words.submit,
      };
    },
    act: async (id, values) => {
      const typed = textOf(values['capacity']).trim();
      const { id: seriesId } = await found(id);
      await refusable(() => pools.setCapacity(seriesId, typed === '' ? null : Number(typed)));
      return { message: typed === '' ? 'ownPlacesDone' : 'sharedPlacesDone' };
    },
  });
}
