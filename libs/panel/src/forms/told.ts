import type { PanelNotice, PanelValue } from '#panel-kit';
import type { MailsService } from '#tickets';

/** The notice after a change of which guests are told; `count` is their number. */
export const toldMessage = ({ deliver }: Pick<MailsService, 'deliver'>): string => (deliver ? 'savedTold' : 'savedToldKept');

/**
 * The notice after a change of an event, which also says that guests are not told of another time or place, and how to do it.
 * @param count guests who have booked and whom the change concerns; 0: no notice of its own
 * @param how.alteration that the event has by now: with one, guests are written to
 */
export function toldNotice(
  mails: Pick<MailsService, 'deliver'>,
  count: number,
  { isTold, alteration }: { readonly isTold: boolean; readonly alteration: PanelValue | undefined },
): PanelNotice | undefined {
  if (!(count > 0)) return undefined;
  return { message: isTold ? toldMessage(mails) : alteration ? 'savedUntoldAgain' : 'savedUntold', options: { count } };
}
