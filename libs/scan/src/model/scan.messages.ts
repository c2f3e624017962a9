import { momentWords, type Language, type Text, type TextParameters } from '#kernel';
import type { CardRefusal, FulfilRefusal, GateRefusal, ScanRefusal, UndoRefusal } from './scan-facts.js';
import { texts } from '../locales/scan.texts.js';

/** The English messages are the specification's where it prints one. */
export const messages = {
  paired: texts.localized('scan.paired'),
  keyValid: texts.localized('scan.keyValid'),
  checked: texts.localized('scan.checked'),
  scanned: texts.localized('scan.scanned'),
  readmitted: texts.localized('scan.readmitted'),
  left: texts.localized('scan.left'),
  undone: texts.localized('scan.undone'),
  fulfilled: texts.localized('scan.fulfilled'),
  fulfilUndone: texts.localized('scan.fulfilUndone'),
  cardChecked: texts.localized('scan.cardChecked'),
  cardValid: texts.localized('scan.cardValid'),
} as const satisfies Record<string, Text>;

export interface RefusalParameters {
  readonly event: string;
  readonly place: string | null;
  /** Product and price. */
  readonly item: string;
  /** Tickets of the reservation that can move now. */
  readonly available: number;
  /** Whether goods were handed out, rather than a ticket scanned. */
  readonly handedOut: boolean;
  /** When the holder left; empty: never. */
  left(): string;
  /** Since when the ticket is cancelled; empty: unknown, or the device names no gate. */
  cancelled(): string;
  when(): string;
  opens(): string;
  closes(): string;
}

export type Refusal = ScanRefusal | GateRefusal | UndoRefusal | FulfilRefusal;

/** The sentence about a refusal in one language. */
export function refusalSentence(
  reason: Refusal,
  language: Language,
  { event, place, item, available, handedOut, ...times }: RefusalParameters,
): string {
  const say = (
    name: Exclude<Refusal, 'not_enough'> | 'wrong_event_at' | 'other_device_item' | 'not_inside_since' | 'cancelled_since',
    parameters?: TextParameters,
  ): string => texts.translate(language, `scan.refusals.${name}`, parameters);
  if (reason === 'not_admission' || reason === 'wrong_gate') return say(reason, { item });
  if (reason === 'wrong_event')
    return place ? say('wrong_event_at', { event, place, when: times.when() }) : say(reason, { event, when: times.when() });
  if (reason === 'not_enough') return texts.translate(language, 'scan.notEnough', { count: available });
  if (reason === 'no_reentry') return say(reason, { left: times.left() });
  if (reason === 'cancelled' && times.cancelled() !== '') return say('cancelled_since', { when: times.cancelled() });
  if (reason === 'not_inside' && times.left() !== '') return say('not_inside_since', { left: times.left() });
  if (reason === 'too_early') return say(reason, { opens: times.opens() });
  if (reason === 'too_late') return say(reason, { closes: times.closes() });
  if (reason === 'other_device' && handedOut) return say('other_device_item');
  return say(reason);
}

export const cardRefusals: Readonly<Record<CardRefusal, Text>> = {
  expired: texts.localized('scan.cardRefusals.expired'),
  not_yet_valid: texts.localized('scan.cardRefusals.notYetValid'),
  cancelled: texts.localized('scan.cardRefusals.cancelled'),
  not_paid: texts.localized('scan.cardRefusals.notPaid'),
  membership: texts.localized('scan.cardRefusals.membership'),
};

/** `Fri 20 Nov, 20:30` in the tenant's time zone. */
export function sayWhen(instant: string | null | undefined, language: Language, timeZone: string): string {
  if (!instant) return '';
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return momentWords(new Date(instant), language, timeZone, options);
}
