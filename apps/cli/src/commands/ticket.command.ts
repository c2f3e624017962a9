import { Option, type Command } from 'commander';
import { TicketsService, ticketStates, type TicketStatus } from '#tickets';
import { eventOf } from '../terminal/event.js';
import { documented, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';

interface ListOptions {
  readonly tenant: string;
  readonly event?: string;
  readonly status?: TicketStatus;
  readonly json?: boolean;
}

const states = Object.entries(ticketStates).map(([code, { en }]) => `${code} ${en.toLowerCase()}`);

/** `ticket list`. */
export function ticketCommands(noun: Command): void {
  const list = noun
    .command('list')
    .description('Lists tickets with the strings of their QR codes, by start of the event and name.')
    .requiredOption('--tenant <slug>', 'the venue or festival')
    .option('--event <event>', 'slug or UUID of one event')
    .addOption(new Option('--status <status>', states.join(', ')).choices(Object.keys(ticketStates)));
  documented(list, {
    'ticket list --tenant demo --status K': 'prints a table of the tickets that may still enter',
    'ticket list --tenant demo --json': 'prints an array of {"uuid", "status", "event", "event_uuid", …, "qrcode_data"}',
  }).action(listTickets);
}

async function listTickets(options: ListOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      // Distinguishes a mistyped event from one without tickets.
      const event = options.event === undefined ? undefined : await eventOf(session, tenant, options.event);
      const tickets = await session.service(TicketsService).list({
        ...(event === undefined ? {} : { event }),
        ...(options.status ? { status: options.status } : {}),
      });
      const rows = tickets.map((ticket) => [
        ticket.uuid,
        ticket.status,
        ticket.event,
        ticket.price,
        `${ticket.first_name} ${ticket.last_name}`.trim(),
      ]);
      show(options, tickets, table(['UUID', 'STATUS', 'EVENT', 'PRICE', 'NAME'], rows, 'There is no ticket.'));
    }),
  );
}
