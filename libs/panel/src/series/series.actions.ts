import { hasModule } from '#tenancy';
import { currentPanelRequest, formAction, type PanelAction, PanelFieldError } from '#panel-kit';
import { cancelledWith, noteField } from '../forms/note.js';
import { refusable } from '../forms/refusals.js';
import { changeDatesAction } from './change-dates.action.js';
import { moreDatesAction } from './more-dates.action.js';
import { guestsOf } from './series.reader.js';
import type { SeriesServices } from './series.services.js';
import { reservedWords, seriesWords, singleWords } from './series.words.js';

/** The actions on an event that concern the other dates of its series. */
export function seriesActions(services: SeriesServices): Readonly<Record<string, PanelAction>> {
  const { series, events } = services;
  return {
    moreDates: moreDatesAction(services),
    changeDates: changeDatesAction(services),
    publishDates: {
      icon: 'Eye',
      main: true,
      guard: 'publishDatesSure',
      visible: ({ datesToPublish }) => Number(datesToPublish) > 0,
      act: async (id) => {
        await refusable(() => series.publishAll(id));
        return { message: 'datesPublished' };
      },
    },
    leaveSeries: {
      icon: 'LogOut',
      guard: 'leaveSeriesSure',
      visible: ({ seriesId }) => Boolean(seriesId),
      act: async (id) => {
        if (!(await refusable(() => events.update(id, { seriesId: null })))) throw new PanelFieldError({}, 'error404Record');
        return { message: 'seriesLeft' };
      },
    },
    cancelDates: cancelDatesAction(services),
  };
}

/** Cancels an event and the later dates of its series, each as one cancellation of an event. */
function cancelDatesAction({ db, series, cancellations, mails }: SeriesServices): PanelAction {
  return formAction({
    icon: 'XCircle',
    variant: 'danger',
    visible: ({ seriesId }) => Boolean(seriesId) && hasModule('ticketing'),
    form: async (id) => {
      const words = seriesWords[currentPanelRequest().language];
      const single = singleWords[currentPanelRequest().language];
      const ids = await series.datesFrom(id);
      const { reserved, reservations } = await guestsOf(db, ids);
      return {
        lead: [words.touches(ids.length)],
        facts: [
          reservedWords(reserved),
          single.cancelReservations(reservations),
          mails.deliver ? single.cancelMailed : single.cancelNotMailed,
          single.cancelMoney,
        ],
        fields: [noteField(single)],
        submit: words.cancelDo,
        danger: true,
      };
    },
    act: async (id, { note }) => {
      // Each date is one step: what a fault leaves over is cancelled when somebody does it again.
      for (const date of await series.datesFrom(id)) await refusable(() => cancellations.cancel(date, cancelledWith(note)));
      return { message: 'datesCancelled' };
    },
  });
}
