import { reply, seeOther, type Redirection, type Reply } from '#http';
import { personalReply } from '#page-kit';
import type { HolderAccess, TicketParams } from './holder-access.service.js';
import type { OpenedTicket } from './pages/held-ticket.js';
import { givenAwayPage } from './pages/ticket-forms.js';

/** A personal file, shown in the browser. @param name file name with extension */
export function fileReply(type: string, name: string, file: Buffer): Reply<Buffer> {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'Content-Disposition': `inline; filename="${name}"` };
  return reply(file, { headers });
}

/**
 * The ticket of a link.
 * @returns an answer instead of the ticket for a link from before a transfer
 * @throws Problem `route.unknown` when the link is not valid
 */
export async function openTicket(access: HolderAccess, params: TicketParams): Promise<OpenedTicket | Reply<string> | Reply<Redirection>> {
  const opened = await access.ticket(params);
  if (!opened.isGivenAway) return opened;
  return params.id === undefined ? personalReply(givenAwayPage(opened), { status: 410 }) : seeOther(opened.back);
}
