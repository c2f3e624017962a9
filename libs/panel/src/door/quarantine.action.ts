import { referenceOf } from '#notices';
import type { QuarantinedLine, QuarantineLinesService } from '#scan';
import type { PanelAction, PanelValue } from '#panel-kit';
import { currentPanelRequest, recordHref, textOf } from '#panel-kit';

const toItem = ({ ticket, happenedAt, receivedAt, seenAt, text, ...line }: QuarantinedLine): PanelValue => ({
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

/** The page with the lines that a device handed over after its key was revoked. */
export function quarantineAction(quarantine: QuarantineLinesService): PanelAction {
  return {
    icon: 'Inbox',
    component: 'QuarantineLines',
    visible: (row) => Boolean(row['quarantine']),
    view: async (id) => {
      const { lines, ...counts } = await quarantine.of(id);
      return { ...counts, lines: lines.map(toItem) };
    },
    act: async (id, { upTo }) => {
      const { user } = currentPanelRequest();
      if (user) await quarantine.see(id, textOf(upTo), user.id);
      return { message: 'seen' };
    },
  };
}
