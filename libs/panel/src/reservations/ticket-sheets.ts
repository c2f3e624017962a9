import { mostPrinted, TooManyTickets } from '#booking';
import type { TicketDocumentsService } from '#booking';
import type { PanelPrint } from '#panel-kit';

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
  tooMany: {
    en: `These are more than ${mostPrinted} tickets: narrow the list with its filter, and print them in parts.`,
    fr: `Cela fait plus de ${mostPrinted} billets : restreignez la liste avec son filtre et imprimez-les par parties.`,
  },
  nothing: {
    en: 'No ticket in this list is valid: there is nothing to print.',
    fr: 'Aucun billet de cette liste n’est valable : il n’y a rien à imprimer.',
  },
});
