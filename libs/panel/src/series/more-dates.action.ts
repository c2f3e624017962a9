import { currentPanelRequest, formAction, isChecked, listHref, type PanelAction, PanelFieldError } from '#panel-kit';
import { publishField } from '../forms/copies.js';
import { refusable } from '../forms/refusals.js';
import type { MadeSeries } from '#catalogue';
import type { Tx } from '#tenancy';
import { dateFields, datesIn, datesShown, sharesPlaces } from './series-fields.js';
import type { SeriesServices } from './series.services.js';
import { seriesWords, singleWords } from './series.words.js';

/** Adds dates to an event: copies that are dates of the same series. */
export function moreDatesAction({ series, copies, events, pools }: SeriesServices): PanelAction {
  const sharing = {
    before: (tx: Tx) => pools.lockIn(tx),
    made: (tx: Tx, { seriesId, capacity }: MadeSeries) => pools.setCapacityIn(tx, seriesId, capacity),
  };
  return formAction({
    icon: 'Repeat',
    form: async (id) => {
      const words = seriesWords[currentPanelRequest().language];
      const single = singleWords[currentPanelRequest().language];
      const { shared, own } = await copies.plan(id);
      return {
        lead: [words.moreLead],
        facts: [...(shared.length > 0 ? [single.shared(shared.join(', '))] : []), ...(own.length > 0 ? [single.own(own.join(', '))] : [])],
        fields: [...dateFields('week', { asksPlaces: (await events.find(id))?.seriesId === null }), publishField(single)],
        submit: words.moreDo,
        preview: ['step', 'until', 'day', 'clock'],
      };
    },
    previewed: (id, values) => datesShown(values, (dates) => series.newStarts(id, dates)),
    act: async (id, values) => {
      const dates = datesIn(values);
      if (!dates) throw new PanelFieldError({ step: { message: 'fieldChoice' } });
      const made = await refusable(() => series.add(id, dates, isChecked(values['published']), sharesPlaces(values) ? sharing : undefined));
      const [first] = made ?? [];
      if (!first?.seriesId) throw new PanelFieldError({}, 'error404Record');
      return { message: 'datesMade', redirect: listHref('events', { seriesId: first.seriesId }) };
    },
  });
}
