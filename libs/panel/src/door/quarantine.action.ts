import { referenceOf } from '#notices';
import type { QuarantinedLine, QuarantineLinesService } from '#scan';
import type { PanelAction, ViewOf } from '#panel-kit';
import { currentPanelRequest, recordHref, textOf } from '#panel-kit';

const toItem = ({ ticket, happenedAt, receivedAt, seenAt, text, ...line }: QuarantinedLine) => ({
  ...line,
  // What cannot be read is shown as it came.
  text: line.kind === null ? text : null,
  at: (happenedAt ?? receivedAt).toISOString(),
  isSeen: seenAt !== null,
  reference: ticket && referenceOf(ticket.reservationId),
  href: ticket && recordHref('tickets', ticket.id),
  event: ticket && ticket.eventName,
  now: ticket && ticket.state,
});

/** SQL of whether a device has lines in quarantine: `unseen`, `seen` or null. */
export const quarantineSql = (device: string): string =>
  `(select case when bool_or(line.seen_at is null) then 'unseen' else 'seen' end from quarantine_line line
    where line.device_id = ${device}.id group by line.device_id)`;

async function quarantineView(quarantine: QuarantineLinesService, device: string) {
  const { lines, ...counts } = await quarantine.of(device);
  return { ...counts, lines: lines.map(toItem) };
}

/** The view of the component `QuarantineLines`. */
export type QuarantineView = ViewOf<typeof quarantineView>;

/** The page with the lines that a device handed over after its key was revoked. */
export function quarantineAction(quarantine: QuarantineLinesService): PanelAction {
  return {
    icon: 'Inbox',
    component: 'QuarantineLines',
    visible: (row) => Boolean(row['quarantine']),
    view: (id) => quarantineView(quarantine, id),
    act: async (id, { upTo }) => {
      const { user } = currentPanelRequest();
      if (user) await quarantine.see(id, textOf(upTo), user.id);
      return { message: 'seen' };
    },
  };
}
