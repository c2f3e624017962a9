import { mostPrinted, TooManyTickets } from '#notices';
import type { TicketDocumentsService } from '#notices';
import type { PanelPrint } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Prints the tickets of a list of reservations, on sheets to cut. */
export const ticketSheets = (documents: TicketDocumentsService): PanelPrint => ({
  most: mostPrinted,
  read: async (ids) => {
    try {
      return await documents.sheetOf(ids);
    } catch (error) {
      if (error instanceof TooManyTickets) return 'tooMany';
      throw error;
    }
  },
  tooMany: texts.localized('ticketSheets.tooMany', { mostPrinted }),
  nothing: texts.localized('ticketSheets.nothing'),
});
